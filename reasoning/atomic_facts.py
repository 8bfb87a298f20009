"""Short standalone facts that the evidence gives for a question: D(q, C) of PAVE.

The main statement of a sentence stands apart from its condition and its exception, so that an answer can keep them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.records import Evidence, Stance
from language.conditions import conditions
from language.questions import Question
from language.quick_sentences import quick_sentences
from reasoning.evidence import Quoter
from reasoning.passages import ChosenPassages
from reasoning.quotable import overlaps, rejected_claims, tells, word_cover
from reasoning.room import Room


@dataclass(frozen=True, slots=True)
class AtomicFact:
    """One fact.

    Attributes:
        evidence: The words it is made of.
        claim: The main statement.
        condition: When it holds, word for word; empty where nothing is said.
        exception: When it does not, likewise.
        drafted: Whether the draft rests on it.
    """

    evidence: Evidence
    claim: str
    condition: str
    exception: str
    drafted: bool

    def told(self) -> dict[str, object]:
        """The fact as plain JSON values."""
        place = [self.evidence.document_id, self.evidence.start, self.evidence.end]
        return {
            "claim": self.claim,
            "condition": self.condition,
            "exception": self.exception,
            "drafted": self.drafted,
            "quote": place,
        }


def atomic_facts(
    question: Question,
    drafted: Sequence[Evidence],
    read: ChosenPassages,
    most: int,
    room: Room,
    quoter: Quoter,
    *,
    apart: bool = True,
) -> list[AtomicFact]:
    """The facts of a draft, and behind them those sentences of the passages that speak most of the question.

    Args:
        question: What is asked.
        drafted: The quotes that the draft rests on.
        read: The passages.
        most: Facts that are added to those of the draft.
        room: Store with the claims that a person has rejected.
        quoter: Gives the texts.
        apart: Whether conditions and exceptions stand apart; else all is one statement.
    """
    facts = [_fact(one, True, apart) for one in drafted]
    known = [(one.document_id, one.start, one.end) for one in drafted]
    rejected = rejected_claims(room)
    others: list[tuple[float, Evidence]] = []
    for hit in read.hits:
        passage = read.passages[hit.id]
        text = quoter.passage(passage)
        for sentence in quick_sentences(text, passage.start):
            told_before = any(
                id_ == passage.document_id and start < sentence.end and sentence.start < end
                for id_, start, end in known
            )
            left_out = any(overlaps(claim, sentence) for claim in rejected[passage.document_id])
            cover = word_cover(question.focus, sentence.text, frozenset())
            if cover and tells(sentence) and not told_before and not left_out:
                known.append((passage.document_id, sentence.start, sentence.end))
                others.append((cover, quoter.span(passage.document_id, sentence.start, sentence.end, Stance.CONTEXT)))
    others.sort(key=lambda one: -one[0])
    return [*facts, *(_fact(one, False, apart) for _, one in others[:most])]


def _fact(evidence: Evidence, drafted: bool, apart: bool) -> AtomicFact:
    quote = " ".join(evidence.quote.split())
    if not apart:
        return AtomicFact(evidence, quote, "", "", drafted)
    parts = conditions(quote)
    condition = "" if parts.condition is None else quote[slice(*parts.condition)]
    exception = "" if parts.exception is None else quote[slice(*parts.exception)]
    return AtomicFact(evidence, parts.claim, condition, exception, drafted)
