"""Statements that the learned heads find in a sentence, with what other heads make of how they are told.

Those say which relation it is, where words apart from its arguments carry it: a verb that prevents may itself be the
effect ("reduced deaths"). They say how real it is said to be, and with the rules which of its arguments is denied.
Whether the statement itself is denied or hearsay the rules say: of both the labelled sets know too little.

The heads were taught by a corpus in which a purpose is a cause: "they dug (effect) to find water (cause)". Here digging
comes first and finding is planned, as the cue table has it; so a purpose is turned round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from extraction.antecedents import NoArguments
from extraction.statements import Located, Statement, StatementMaker
from language.clause_words import Span
from language.clauses import Clauses
from language.cues import CueMatch
from language.factuality import Factuality, of_claim, of_clause, weaker
from language.word_classes import WordClass

if TYPE_CHECKING:
    from models.factuality_heads import Telling
    from models.relation_heads import Floats, Relation, RelationReading, Words

EXTRACTOR: Final = "heads-1"
UNSIGNALLED: Final = "(none)"
"""The cue of a relation that no word signals."""
_CARRIERS: Final = frozenset({WordClass.AUXILIARY, WordClass.MODAL, WordClass.ADVERB})
"""Words right before a signal that say how real the relation is: "may not have *caused*"."""
_RELATIONS: Final = ("CAUSES", "ENABLES", "PREVENTS")
"""Whether there is a relation at all the relation heads know better than those that tell of it."""
_PURPOSE: Final = "to"
"""The signal of a purpose that is no cue; of all others the cue table says whether they are one."""


class Tellings(Protocol):
    """What says how a relation is told: `models.factuality_heads.FactualityHeads`."""

    fingerprint: str

    denial_floor: float

    def tell(self, early: Floats, cause: Words, effect: Words, signal: Words | None) -> Telling: ...

    def denial(self, early: Floats, happening: Words) -> float: ...


def learned_statements(
    reading: RelationReading | None,
    maker: StatementMaker,
    here: Clauses,
    place: int,
    cues: Sequence[CueMatch],
    tellings: Tellings | None,
) -> Iterator[Statement]:
    """The statements of one sentence, likeliest first, however unlikely.

    Args:
        reading: What the heads read in the sentence.
        maker: Makes the statements; it knows the times of the sentence already.
        here: The sentence.
        place: Its place in the document.
        cues: What the cue table finds in it: a cue that signals the relation says which one it is.
        tellings: Say so of a relation that no cue signals, and how real each one is; without them the rules do.
    """
    for relation in reading.relations if reading else ():
        telling, denies = None, None
        if tellings is not None and reading is not None and reading.early is not None:
            telling = tellings.tell(reading.early, relation.cause, relation.effect, relation.signal)
            denies = partial(_denies, tellings, reading.early)
        try:
            yield _statement(maker, here, place, relation, cues, telling, denies)
        except NoArguments:
            continue


def _statement(
    maker: StatementMaker,
    here: Clauses,
    place: int,
    relation: Relation,
    cues: Sequence[CueMatch],
    telling: Telling | None,
    denies: Callable[[int], bool] | None,
) -> Statement:
    cause, effect = (trimmed(here, span[0], span[1] + 1) for span in (relation.cause, relation.effect))
    if _overlap(cause, effect):
        raise NoArguments("arguments_overlap")
    signal = (relation.signal[0], relation.signal[1] + 1) if relation.signal else None
    cue = next((one for one in cues if signal and one.first < signal[1] and signal[0] < one.end), None)
    text = " ".join(here.words[slice(*signal)]) if signal else UNSIGNALLED
    told = told_of(here, cause, effect, signal)
    by_itself = cue.cue.modality if cue is not None else "planned" if text == _PURPOSE else "actual"
    denied = "negated" in (told.polarity, cue.cue.polarity if cue is not None else "")
    modality = _likeliest(telling.modalities) if telling is not None else told.modality
    # What somebody wants who has done something is planned, what he did is not: "they marched, demanding better pay".
    wanted = telling is not None and modality == "planned" != by_itself
    intended = wanted and of_clause(here, effect).modality == "actual"
    told = Factuality("negated" if denied else "affirmed", weaker(modality, by_itself), told.trust)
    if by_itself == "planned":
        cause, effect = effect, cause
    kind = "CAUSES"
    if cue is not None and cue.cue.relation in _RELATIONS:
        kind = cue.cue.relation
    elif telling is not None and _carried(here, cause, effect, signal):
        kind = _likeliest(telling.relations, *_RELATIONS)
    return maker.make(
        kind,
        Located(cause, here, place),
        Located(effect, here, place),
        told,
        cue=cue.text if cue else text,
        confidence=relation.probability * told.trust,
        extractor=EXTRACTOR,
        denies=denies,
        intended=intended,
    )


def _carried(here: Clauses, cause: Span, effect: Span, signal: Span | None) -> bool:
    """Whether words apart from both arguments can say which relation it is."""
    if signal is not None:
        return not any(_overlap(signal, span) for span in (cause, effect))
    return here.has_content(*_between(cause, effect))


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _denies(tellings: Tellings, early: Floats, word: int) -> bool:
    """Whether the sentence denies what a word names."""
    return word < len(early) and tellings.denial(early, (word, word)) >= tellings.denial_floor


def _likeliest(shares: Mapping[str, float], *names: str) -> str:
    """The likeliest one of all, or of those that are named."""
    return max(names or shares, key=shares.__getitem__)


def trimmed(here: Clauses, start: int, end: int) -> Span:
    """An argument between two tokens without the words of form at its ends.

    Raises:
        NoArguments: nothing is left that tells of a happening, or text was skipped inside.
    """
    span = here.trimmed(start, end)
    if span[0] >= span[1] or not here.has_content(*span):
        raise NoArguments("no_content")
    if here.skips_text(*span):
        raise NoArguments("layout")
    return span


def told_of(here: Clauses, cause: Span, effect: Span, signal: Span | None) -> Factuality:
    """What the words that carry the relation say of it, and for what is only told of, the clause of its effect."""
    group = signal or _between(cause, effect)
    return _told_by(here, cause, effect, group, frozenset(here.words[slice(*group)]))


def told_between(here: Clauses, cause: Span, effect: Span, own: frozenset[str]) -> Factuality:
    """As `told_of` by all words between the arguments: each doubt counts but `own`, the words of a cue."""
    return _told_by(here, cause, effect, _between(cause, effect), own)


def _between(cause: Span, effect: Span) -> Span:
    return min(cause[1], effect[1]), max(cause[0], effect[0])


def _told_by(here: Clauses, cause: Span, effect: Span, group: Span, own: frozenset[str]) -> Factuality:
    """What words say of the relation that they carry, `own` of them for themselves."""
    first = group[0]
    while first > 0 and here.classes[first - 1] in _CARRIERS:
        first -= 1
    told = of_claim(here, (first, max(group)), min(cause[0], effect[0]), own, subject=False)
    return Factuality(told.polarity, weaker(told.modality, of_clause(here, effect).modality), told.trust)
