"""Claims: by rules a cue, its two arguments and how real the relation is said to be; with learned heads, their vote."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from extraction.antecedents import Argument, Arguments, NoArguments
from extraction.arguments import ArgumentFinder
from extraction.bounds import settled
from extraction.doubts import DOUBT, Case, doubts, refused
from extraction.events import MENTIONS, head_of, object_verb
from extraction.learned_causes import Tellings, learned_statements
from extraction.learned_pairs import Pairs, PairStatements
from extraction.sentence_reading import Heads, SentenceReading
from extraction.standing import doubted_below, standing
from extraction.statements import Located, Statement, StatementMaker
from extraction.strictness import ALL, Strictness
from extraction.syntax import Bounds, Trees
from extraction.votes import agreed, is_judged, joined
from kg.records import Claim, Mention
from language.clause_words import Span
from language.clauses import Clauses
from language.contrasts import kept_apart
from language.corrections import corrected
from language.cue_heads import asks_for_heads, heads_fit
from language.cues import CueMatch
from language.denied_reasons import contrasted_from, restated
from language.factuality import Factuality, no_harm, of_claim, of_clause, tells_chance, there_is_none, weaker
from language.kinds import is_event_noun
from language.labels import gives_cause, labelled_of
from language.retractions import FARTHEST, is_taken_back, taken_back
from language.times import TimeInterval, TimeReader
from language.tokens import Sentence
from language.word_classes import WordClass

if TYPE_CHECKING:
    from extraction.llm import ModelReader
    from models.claim_schema import ClaimAnswer

EXTRACTOR: Final = "rules-1"
LONGEST_ARGUMENT: Final = 30
"""Most tokens of an argument; a longer one is cut at its nearest clause, or rejected."""
LONGEST_SENTENCE: Final = 400
"""Most tokens of a sentence that is read; longer ones are broken tables, not sentences."""
_CAUSE_WORDS: Final = frozenset(
    {"the", "a", "this", "its", "cause", "causes", "reason", "reasons", "factor", "factors"}
)
"""An argument of these words alone names no happening: "the cause was attributed to a leak"."""
_SHORTEST_CUT: Final = 4
_TABLES: Final = {
    "language": (
        "cue_heads",
        "cues",
        "denied_twice",
        "denied_reasons",
        "factuality",
        "framing",
        "irrealis",
        "kinds",
        "labels",
        "lemmas",
        "none_of_them",
        "retractions",
        "sole_causes",
        "time_nouns",
    ),
    "extraction": ("doubts", "standing"),
}
"""The tables that decide on claims, by room."""
_ACROSS: Final = 0.9
"""Factor on the confidence when an argument stands in the sentence before."""
_LONG: Final = 0.93
"""Factor when the rules give an argument more than `_LONG_FROM` tokens: its bounds are then often wrong."""
_LONG_FROM: Final = 20
_THING: Final = 0.9
"""Factor for an argument that names a thing and no happening."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in one document.

    Attributes:
        mentions: Every mention once, in the order of its first use.
        claims: Every claim once, in document order.
        rejected: How often a cue gave no claim, by named reason.
    """

    mentions: tuple[Mention, ...]
    claims: tuple[Claim, ...]
    rejected: Mapping[str, int]


def claims_version(*models: str, strictness: Strictness, by_rules: bool) -> str:
    """The version of a `ClaimReader`, from the fingerprints of its heads and of its parser."""
    point = [f"{strictness.floor}", *(["everywhere"] if strictness.everywhere else [])]
    return "+".join([*([EXTRACTOR] if by_rules else []), *models, MENTIONS, _tables_digest(), *point])


class ClaimReader:
    """Reads claims from the sentences of a document: by the cue table, by learned heads, or by both with a vote."""

    def __init__(
        self,
        heads: Heads | None = None,
        pairs: Pairs | None = None,
        tellings: Tellings | None = None,
        *,
        trees: Trees | None = None,
        model: ModelReader | None = None,
        strictness: Strictness = ALL,
        by_rules: bool = True,
    ) -> None:
        """Takes what reads with it.

        Args:
            heads: The heads for the causes of a sentence, if any.
            pairs: Those that link events.
            tellings: Those that say how a cause which the heads find is told.
            trees: What reads the dependency tree of a sentence with a cue; without it, word classes alone set bounds.
            model: What asks a language model.
            strictness: How sure a claim must be.
            by_rules: Whether the cue table reads too.
        """
        self._heads = heads
        self._pairs = pairs
        self._tellings = tellings
        self._trees = trees
        self._model = model
        self._strictness = strictness
        self._by_rules = by_rules
        fingerprints = [one.fingerprint for one in (heads, pairs, tellings, trees, model) if one is not None]
        self.version: str = claims_version(*fingerprints, strictness=strictness, by_rules=by_rules)
        """Changes whenever the same text could give other claims."""

    def read(
        self,
        collection: str,
        document_id: str,
        sentences: Sequence[Sentence],
        published: TimeInterval | None,
        text: str,
    ) -> Found:
        """All claims of one document.

        Args:
            collection: The collection of the document.
            document_id: Its id.
            sentences: All its sentences, in order.
            published: When it was published; anchors relative times.
            text: Its whole text; a quote of two sentences is cut from it.

        Raises:
            ModelError: the language model cannot be asked, or its budget is spent.
        """
        left = [corrected(sentence).sentence for sentence in sentences]
        reading = _Reading(collection, document_id, left, TimeReader(published), self._trees, text)
        found = reading.found(
            self._heads, self._pairs, self._tellings, self._model, self._strictness, by_rules=self._by_rules
        )
        places = [place for place, one in enumerate(left) if one is not sentences[place]]
        if not places or not self._by_rules:
            return found
        whole = _Reading(collection, document_id, sentences, TimeReader(published), self._trees, text)
        return _joined(found, whole.denials(places, self._strictness.floor))


class _Reading:
    """The reading of one document."""

    def __init__(
        self,
        collection: str,
        document_id: str,
        sentences: Sequence[Sentence],
        times: TimeReader,
        trees: Trees | None,
        text: str,
    ) -> None:
        self._document_id = document_id
        self._sentences = sentences
        self._trees = trees
        self._maker = StatementMaker(collection, document_id, sentences, text)
        self._rejected: Counter[str] = Counter()
        # In order, and of all: relative times lean on earlier ones.
        for place, sentence in enumerate(sentences):
            self._maker.times[place] = times.read(sentence)

    def found(
        self,
        heads: Heads | None,
        pairs: Pairs | None,
        tellings: Tellings | None,
        model: ModelReader | None,
        strictness: Strictness,
        *,
        by_rules: bool,
    ) -> Found:
        """Asks the language model, then reads sentence by sentence."""
        said = self._said(model) if model is not None else {}
        reader = heads if heads is not None or model is None else model.judge
        linking = PairStatements(pairs, self._maker, strictness.floor) if pairs is not None else None
        everywhere = heads is not None and (strictness.everywhere or not by_rules)
        for place, sentence in enumerate(self._sentences):
            reading = SentenceReading(sentence, reader)
            matches = reading.cues
            if not matches and not everywhere and place not in said:
                continue
            reason = unfit(sentence)
            if reason is not None:
                self._rejected[reason] += len(matches)
                continue
            here = reading.clauses
            stated = self._by_cues(place, here, matches) if by_rules and matches else []
            if heads is not None and (everywhere or any(map(is_judged, stated))):
                relations = reading.relations
                learned = learned_statements(relations, self._maker, here, place, matches, tellings)
                stated = agreed(stated, learned, alone=everywhere) if by_rules else list(learned)
                if linking is not None and relations is not None:
                    adjacent = self._adjacent(place) is not None
                    stated = [*stated, *linking.read(place, here, relations.scores, stated, adjacent=adjacent)]
            if model is not None and place in said:
                others, dropped = model.statements(said[place], reading, place, self._maker)
                self._rejected.update(dropped)
                stated, left_out = joined(stated, others)
                self._rejected["outvoted"] += left_out
            if is_taken_back(sentence, self._behind(place)):
                # Only the rules read what the sentences behind leave of it.
                stated = self._by_rules(stated)
            for statement in stated:
                if statement.confidence >= strictness.floor:
                    self._maker.tell(statement)
                else:
                    self._rejected["doubtful"] += 1
        mentions, claims = self._maker.mentions.values(), self._maker.claims.values()
        # Sentences without a cue reject none; unary plus leaves out their zeros.
        return Found(tuple(mentions), tuple(claims), dict(sorted((+self._rejected).items())))

    def _by_rules(self, stated: Sequence[Statement]) -> list[Statement]:
        kept = [one for one in stated if one.extractor.startswith(EXTRACTOR)]
        self._rejected["taken_back"] += len(stated) - len(kept)
        return kept

    def denials(self, places: Sequence[int], floor: float) -> Found:
        """What some sentences deny where they correct it: "it was *not the database* but a full disk"."""
        for place in places:
            reading = SentenceReading(self._sentences[place], None)
            if unfit(reading.sentence) is not None or not reading.cues:
                continue
            for statement in self._by_cues(place, reading.clauses, reading.cues):
                words = f"{statement.cause.text} {statement.effect.text}".lower().split()
                denied = statement.told.polarity == "negated" and "but" not in words
                if denied and statement.confidence >= floor:
                    self._maker.tell(statement)
        return Found(tuple(self._maker.mentions.values()), tuple(self._maker.claims.values()), {})

    def _said(self, model: ModelReader) -> Mapping[int, Sequence[ClaimAnswer]]:
        """What a language model says, by the place of its sentence."""
        fit = [(place, one) for place, one in enumerate(self._sentences) if unfit(one) is None]
        said, dropped = model.claims(self._document_id, fit)
        self._rejected.update(dropped)
        return said

    def _by_cues(self, place: int, here: Clauses, matches: list[CueMatch]) -> list[Statement]:
        matches = [
            match for match, then in zip(matches, [*matches[1:], None], strict=True) if not _introduces(match, then)
        ]
        finder = ArgumentFinder(here, lambda: self._adjacent(place), matches)
        # Parsed when an argument is found: most cues that are refused are refused before.
        bounds = cache(partial(self._bounds, place, here, matches))
        stated = []
        for match in matches:
            try:
                for arguments in finder.find(match):
                    stated.append(self._statement(place, match, here, arguments, bounds))
            except NoArguments as rejection:
                self._rejected[rejection.reason] += 1
        return stated

    def _before(self, place: int) -> int | None:
        """The place of the sentence before, when it is prose of the same or the previous block.

        For a label of a cause, that of what it gives the cause of.
        """
        here = self._sentences[place]
        if gives_cause(here.text):
            return labelled_of(self._sentences, place)
        before = self._sentences[place - 1] if place else None
        near = before is not None and before.prose and here.block - before.block in (0, 1)
        return place - 1 if near else None

    def _adjacent(self, place: int) -> Clauses | None:
        """The sentence that one at a place points back to."""
        before = self._before(place)
        fit = before is not None and len(self._sentences[before].tokens) <= LONGEST_SENTENCE
        return Clauses(self._sentences[before]) if fit and before is not None else None

    def _following(self, place: int) -> Clauses | None:
        """The sentence behind, when it is prose of the same block."""
        behind = self._sentences[place + 1 : place + 2]
        near = bool(behind) and behind[0].block == self._sentences[place].block
        return Clauses(behind[0]) if near and behind[0].prose and len(behind[0].tokens) <= LONGEST_SENTENCE else None

    def _behind(self, place: int) -> Sequence[Sentence]:
        """The sentences behind, those of the same block first."""
        return self._sentences[place + 1 : place + 1 + FARTHEST]

    def _bounds(self, place: int, here: Clauses, matches: Sequence[CueMatch]) -> Bounds | None:
        if self._trees is None:
            return None
        tree = self._trees.read(self._sentences[place])
        return Bounds(here, tree, [(match.first, match.end) for match in matches])

    def _statement(
        self, place: int, match: CueMatch, here: Clauses, arguments: Arguments, parsed: Callable[[], Bounds | None]
    ) -> Statement:
        left = self._located(place, arguments.left, here, match)
        right = self._located(place, arguments.right, here, match)
        bounds = parsed()
        long = sum(argument.span[1] - argument.span[0] > _LONG_FROM for argument in (left, right))
        if bounds is not None:
            left = _bounded(bounds, left, right, match, place)
            right = _bounded(bounds, right, left, match, place)
        together = left.place == right.place
        if together and left.span[0] < right.span[1] and right.span[0] < left.span[1]:
            raise NoArguments("arguments_overlap")
        told = self._told(match, here, arguments, left.span, right.span)
        following = self._following(place)
        denied, modality = taken_back(self._sentences[place], self._behind(place))
        polarity = "negated" if denied else told.polarity
        told = replace(told, polarity=polarity, modality=weaker(told.modality, modality))
        cue = match.cue
        if contrasted_from(here, match) is not None:
            # It did happen, and no words of the sentence say so by themselves.
            raise NoArguments("other_meaning")
        after_all = restated(here, match, left.span, following) if together else None
        if after_all is not None:
            # It did happen, only not for this reason.
            if not after_all.follows and max(after_all.span[0], right.span[0]) < min(after_all.span[1], right.span[1]):
                raise NoArguments("arguments_overlap")
            told = replace(told, polarity="negated")
            where = place + after_all.follows
            left = Located(after_all.span, Clauses(self._sentences[where]) if after_all.follows else here, where)
            together = left.place == right.place
        cause, effect = (right, left) if cue.right == "cause" else (left, right)
        if asks_for_heads(cue) and not (
            cause.place == effect.place == place and heads_fit(cue, here, cause.span, effect.span)
        ):
            raise NoArguments("other_meaning")
        if cue.needs_event and not cue.cause_in and not _names_happening(cause):
            raise NoArguments("doer")
        past = cue.relation != "BEFORE" or told.modality != "actual"
        if not past and not _happened(here, match, left.span, right.span, together):
            raise NoArguments("no_event")
        case = Case(match, here, left, right)
        if refused(case):
            raise NoArguments("other_meaning")
        doubted = doubts(case) + (together and bounds is not None and _hangs_elsewhere(bounds, case))
        doubted += standing(cue.relation, cause, effect) < doubted_below()
        confidence = cue.confidence * told.trust * (1.0 if together else _ACROSS) * DOUBT**doubted
        confidence *= _LONG**long
        for argument in (cause, effect):
            confidence *= 1.0 if _names_happening(argument) else _THING
        return self._maker.make(
            cue.relation,
            cause,
            effect,
            told,
            cue=match.text,
            confidence=confidence,
            extractor=EXTRACTOR,
            object_verb=object_verb(effect.clauses, effect.span) if cue.causative else None,
        )

    def _located(self, place: int, argument: Argument, here: Clauses, match: CueMatch) -> Located:
        clauses = here
        before = self._before(place) if argument.before else None
        if before is not None:
            place, clauses = before, Clauses(self._sentences[before])
        span = settled(clauses, argument.span, (0, 0) if argument.before else (match.first, match.end))
        span = _fitted(clauses, span)
        if not clauses.has_content(*span) or _CAUSE_WORDS.issuperset(clauses.words[span[0] : span[1]]):
            raise NoArguments("no_content")
        return Located(span, clauses, place)

    @staticmethod
    def _told(match: CueMatch, here: Clauses, arguments: Arguments, left: Span, right: Span) -> Factuality:
        first = arguments.group[0] if arguments.left.before else min(left[0], right[0], arguments.group[0])
        subject = match.cue.construction in ("predicate", "noun")
        told = of_claim(here, arguments.group, first, frozenset(match.text.split()), subject=subject)
        modality = weaker(weaker(told.modality, match.cue.modality), arguments.modality)
        if match.cue.construction in ("clause", "phrase", "adverb", "participle"):
            effect_here = match.cue.right == "effect" or not arguments.left.before
            if effect_here:
                modality = weaker(modality, of_clause(here, right if match.cue.right == "effect" else left).modality)
        if match.cue.relation == "BEFORE" and not arguments.left.before:
            modality = weaker(modality, weaker(of_clause(here, left).modality, of_clause(here, right).modality))
        negated = "negated" in (told.polarity, match.cue.polarity) or arguments.denied
        if match.cue.keeps == "left" and left[0] < match.first:
            # What is denied of the degree is denied of its outcome: "not so bad that"; so with "never detained for".
            negated = negated or of_clause(here, (left[0], match.first)).polarity == "negated"
        if match.cue.construction == "phrase" and match.cue.right == "cause" and not arguments.left.before:
            negated = negated or no_harm(here, left)
        if match.cue.construction == "predicate" and match.cue.right == "effect" and not arguments.left.before:
            negated = negated or there_is_none(here, left, arguments.group[0])
            # Of two verbs with one subject the first says how both are told: "it should have stopped and allowed it".
            shared = WordClass.CONJUNCTION in here.classes[left[1] : arguments.group[0]]
            told_with = (left[0], arguments.group[0]) if shared else left
            if here.has_verb(*told_with):
                modality = weaker(modality, of_clause(here, told_with).modality)
        for argument, span in ((arguments.left, left), (arguments.right, right)):
            if not argument.before and tells_chance(here, span):
                modality = weaker(modality, "possible")
        return Factuality("negated" if negated else "affirmed", modality, told.trust)


def _joined(found: Found, denied: Found) -> Found:
    mentions = {one.id: one for one in (*denied.mentions, *found.mentions)}
    claims = {one.id: one for one in (*found.claims, *denied.claims)}
    ordered = sorted(claims.values(), key=lambda one: one.start)
    return Found(tuple(mentions.values()), tuple(ordered), found.rejected)


def unfit(sentence: Sentence) -> str | None:
    """Why nothing is read in a sentence; none for one that is read."""
    if not sentence.prose:
        return "heading"
    if len(sentence.tokens) > LONGEST_SENTENCE:
        return "sentence_too_long"
    if "?" in (token.text for token in sentence.tokens[-3:]):
        return "question"
    return None


def _bounded(bounds: Bounds, argument: Located, other: Located, match: CueMatch, place: int) -> Located:
    if argument.place != place:
        return argument
    taken = other.span if other.place == place else (0, 0)
    span = bounds.settled(argument.span, (match.first, match.end), taken)
    return argument._replace(span=kept_apart(argument.clauses, span, argument.span))


def _hangs_elsewhere(bounds: Bounds, case: Case) -> bool:
    """Whether a clause belongs by the tree to something else than to the other argument."""
    cue = case.match.first, case.match.end
    return case.match.cue.construction == "clause" and bounds.hangs_elsewhere(case.right.span, cue, case.left.span)


def _introduces(match: CueMatch, following: CueMatch | None) -> bool:
    """Whether an adverb only strengthens the verb that follows it: ", thereby causing"."""
    return (
        following is not None
        and match.cue.construction == "adverb"
        and following.first == match.end
        and (following.cue.construction == "predicate")
    )


def _happened(here: Clauses, match: CueMatch, left: Span, right: Span, together: bool) -> bool:
    """Whether the clauses that an order in time is told of have a verb of the past; a rule or habit has none."""
    if not together:
        return here.tells_past(0, len(here.words))
    return here.tells_past(min(left[0], right[0], match.first), max(left[1], right[1], match.end))


def _names_happening(argument: Located) -> bool:
    clauses = argument.clauses
    head = head_of(clauses, argument.span)
    if clauses.classes[head] is WordClass.NOUN:
        return is_event_noun(clauses.tokens[head].lemma)
    return True


def _fitted(clauses: Clauses, span: Span) -> Span:
    """The span, cut at its nearest clause when it is too long."""
    start, end = span
    if end - start <= LONGEST_ARGUMENT:
        return span
    for place in range(min(start + LONGEST_ARGUMENT, end - 1), start + _SHORTEST_CUT, -1):
        if clauses.words[place] in (",", "and", "but", "or") or clauses.classes[place] in (
            WordClass.RELATIVE,
            WordClass.SUBORDINATOR,
        ):
            return clauses.trimmed(start, place)
    raise NoArguments("argument_too_long")


@cache
def _tables_digest() -> str:
    digest = hashlib.sha256()
    for room, names in _TABLES.items():
        for name in names:
            digest.update(files(room).joinpath(f"{name}.toml").read_bytes())
    return digest.hexdigest()[:12]
