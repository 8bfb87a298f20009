"""Statements that the learned heads find in a sentence; what a statement says of its own reality the rules tell.

The heads were taught by a corpus in which a purpose is a cause: "they dug (effect) to find water (cause)". Here digging
comes first and finding is planned, as the cue table has it; so a purpose is turned round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from extraction.antecedents import NoArguments
from extraction.statements import Located, Statement, StatementMaker
from language.clause_words import Span
from language.clauses import Clauses
from language.cues import CueMatch
from language.factuality import Factuality, of_claim, of_clause, weaker
from language.word_classes import WordClass

if TYPE_CHECKING:
    from models.relation_heads import Relation, RelationReading

EXTRACTOR: Final = "heads-1"
UNSIGNALLED: Final = "(none)"
"""The cue of a relation that no word signals."""
_CARRIERS: Final = frozenset({WordClass.AUXILIARY, WordClass.MODAL, WordClass.ADVERB})
"""Words right before a signal that say how real the relation is: "may not have *caused*"."""
_PURPOSE: Final = "to"
"""The signal of a purpose that is no cue; of all others the cue table says whether they are one."""


class Heads(Protocol):
    """What reads a sentence: `models.relation_heads.RelationHeads`."""

    fingerprint: str

    def read(self, text: str, words: Sequence[tuple[int, int]]) -> RelationReading | None: ...


def read_by(heads: Heads, here: Clauses, text: str) -> RelationReading | None:
    """What the heads read in a sentence; `text` holds its characters."""
    first = here.tokens[0].start
    return heads.read(text, [(token.start - first, token.end - first) for token in here.tokens])


def learned_statements(
    reading: RelationReading | None, maker: StatementMaker, here: Clauses, place: int, cues: Sequence[CueMatch]
) -> Iterator[Statement]:
    """The statements of one sentence, likeliest first, however unlikely.

    Args:
        reading: What the heads read in the sentence.
        maker: Makes the statements; it knows the times of the sentence already.
        here: The sentence.
        place: Its place in the document.
        cues: What the cue table finds in it: a cue that signals the relation says which one it is.
    """
    for relation in reading.relations if reading else ():
        try:
            yield _statement(maker, here, place, relation, cues)
        except NoArguments:
            continue


def _statement(
    maker: StatementMaker, here: Clauses, place: int, relation: Relation, cues: Sequence[CueMatch]
) -> Statement:
    cause, effect = (_argument(here, span) for span in (relation.cause, relation.effect))
    if cause[0] < effect[1] and effect[0] < cause[1]:
        raise NoArguments("arguments_overlap")
    signal = (relation.signal[0], relation.signal[1] + 1) if relation.signal else None
    cue = next((one for one in cues if signal and one.first < signal[1] and signal[0] < one.end), None)
    text = " ".join(here.words[slice(*signal)]) if signal else UNSIGNALLED
    told = told_of(here, cause, effect, signal)
    by_itself = cue.cue.modality if cue is not None else "planned" if text == _PURPOSE else "actual"
    denied = "negated" in (told.polarity, cue.cue.polarity if cue is not None else "")
    told = Factuality("negated" if denied else "affirmed", weaker(told.modality, by_itself), told.trust)
    if by_itself == "planned":
        cause, effect = effect, cause
    kind = cue.cue.relation if cue is not None and cue.cue.relation in ("ENABLES", "PREVENTS") else "CAUSES"
    return maker.make(
        kind,
        Located(cause, here, place),
        Located(effect, here, place),
        told,
        cue=cue.text if cue else text,
        confidence=relation.probability * told.trust,
        extractor=EXTRACTOR,
    )


def _argument(here: Clauses, words: tuple[int, int]) -> Span:
    span = here.trimmed(words[0], words[1] + 1)
    if span[0] >= span[1] or not here.has_content(*span):
        raise NoArguments("no_content")
    if here.skips_text(*span):
        raise NoArguments("layout")
    return span


def told_of(here: Clauses, cause: Span, effect: Span, signal: Span | None) -> Factuality:
    """What the words that carry the relation say of it, and for what is only told of, the clause of its effect."""
    group = signal or (min(cause[1], effect[1]), max(cause[0], effect[0]))
    first = group[0]
    while first > 0 and here.classes[first - 1] in _CARRIERS:
        first -= 1
    own = frozenset(here.words[slice(*group)])
    told = of_claim(here, (first, max(group)), min(cause[0], effect[0]), own, subject=False)
    return Factuality(told.polarity, weaker(told.modality, of_clause(here, effect).modality), told.trust)
