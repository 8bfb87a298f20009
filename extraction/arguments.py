"""The two arguments of a cue: which words name the cause and which the effect, by the construction of the cue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from language.clauses import Clauses, Span
from language.cues import CueMatch, cue_table
from language.factuality import factuality_lists
from language.lemmas import is_third_person
from language.word_classes import BE, WordClass

W = WordClass
_PRONOUNS: Final = frozenset(
    [
        "this",
        "that",
        "it",
        "these",
        "those",
        "which",
        "they",
        "he",
        "she",
        "them",
        "him",
        "what",
        "there",
        "we",
        "i",
        "you",
        "such",
    ]
)
_POINTERS: Final = frozenset({"this", "that", "it", "these", "those", "which"})
_NOMINAL: Final = frozenset({W.NOUN, W.PRONOUN, W.NUMBER, W.RELATIVE})
_UNKNOWN: Final = frozenset(
    [
        "unknown",
        "unclear",
        "undetermined",
        "determined",
        "established",
        "found",
        "identified",
        "known",
        "under",
        "investigated",
        "being",
        "uncertain",
    ]
)
_NAMING: Final = frozenset(
    ["as", "identified", "cited", "blamed", "named", "considered", "given", "suggested", "found"]
)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: a span of tokens in the sentence of the cue, or in the one before it."""

    span: Span
    before: bool = False


@dataclass(frozen=True, slots=True)
class Arguments:
    """Both arguments of a cue.

    Attributes:
        left, right: As the cue table means them.
        group: The words that carry the relation, with auxiliaries and adverbs: where factuality is told.
        modality: What the construction itself says: `planned` for a purpose.
        denied: True for what the sentence sets against the real cause ("rather than by the weather").
    """

    left: Argument
    right: Argument
    group: Span
    modality: str = "actual"
    denied: bool = False


