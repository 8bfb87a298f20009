"""Whether a sentence asserts a relation or denies it, and whether as a fact, a guess, a plan or a supposition.

The words are data (`factuality.toml`). Negation inside an argument ("the alarm did not sound") belongs to the
mention of that argument (`of_clause`) and never to the claim (`of_claim`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from language.clause_words import Span
from language.clauses import Clauses
from language.denied_twice import denied_twice
from language.framing import Frame, frame_of
from language.irrealis import is_less_than, is_near, is_one_of, is_only_nearly
from language.labels import gives_cause, leaves_cause_open
from language.sole_causes import is_not_alone, is_not_only
from language.word_classes import WordClass

_RANK: Final = {"actual": 0, "possible": 1, "planned": 2, "hypothetical": 3}
_NEAR: Final = 7
"""Most tokens between a governing phrase and the first argument it governs."""
_NOUN_PHRASE: Final = 4
"""Words within which the noun of a noun phrase stands."""
_DISMISSED: Final = 8
"""Tokens before and behind a word of dismissal within which a claim stands that it dismisses."""
_HEARSAY: Final = 0.85
"""Factor on the confidence of what a person is only reported to have said."""
_CONDITIONS: Final = frozenset({"if", "unless"})
_INVERTED: Final = frozenset({"had", "should", "were"})
_BEFORE_VERB: Final = frozenset({WordClass.AUXILIARY, WordClass.MODAL, WordClass.ADVERB})
_WITHIN: Final = frozenset({WordClass.SUBORDINATOR, WordClass.RELATIVE})
_SUBJECT_FIRST: Final = ((WordClass.DETERMINER,), (WordClass.PRONOUN,), (WordClass.NOUN,))


@dataclass(frozen=True, slots=True)
class Factuality:
    """How a statement is made.

    Attributes:
        polarity: `affirmed` or `negated`.
        modality: `actual`, `possible`, `planned` or `hypothetical`.
        trust: Factor on the confidence, 0 to 1: below 1 for hearsay.
    """

    polarity: str
    modality: str
    trust: float = 1.0


Phrase = tuple[frozenset[str], ...]


class _Lists:
    """The word lists of the table, ready to match."""

    def __init__(self) -> None:
        table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
        self.raising: frozenset[str] = frozenset(table["raising"])
        self.infinitive_nouns: frozenset[str] = frozenset(table["infinitive_nouns"])
        self.negators: frozenset[str] = frozenset(word for word in table["negators"] if " " not in word)
        self.negative_governors: frozenset[str] = frozenset(table["negative_governors"])
        self.excesses: frozenset[str] = frozenset(table["excesses"])
        self.denials: frozenset[str] = frozenset(table["denials"])
        self.dismissals: frozenset[str] = frozenset(table["dismissals"])
        self.proof = re.compile(table["proof"])
        self.showing: frozenset[str] = frozenset(table["showing"])
        self.wrongly: frozenset[str] = frozenset(table["wrongly"])
        self.imputing: frozenset[str] = frozenset(table["imputing"])
        self.at_first: tuple[list[str], ...] = tuple(phrase.split() for phrase in table["at_first"])
        self.claims: frozenset[str] = frozenset(table["claims"])
        self.hearsay: frozenset[str] = frozenset(table["hearsay"])
        self.chances: frozenset[str] = frozenset(table["chances"])
        self.harms: frozenset[str] = frozenset(table["harms"])
        self.officials: frozenset[str] = frozenset(table["officials"]["nouns"])
        self.modality: dict[str, str] = {
            word: modality
            for modality in _RANK
            if modality in table["modality"]
            for word in table["modality"][modality]
        }
        self.governors: tuple[tuple[str, Phrase], ...] = tuple(
            (kind, tuple(frozenset(element.split("|")) for element in phrase.split()))
            for kind, phrases in table["governors"].items()
            for phrase in phrases
        )
        self.governor_words: frozenset[str] = frozenset(
            word for _, phrase in self.governors for word in phrase[0] if word != "_"
        )


@cache
def factuality_lists() -> _Lists:
    """The packaged word lists."""
    return _Lists()


def weaker(one: str, other: str) -> str:
    """The less real of two modalities."""
    return one if _RANK[one] >= _RANK[other] else other


def of_claim(
    clauses: Clauses,
    group: Span,
    left: int,
    own: frozenset[str] = frozenset(),
    *,
    subject: bool = True,
    frame: Frame | None = None,
) -> Factuality:
    """Polarity and modality of a claim.

    Args:
        clauses: The sentence.
        group: The words that carry the relation, with their auxiliaries and adverbs.
        left: First token of the first argument; what governs the claim stands before it.
        own: Words that belong to the cue itself ("made possible by") and hedge nothing.
        subject: Whether the first argument is the subject of the cue, so that "no fault" before it denies the claim;
            a clause that a cue only joins to another denies nothing but itself.
        frame: What the sentence makes of the statement, where it is known already.
    """
    return next(of_claims(clauses, group, (left,), own, subject=subject, frame=frame))


def of_claims(
    clauses: Clauses,
    group: Span,
    starts: Iterable[int],
    own: frozenset[str] = frozenset(),
    *,
    subject: bool = True,
    frame: Frame | None = None,
) -> Iterator[Factuality]:
    """What `of_claim` says for each place where the first argument may start; what they share is read once."""
    negated, modality = _within(clauses, group, own)
    doubled = denied_twice(clauses, group[0])
    if doubled is not None:
        told = Factuality("negated" if negated else "affirmed", weaker(modality, doubled))
        yield from (told for _ in starts)
        return
    if clauses.words[group[0] - 1 : group[0] + 1] == ["not", "to"]:
        negated = not negated
    frame = frame or frame_of(clauses, group[0])
    modality = weaker(modality, frame.modality)
    if (
        _is_open_label(clauses)
        or is_one_of(clauses, group)
        or is_less_than(clauses, group)
        or _held_at_first(clauses, group)
    ):
        modality = weaker(modality, "possible")
    if _conditional(clauses, group[0]):
        modality = weaker(modality, "hypothetical")
    trust = _HEARSAY if _reported_behind(clauses, group[1], factuality_lists()) else 1.0
    own_words = Factuality("negated" if negated else "affirmed", modality, trust)
    for left in starts:
        governed = _governed(clauses, min(left, group[0]), own_words, frame)
        denied = subject and _denies_subject(clauses, left)
        yield replace(governed, polarity="negated") if denied else governed


def _governed(clauses: Clauses, left: int, told: Factuality, frame: Frame) -> Factuality:
    """What is left of a statement under the phrases before its first argument, and under its frame."""
    # What the whole sentence says of it counts for more than the words before it: "the rumour that ... is untrue".
    settled = frame.upheld or (frame.denied and frame.modality == "actual")
    negated, modality, trust = told.polarity == "negated", told.modality, told.trust
    for kind in _governing(clauses, left):
        if kind in ("negated", "unproven"):
            negated = negated or not frame.upheld
            modality = weaker(modality, "actual" if kind == "negated" else "possible")
        elif kind == "possible" and settled:
            continue
        elif kind == "reported":
            trust = _HEARSAY
        else:
            modality = weaker(modality, kind)
    negated = negated or frame.denied
    return Factuality("negated" if negated else "affirmed", weaker(modality, _opening(clauses, left)), trust)


def _denies_subject(clauses: Clauses, left: int) -> bool:
    """Whether the first argument is denied: "*no fault* caused it", "nor was there *any wind* that caused it"."""
    word = clauses.words[left : left + 1]
    return word in (["no"], ["neither"], ["nothing"], ["none"]) or (word == ["any"] and _denied_before(clauses, left))


def _is_open_label(clauses: Clauses) -> bool:
    """Whether a label of a cause leaves it open, before or behind its colon: "*Probable* cause: a worn cable"."""
    text = clauses.sentence.text
    told = map(factuality_lists().modality.get, clauses.words)
    return gives_cause(text) and ("possible" in told or leaves_cause_open(text))


def lacks_proof(clauses: Clauses) -> bool:
    """Whether a sentence that denies something denies only that it is shown: "there was no evidence of arson"."""
    return factuality_lists().proof.search(" ".join(clauses.words)) is not None


def _denied_before(clauses: Clauses, left: int) -> bool:
    """Whether the clause denies what "any" opens: "nor was there *any wind* that caused it"."""
    opened = left
    while opened > 0 and not clauses.is_hard(opened - 1) and clauses.words[opened - 1] != ",":
        opened -= 1
    return not factuality_lists().negators.isdisjoint(clauses.words[opened:left])


def of_clause(clauses: Clauses, span: Span) -> Factuality:
    """Polarity and modality of the happening that a clause tells, from the group of its first finite verb."""
    start, end = span
    verb = _main_verb(clauses, span)
    if verb < 0:
        return Factuality("negated" if _denied_phrase(clauses, span) else "affirmed", "actual")
    last = verb
    while last + 1 < end and clauses.classes[last] is not WordClass.FINITE and clauses.classes[last + 1] in _GROUP:
        last += 1
    if last + 1 < end and clauses.tokens[last].lemma in factuality_lists().negative_governors:
        last += 1
    first = verb
    while first > start and _is_loose(clauses, first - 1):
        first -= 1
    negated, modality = _within(clauses, (first, last + 1))
    negated = negated is not is_near(clauses, verb)
    modality = weaker(modality, _opening(clauses, start))
    subject = clauses.words[start:verb]
    if subject and subject[0] in ("no", "neither", "nor", "nothing", "none", "nobody"):
        negated = not negated
    following = clauses.words[last + 1] if last + 1 < end else ""
    if following in ("no", "nothing", "neither") and not negated:
        negated = True
    return Factuality("negated" if negated else "affirmed", modality)


def no_harm(clauses: Clauses, span: Span) -> bool:
    """Whether a clause only says that no harm came about: "there was no damage" as a result of the fire denies that."""
    start, end = span
    if clauses.words[start] == "there":
        start = next((place for place in range(start + 1, end) if clauses.classes[place] not in _GROUP), end)
    if clauses.words[start : start + 1] != ["no"]:
        return False
    noun = next((place for place in range(start, end) if clauses.classes[place] is WordClass.NOUN), end)
    return noun < end and clauses.tokens[noun].lemma in factuality_lists().harms


def there_is_none(clauses: Clauses, span: Span, cue: int) -> bool:
    """Whether what would act is denied: "there was no *defence*" to prevent it, "no faults or *defects*" that did it.

    The absence itself acts behind a comma or "and": "there was no fuel, which stopped the engine".

    Args:
        clauses: The sentence.
        span: What would act.
        cue: First token of what it would do.
    """
    if clauses.words[span[1] : cue][:1] not in (["to"], ["that"]) and clauses.words[cue : cue + 1] != ["to"]:
        return False
    start, end = span
    opened = clauses.words[start:end][:4]
    if opened[:1] == ["there"]:
        return "no" in opened and "," not in clauses.words[start:end]
    while start > 0 and clauses.classes[start - 1] in _NOMINAL:
        start -= 1
    return "no" in clauses.words[start : span[0]]


def tells_chance(clauses: Clauses, span: Span) -> bool:
    """Whether a happening is told as a chance: "the *likelihood* of a fire"."""
    chances = factuality_lists().chances
    return any(
        clauses.tokens[place].lemma in chances and clauses.words[place + 1 : place + 2] in (["of"], ["that"])
        for place in range(span[0], min(span[0] + _NOUN_PHRASE, span[1]))
    )


def of_noun(clauses: Clauses, before: Span) -> str:
    """Modality that the words before a noun give it: a *potential* cause, the *suspected* reason."""
    return _within(clauses, before)[1]


def _opening(clauses: Clauses, start: int) -> str:
    """Modality that adverbs give the clause that they open, whose first other word is at or behind `start`."""
    first = last = start
    while first > 0 and _is_loose(clauses, first - 1):
        first -= 1
    while last < len(clauses.words) and _is_loose(clauses, last):
        last += 1
    opens = first == 0 or clauses.is_hard(first - 1) or clauses.classes[first - 1] in _BEFORE_CLAUSE
    return _within(clauses, (first, last))[1] if opens else "actual"


def _is_loose(clauses: Clauses, place: int) -> bool:
    return clauses.classes[place] is WordClass.ADVERB or clauses.words[place] == ","


def _main_verb(clauses: Clauses, span: Span) -> int:
    """The first finite verb outside a relative clause of the subject; the first of all where there is no other."""
    verbs = [place for place in range(*span) if clauses.classes[place] in _FINITE]
    place = span[0] + 1
    while place < span[1]:
        if clauses.classes[place] is WordClass.RELATIVE and clauses.words[place - 1] == ",":
            close = next((at for at in range(place, span[1]) if clauses.words[at] == ","), span[1])
            verbs = [verb for verb in verbs if not place < verb < close] or verbs
            place = close
        place += 1
    if verbs and WordClass.RELATIVE in clauses.classes[span[0] + 1 : verbs[0]]:
        return _behind_relative(clauses, verbs)
    return verbs[0] if verbs else -1


def _behind_relative(clauses: Clauses, verbs: Sequence[int]) -> int:
    """The verb behind the relative clause of a subject: "doses that had been filled early *were* unaffected"."""
    classes = clauses.classes
    groups = [verbs[0]]
    for last, verb in pairwise(verbs):
        between = range(last + 1, verb)
        if any(clauses.is_hard(at) or classes[at] is WordClass.CONJUNCTION for at in between):
            break
        if classes[last] is WordClass.FINITE or any(classes[at] not in _BEFORE_VERB for at in between):
            groups.append(verb)
    place = 1
    # A clause within the relative one has a verb of its own: "doses filled that day *before the hall was closed*".
    while place + 1 < len(groups) and not _WITHIN.isdisjoint(classes[groups[place - 1] : groups[place]]):
        place += 1
    return groups[place] if place < len(groups) else groups[0]


_NOMINAL: Final = frozenset(
    {WordClass.NOUN, WordClass.ADJECTIVE, WordClass.DETERMINER, WordClass.CONJUNCTION, WordClass.PARTICIPLE}
)
_CLAUSE_GOES_ON: Final = frozenset(
    {
        WordClass.FINITE,
        WordClass.INFINITIVE,
        WordClass.PARTICIPLE,
        WordClass.GERUND,
        WordClass.SUBORDINATOR,
        WordClass.RELATIVE,
    }
)
"""What parts a verb from an adverb that belongs to another one."""
_BEFORE_CLAUSE: Final = frozenset({WordClass.CONJUNCTION, WordClass.SUBORDINATOR, WordClass.RELATIVE})
_FINITE: Final = frozenset({WordClass.FINITE, WordClass.AUXILIARY, WordClass.MODAL})
_GROUP: Final = frozenset(
    {
        WordClass.AUXILIARY,
        WordClass.ADVERB,
        WordClass.MODAL,
        WordClass.PARTICIPLE,
        WordClass.INFINITIVE,
        WordClass.FINITE,
    }
)


def _denied_phrase(clauses: Clauses, span: Span) -> bool:
    words = clauses.words[span[0] : span[1]]
    return bool(words) and words[0] in ("no", "not", "never")


def _within(clauses: Clauses, group: Span, own: frozenset[str] = frozenset()) -> tuple[bool, str]:
    """Negation and modality told by the words of a verb group or right before a connective."""
    lists = factuality_lists()
    words = clauses.words[group[0] : group[1]]
    negated, modality = False, "actual"
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else ""
        lemma = clauses.tokens[group[0] + place].lemma
        denies = word in lists.negators and not is_not_only(clauses, group[0] + place)
        if denies and is_not_alone(clauses, group[0] + place):
            denies, modality = False, weaker(modality, "possible")
        if (
            denies
            or (word in lists.denials and word not in own)
            or (word in lists.dismissals and word not in own and _dismisses(clauses, group[0] + place))
            or (word in lists.wrongly and _imputes(clauses, (group[0] + place + 1, group[1])))
            or (following in ("to", "have") and (lemma in lists.negative_governors))
            or (word in lists.excesses and words[place + 2 : place + 3] == ["to"])
            or is_only_nearly(clauses, group[0] + place)
        ):
            negated = not negated
        told = lists.modality.get(word)
        if (
            told is not None
            and word not in own
            and not (word in ("could", "can", "ca") and following in ("not", "n't"))
        ):
            modality = weaker(modality, told)
        if word in lists.hearsay and following == "to":
            modality = weaker(modality, "possible")
        if negated and following == "to" and lemma in lists.showing:
            modality = weaker(modality, "possible")
    return negated, modality


def _imputes(clauses: Clauses, behind: Span) -> bool:
    return any(token.lemma in factuality_lists().imputing for token in clauses.tokens[slice(*behind)])


def _held_at_first(clauses: Clauses, group: Span) -> bool:
    """Whether somebody held it only to begin with: "was *initially* blamed on", "*at first*, it was attributed to"."""
    lists = factuality_lists()
    verb = next((at for at in range(*group) if clauses.tokens[at].lemma in lists.imputing), -1)
    start = verb
    while start > 0 and not clauses.is_hard(start - 1):
        start -= 1
    for at in range(start, verb):
        for phrase in lists.at_first:
            end = at + len(phrase)
            if clauses.words[at:end] == phrase and _CLAUSE_GOES_ON.isdisjoint(clauses.classes[end:verb]):
                return True
    return False


def _dismisses(clauses: Clauses, place: int) -> bool:
    """Whether what is dismissed is a claim, a cause or a that-clause: "the theory was *dismissed*"."""
    words, classes, claims = clauses.words, clauses.classes, factuality_lists().claims
    if words[place + 1 : place + 2] == ["that"]:
        return True
    for at in range(place - 1, max(place - _DISMISSED, 0) - 1, -1):
        if clauses.is_hard(at):
            break
        # "the author of the report was dismissed" dismisses no report.
        if clauses.tokens[at].lemma in claims and WordClass.PREPOSITION not in classes[max(at - 2, 0) : at]:
            return True
    for at in range(place + 1, min(place + _DISMISSED, len(words))):
        joins = classes[at] in {WordClass.PREPOSITION, WordClass.SUBORDINATOR} and words[at] not in ("as", "of")
        if clauses.is_hard(at) or joins:
            break
        if clauses.tokens[at].lemma in claims:
            return True
    return False


def _governing(clauses: Clauses, left: int) -> list[str]:
    """What the phrases before the claim say of it, nearest first; hearsay from an official body is none."""
    lists = factuality_lists()
    words = clauses.words
    first = max(left - _NEAR - 4, 0)
    for place in range(left - 1, first - 1, -1):
        if clauses.is_hard(place) and words[place] not in ('"', "“", ":"):
            first = place + 1
            break
    kinds: list[str] = []
    for place in range(left - 1, first - 1, -1):
        if words[place] not in lists.governor_words:
            continue
        for kind, phrase in lists.governors:
            end = place + len(phrase)
            if end <= left <= end + _NEAR and _matches(words, place, phrase):
                if kind == "reported" and _official(clauses, place):
                    continue
                if WordClass.CONJUNCTION in clauses.classes[end:left] and clauses.has_verb(end, left):
                    continue
                kinds.append(kind)
    return kinds


def _matches(words: Sequence[str], place: int, phrase: Phrase) -> bool:
    return all(words[place + step] in choices or "_" in choices for step, choices in enumerate(phrase))


def _official(clauses: Clauses, place: int) -> bool:
    lists = factuality_lists()
    return any(
        token.lemma in lists.officials or token.lower in lists.officials
        for token in clauses.tokens[max(place - 6, 0) : place]
    )


def _inverts(clauses: Clauses, place: int) -> bool:
    """Whether a condition opens without "if": "*had* the pilot known of it"."""
    opens = place == 0 or clauses.is_hard(place - 1)
    return opens and clauses.words[place] in _INVERTED and clauses.classes[place + 1 : place + 2] in _SUBJECT_FIRST


def _conditional(clauses: Clauses, place: int) -> bool:
    """Whether a condition stands in the clause or before the comma that ends it."""
    words = clauses.words
    for at, word in enumerate(words):
        if (word not in _CONDITIONS and not _inverts(clauses, at)) or (
            at and words[at - 1] in ("as", "even", "determine", "see", "asked", "know")
        ):
            continue
        between = range(min(at, place), max(at, place))
        if not any(clauses.is_hard(step) for step in between):
            return True
    return False


def _reported_behind(clauses: Clauses, end: int, lists: _Lists) -> bool:
    """Whether the sentence ends in ", police said" or "according to X", told by no official body."""
    words = clauses.words
    for place in range(end, len(words) - 1):
        if words[place : place + 2] == ["according", "to"]:
            return not any(token.lemma in lists.officials for token in clauses.tokens[place : place + 6])
        if words[place] in ("said", "says") and "," in words[max(place - 6, end) : place]:
            return not _official(clauses, place)
    return False