class NoArguments(Exception):
    """A cue without two arguments; `reason` is the name under which the rejection is counted."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ArgumentFinder:
    """Finds the arguments of the cues of one sentence."""

    def __init__(self, here: Clauses, previous: Callable[[], Clauses | None], matches: Sequence[CueMatch]) -> None:
        """Takes the sentence, the way to the adjacent sentence before it, and the cues found in it, left to right."""
        self._here = here
        self._previous = previous
        self._matches = matches
        self._mains: dict[int, Span] = {}
        self._effects: dict[int, Span] = {}
        here.stops = frozenset(
            match.first
            for match in matches
            if match.cue.construction != "predicate" or here.classes[match.first] in (W.PARTICIPLE, W.GERUND)
        )

    def find(self, match: CueMatch) -> list[Arguments]:
        """The arguments of one cue; two pairs for "not X but Y" and "because X and Y".

        Raises:
            NoArguments: there are no two arguments, or what looks like a cue means something else.
        """
        self._here.holds = frozenset(
            place
            for other in self._matches
            if other is not match and other.cue.construction in ("clause", "phrase", "adverb")
            for place in range(other.first, other.end)
        )
        found = _CONSTRUCTIONS[match.cue.construction](self, match)
        for argument, role in ((found.left, _other(match.cue.right)), (found.right, match.cue.right)):
            if argument.span[0] >= argument.span[1]:
                raise NoArguments(f"no_{role}_argument")
        if not found.left.before:
            self._mains[match.first] = found.left.span
        if match.cue.construction == "predicate" and match.cue.right == "effect":
            self._effects[match.first] = found.right.span
        return [*self._contrasted(found), *self._second_reason(match, found)]

    def _second_reason(self, match: CueMatch, found: Arguments) -> list[Arguments]:
        """Y of "because X and Y", where both are clauses."""
        here, end = self._here, found.right.span[1]
        if match.cue.construction != "clause" or match.cue.right != "cause" or match.cue.relation == "BEFORE":
            return []
        if here.words[end : end + 1] != ["and"] or end + 1 in here.stops or not here.has_verb(*found.right.span):
            return []
        second = here.clause_after(end + 1)
        if not here.has_verb(*second) or found.left.span[0] >= second[0]:
            return []
        return [Arguments(found.left, Argument(second), found.group, found.modality)]

    def _contrasted(self, found: Arguments) -> list[Arguments]:
        """Parts "was not X but Y" into the denied and the asserted pair."""
        here = self._here
        after = found.right if found.right.span[0] >= found.group[1] else found.left
        if after.before:
            return [found]
        start, end = after.span
        rather = next(
            (place for place in range(start + 1, end) if here.words[place : place + 2] == ["rather", "than"]), -1
        )
        if rather > 0:
            spans = (here.trimmed(start, rather), here.trimmed(rather + 2, end))
            if here.words[spans[1][0] : spans[1][0] + 1] == ["by"]:
                spans = (spans[0], (spans[1][0] + 1, spans[1][1]))
            return [
                Arguments(*((found.left, Argument(span)) if after is found.right else (Argument(span), found.right)),
                          found.group, found.modality, denied=place > 0)
                for place, span in enumerate(spans) if span[0] < span[1]
            ]  # fmt: skip
        but = next((place for place in range(start, end) if here.words[place] == "but"), -1)
        if but < 0 or here.words[found.group[1] - 1] not in ("not", "n't"):
            return [found]
        pairs = []
        for span, group in ((here.trimmed(start, but), found.group), (here.trimmed(but + 1, end), (but, but + 1))):
            part = Argument(span)
            left, right = (found.left, part) if after is found.right else (part, found.right)
            if span[0] < span[1]:
                pairs.append(Arguments(left, right, group, found.modality))
        return pairs

    def _outcome(self, span: Span) -> Span:
        """What a clause ends in: Y of "X caused Y", so that ", which led to Z" goes on from Y."""
        inside = [effect for first, effect in sorted(self._effects.items()) if span[0] <= first < span[1]]
        return inside[-1] if inside else span

    # ---------------------------------------------------------------- predicates

    def predicate(self, match: CueMatch) -> Arguments:
        """X caused Y; Y was caused by X; X, which caused Y; a fire caused by X; closed the valve to prevent Y."""
        here = self._here
        self._require_verb(match)
        start = here.verb_group(match.first, factuality_lists().raising)
        # The words that an argument keeps are its own when they name the happening, else the verb stands outside.
        kept = match.first if match.cue.needs_event else match.first + 1
        right = here.complement(match.end)
        if match.cue.needs_verb:
            right = here.clause_after(match.end)
            if not here.has_verb(*right):
                raise NoArguments("other_meaning")
        if (match.cue.keeps == "right" and right[0] < right[1]) or (
            match.end - match.first > 1 and match.cue.keeps == "right"
        ):
            right = kept, max(right[1], match.end)
        self._require_name(here, right)
        if match.cue.needs_event and not here.has_content(match.end, right[1]):
            raise NoArguments("no_effect_argument")
        group = (start, match.end)
        before = here.classes[start - 1] if start else W.PUNCTUATION
        own = here.classes[match.first]
        auxiliary = any(here.is_be(place) for place in range(start, match.first))
        if ((own is W.PARTICIPLE and not auxiliary) or before is W.RELATIVE) and not (
            match.cue.needs_verb or match.cue.keeps
        ):
            right = here.complement(match.end, fronted=True)
        if before is W.TO:
            return self._purpose(match, start, right)
        if before is W.RELATIVE or (before is W.PRONOUN and here.words[start - 1] == "which"):
            return Arguments(self._antecedent(start - 1), Argument(right), group)
        if own is W.GERUND and not auxiliary:
            return self._gerund(start, right, group)
        if start == 0 and own in (W.PARTICIPLE, W.GERUND):
            raise NoArguments(f"no_{_other(match.cue.right)}_argument")
        if own is W.PARTICIPLE and not auxiliary:
            reduced = before is not W.PUNCTUATION
            return Arguments(
                Argument(here.noun_phrase_before(start) if reduced else here.clause_before(start)),
                Argument(right),
                group,
            )
        if before is W.CONJUNCTION:
            return Arguments(Argument(self._shared_subject(match, start)), Argument(right), group)
        left = here.subject(start)
        bare = (
            start < match.first and not here.has_verb(start, match.first) and here.classes[match.first] is W.INFINITIVE
        )
        if bare or (left[0] >= left[1] and before is W.PUNCTUATION):
            left = here.clause_before(start)
        return Arguments(self._pointed(left, start), Argument(right), group)

    def _require_verb(self, match: CueMatch) -> None:
        here, first = self._here, match.first
        own = here.classes[first]
        before = here.classes[first - 1] if first else W.PUNCTUATION
        if own in (W.NOUN, W.ADJECTIVE, W.DETERMINER):
            plural = first > 0 and here.words[first - 1].endswith("s") and own is W.NOUN
            following = here.classes[match.end] if match.end < len(here.classes) else W.PUNCTUATION
            verbal = before in _NOMINAL and following not in (W.PREPOSITION, W.PUNCTUATION, W.AUXILIARY)
            if here.tokens[first].text[:1].isupper() and first > 0:
                raise NoArguments("not_a_verb")
            if not (verbal and (is_third_person(here.words[first]) or plural)):
                raise NoArguments("not_a_verb")
        if own in (W.PARTICIPLE, W.FINITE) and match.cue.right == "effect" and here.words[first] not in BE:
            place = first - 1
            while place >= 0 and here.classes[place] is W.ADVERB:
                place -= 1
            if place >= 0 and here.words[place] in (*BE, "being", "been", "get", "got"):
                raise NoArguments("passive_without_agent")
            if own is W.PARTICIPLE and before not in (W.AUXILIARY, W.ADVERB, W.INFINITIVE):
                raise NoArguments("not_a_verb")

    def _purpose(self, match: CueMatch, start: int, right: Span) -> Arguments:
        here = self._here
        if match.cue.needs_event:
            raise NoArguments("infinitive")
        governor = here.tokens[start - 2] if start >= 2 else None
        if governor is not None and governor.lemma in factuality_lists().infinitive_nouns:
            raise NoArguments("infinitive")
        group = (start - 1, match.end)
        left = self._main_behind(right[1]) if here.opens_clause(start - 1) else here.clause_before(start - 1)
        short = any(word in ("insufficient", "inadequate", "insufficiently") for word in here.words[left[0] : left[1]])
        return Arguments(Argument(left), Argument(right), group, "actual" if short else "planned", denied=short)

    def _gerund(self, start: int, right: Span, group: Span) -> Arguments:
        here = self._here
        before = here.classes[start - 1] if start else W.PUNCTUATION
        if before is W.PREPOSITION:
            if here.words[start - 1] != "without":
                raise NoArguments("gerund_after_preposition")
            return Arguments(Argument(here.clause_before(start - 1)), Argument(right), (start - 1, group[1]))
        if before is W.NOUN:
            return Arguments(Argument(here.noun_phrase_before(start)), Argument(right), group)
        return Arguments(Argument(self._outcome(here.clause_before(start))), Argument(right), group)

    def _antecedent(self, relative: int) -> Argument:
        """What a relative pronoun stands for: the noun phrase before it, or, behind a comma, the clause."""
        here = self._here
        place = relative
        while place > 0 and here.classes[place - 1] is W.PREPOSITION:
            place -= 1
        if place == relative and here.words[relative] == "which" and relative and here.words[relative - 1] == ",":
            clause = here.clause_before(relative - 1)
            if clause[0] < clause[1]:
                return Argument(self._outcome(clause))
        return Argument(here.noun_phrase_before(place))

    def _shared_subject(self, match: CueMatch, start: int) -> Span:
        """The subject that two verbs share: of an earlier cue when that is the first verb, else its whole clause."""
        here = self._here
        clause = here.clause_before(start - 1)
        for other in self._matches:
            if (
                other.cue.construction == "predicate"
                and clause[0] <= other.first < clause[1]
                and other.first < match.first
            ):
                return self._mains.get(other.first, (0, 0))
        verb = next((place for place in range(*clause) if here.classes[place] in (W.FINITE, W.AUXILIARY, W.MODAL)), -1)
        states = verb >= 0 and here.is_be(verb) and W.PARTICIPLE not in here.classes[verb + 1 : verb + 3]
        return here.subject(verb) if states else clause

    def _pointed(self, span: Span, start: int) -> Argument:
        """Resolves a subject that is only a pronoun to the clause before it, in this sentence or the one before."""
        here = self._here
        words = here.words[span[0] : span[1]]
        if not words or any(word not in _PRONOUNS for word in words):
            return Argument(span)
        if words[-1] not in _POINTERS:
            raise NoArguments("pronoun_without_antecedent")
        if span[0] and here.words[span[0] - 1] == "that":
            return self._sentence_before()
        if here.opens_clause(span[0]) and not here.has_verb(0, span[0]):
            return self._sentence_before()
        clause = here.clause_before(span[0])
        if clause[0] >= clause[1]:
            raise NoArguments("pronoun_without_antecedent")
        return Argument(self._outcome(clause))

    def _sentence_before(self) -> Argument:
        previous = self._previous()
        if previous is None:
            raise NoArguments("pronoun_without_antecedent")
        span = previous.main_clause()
        if span[0] >= span[1] or previous.words[-1] == "?":
            raise NoArguments("pronoun_without_antecedent")
        for match in cue_table().find(previous.tokens):
            if (
                match.cue.construction == "predicate"
                and match.cue.right == "effect"
                and span[0] <= match.first < span[1]
            ):
                effect = previous.complement(match.end)
                if previous.has_content(*effect):
                    return Argument(effect, before=True)
        return Argument(span, before=True)

    # ---------------------------------------------------------------- connectives

    def connective(self, match: CueMatch) -> Arguments:
        """Y because X; because X, Y; Y due to X; due to X, Y."""
        here, cue = self._here, match.cue
        group = self._connective_group(match)
        fronted = here.opens_clause(match.first) and cue.keeps != "left"
        shared = self._coordinated(match)
        right = self._behind(match, fronted=fronted and shared is None)
        if right[0] < right[1] and all(word in _PRONOUNS for word in here.words[right[0] : right[1]]):
            return Arguments(Argument(here.clause_before(match.first)), self._pointed(right, match.first), group)
        if shared is not None:
            left = shared
        elif fronted and here.words[match.first] not in (",", ";"):
            left = self._main_behind(right[1])
        elif cue.keeps == "left":
            left = here.clause_before(match.end - 1)
        else:
            left = here.clause_before(match.first)
        if fronted and left[0] >= left[1] and cue.relation == "BEFORE":
            right = here.complement(match.end, fronted=True)
            left = self._main_behind(right[1]) if here.has_content(*right) else left
        return Arguments(Argument(left), Argument(right), group)

    def _behind(self, match: CueMatch, *, fronted: bool) -> Span:
        here, cue = self._here, match.cue
        if cue.construction == "phrase":
            right = here.complement(match.end, fronted=fronted)
        else:
            right = here.clause_after(match.end)
            if not here.has_verb(*right):
                if cue.needs_verb or cue.relation != "BEFORE":
                    raise NoArguments("other_meaning")
                right = here.complement(match.end, fronted=fronted)
        if cue.not_time and right[0] < right[1] and self._is_time(match.end):
            raise NoArguments("other_meaning")
        if right[0] < right[1] and not here.has_content(*right):
            words = here.words[right[0] : right[1]]
            if not all(word in _PRONOUNS for word in words):
                raise NoArguments("time_only")
        return right

    def _is_time(self, place: int) -> bool:
        here = self._here
        return here.classes[place] in (W.NUMBER, W.PREPOSITION, W.ADVERB) if place < len(here.classes) else False

    def _connective_group(self, match: CueMatch) -> Span:
        here, start = self._here, match.first
        while start > 0 and here.classes[start - 1] is W.ADVERB:
            start -= 1
        return start, match.end

    def _coordinated(self, match: CueMatch) -> Span | None:
        """The main clause of "because X and because Y" for the second of the two."""
        here = self._here
        place = match.first - 1
        while place >= 0 and here.classes[place] is W.ADVERB:
            place -= 1
        if place < 1 or here.words[place] not in ("and", "or", "but", "partly"):
            return None
        mains = [
            self._mains[other.first]
            for other in self._matches
            if other.first < match.first
            and other.first in self._mains
            and other.cue.construction == match.cue.construction
            and other.cue.right == match.cue.right
            and not here.has_verb(other.end, other.end)
        ]
        return mains[-1] if mains else None

    def _main_behind(self, end: int) -> Span:
        """The main clause after a fronted clause or phrase that ends about here."""
        here = self._here
        place = end
        while place < len(here.words) and place <= end + 2 and here.words[place] != ",":
            place += 1
        comma = place < len(here.words) and here.words[place] == ","
        span = here.clause_after(place + 1 if comma else end)
        return span if here.has_verb(*span) else (span[0], span[0])

    # ---------------------------------------------------------------- adverbs

    def adverb(self, match: CueMatch) -> Arguments:
        """X. As a result, Y; X and therefore Y; X, thus raising Y; X. Y therefore happened."""
        here = self._here
        right = here.clause_after(match.end)
        group = match.first, match.end
        start = match.first
        while start > 0 and here.classes[start - 1] in (W.CONJUNCTION, W.ADVERB, W.PUNCTUATION):
            start -= 1
        if start == 0:
            if match.cue.construction == "adverb" and match.cue.scope == "inside":
                raise NoArguments("no_cause_argument")
            return Arguments(self._sentence_before(), Argument(self._told(right)), group)
        if start < match.first and not here.has_verb(*right) and here.classes[match.end : match.end + 1] != (W.GERUND,):
            raise NoArguments("no_effect_argument")
        if start < match.first or here.classes[match.end : match.end + 1] == (W.GERUND,):
            left = here.clause_before(start) if start == match.first else self._before_mark(start)
            return Arguments(Argument(left), Argument(right), group)
        own = here.clause_before(match.first)
        verbless = own[0] >= own[1]
        first = here.subject(match.first)[0] if verbless else own[0]
        if not verbless and not here.has_verb(*right) and here.classes[match.first - 1] is not W.AUXILIARY:
            raise NoArguments("no_effect_argument")
        effect = here.trimmed(first, right[1])
        if here.has_verb(0, max(first - 1, 0)) and first > 0 and here.words[first - 1] in (",", ";", "and"):
            return Arguments(Argument(self._before_mark(first)), Argument(self._told(effect)), group)
        return Arguments(self._sentence_before(), Argument(self._told(effect)), group)

    def _before_mark(self, end: int) -> Span:
        """The clause before a semicolon, dash or comma."""
        here = self._here
        while end > 0 and here.classes[end - 1] is W.PUNCTUATION:
            end -= 1
        return here.clause_before(end)

    def _told(self, span: Span) -> Span:
        if not self._here.has_content(*span):
            return span[0], span[0]
        return span

    # ---------------------------------------------------------------- nouns and participles

    def noun(self, match: CueMatch) -> Arguments:
        """The cause of Y was X; X was the cause of Y; X was identified as the cause of Y."""
        here = self._here
        right = here.complement(match.end, fronted=True)
        if right[0] >= right[1]:
            right = here.clause_after(match.end)
        self._require_name(here, right)
        start = match.first
        while start > 0 and (
            here.classes[start - 1] in (W.DETERMINER, W.ADJECTIVE, W.ADVERB, W.NUMBER)
            or here.words[start - 1]
            in ("root", "of", "main", "contributing", "proximate", "causal", "underlying", "single")
        ):
            start -= 1
        if start > 0 and here.is_be(start - 1):
            group = (here.verb_group(start - 1, factuality_lists().raising), match.end)
            return Arguments(self._pointed(here.subject(group[0]), group[0]), Argument(right), group)
        if start > 1 and here.words[start - 1] == "as":
            return self._named(match, start, right)
        copula = right[1]
        while (
            copula < len(here.words) and copula <= right[1] + 2 and here.classes[copula] not in (W.AUXILIARY, W.MODAL)
        ):
            copula += 1
        return self._across_copula(match, copula, right)

    def _across_copula(self, match: CueMatch, copula: int, right: Span) -> Arguments:
        here = self._here
        end = copula
        while end < len(here.words) and here.classes[end] in (W.AUXILIARY, W.MODAL, W.ADVERB, W.INFINITIVE):
            end += 1
        if end == copula or not any(here.is_be(place) for place in range(copula, end)):
            raise NoArguments("no_copula")
        if (
            end < len(here.words)
            and here.classes[end] in (W.PARTICIPLE, W.FINITE)
            and here.words[end + 1 : end + 3]
            in (
                ["to", "be"],
                ["to", "have"],
            )
        ):
            end += 4 if here.words[end + 2] == "have" else 3
        elif end < len(here.words) and (here.words[end] in _UNKNOWN or here.words[end - 1] in _UNKNOWN):
            raise NoArguments("unknown_cause")
        if here.words[end : end + 1] == ["because"]:
            end += 1
        left = here.clause_after(end) if here.words[end : end + 1] == ["that"] else here.complement(end)
        self._require_name(here, left)
        return Arguments(Argument(left), Argument(right), (copula, end))

    def _named(self, match: CueMatch, start: int, right: Span) -> Arguments:
        here = self._here
        verb = start - 2
        while verb >= 0 and here.classes[verb] not in (W.FINITE, W.PARTICIPLE, W.INFINITIVE, W.GERUND):
            verb -= 1
        if verb < 0:
            raise NoArguments("no_copula")
        if here.words[verb + 1] == "out":
            if verb + 2 < start - 1:
                return Arguments(Argument(here.trimmed(verb + 2, start - 1)), Argument(right), (verb, match.end))
            start = verb + 2
        if verb == start - 2:
            group = here.verb_group(verb, frozenset()), match.end
            return Arguments(self._pointed(here.subject(group[0]), group[0]), Argument(right), group)
        return Arguments(Argument(here.trimmed(verb + 1, start - 1)), Argument(right), (verb, match.end))

    def participle(self, match: CueMatch) -> Arguments:
        """X, killing Y: the participle is the effect."""
        here = self._here
        right = here.complement(match.end)
        self._require_name(here, right)
        return Arguments(
            Argument(here.clause_before(match.first)), Argument((match.end - 1, right[1])), (match.first, match.end)
        )

    def _require_name(self, here: Clauses, span: Span) -> None:
        words = here.words[span[0] : span[1]]
        if words and all(word in _PRONOUNS for word in words):
            raise NoArguments("pronoun_without_antecedent")


_CONSTRUCTIONS: Final[dict[str, Callable[[ArgumentFinder, CueMatch], Arguments]]] = {
    "predicate": ArgumentFinder.predicate,
    "clause": ArgumentFinder.connective,
    "phrase": ArgumentFinder.connective,
    "adverb": ArgumentFinder.adverb,
    "noun": ArgumentFinder.noun,
    "participle": ArgumentFinder.participle,
}


def _other(role: str) -> str:
    return "effect" if role == "cause" else "cause"
