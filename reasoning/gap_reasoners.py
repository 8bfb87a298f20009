"""Who says what an answer lacks: the graph and the words, or a language model in one pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from causetrail.errors import QuestionError
from kg.records import Verdict
from language.questions import read_question
from models.proposal_schema import MissingKnowledge
from reasoning.draft import Draft
from reasoning.gaps import Gap, find_gaps
from reasoning.material import Material
from reasoning.proposals import proposed, shown


@dataclass(frozen=True, slots=True)
class Reasoned:
    """What is missing.

    Attributes:
        thought: Why, in words; for the trace alone.
        gaps: What is searched for.
        origin: Who says so: `graph and words`, or the fingerprint of a language model.
    """

    thought: str
    gaps: list[Gap]
    origin: str = "graph and words"


class GapReasoner(Protocol):
    """Finds the gaps of a draft."""

    def reason(self, draft: Draft, material: Material) -> Reasoned:
        """What the draft lacks.

        Raises:
            ModelError: a language model cannot be asked at all.
        """
        ...


class StructuralGaps:
    """What the graph and the words of the question show to be missing."""

    def reason(self, draft: Draft, material: Material) -> Reasoned:
        """The gaps by rule."""
        gaps = find_gaps(draft, material)
        return Reasoned(" ".join(gap.missing for gap in gaps) or "Nothing that was asked is missing.", gaps)


class ModelGaps:
    """What a language model misses; it is believed only as to what is searched for."""

    def reason(self, draft: Draft, material: Material) -> Reasoned:
        """The model's judgement, or the rule's where it gives none that can be used."""
        by_rule = StructuralGaps().reason(draft, material)
        if draft.verdict is Verdict.CONTRADICTED:
            return by_rule
        read = [material.quoter.passage(one) for one in material.read.passages.values()]
        told = proposed(
            lambda proposer, deadline: (
                proposer.propose(
                    "missing_knowledge",
                    MissingKnowledge,
                    deadline,
                    question=material.asked.text,
                    answer=draft.text,
                    evidence=shown([*(one.quote for one in draft.evidence), *read]),
                ),
                proposer.fingerprint,
            ),
            "gaps",
            material,
        )
        if told is None:
            return by_rule
        said, model = told
        thought = " ".join(said.thought.split())
        if said.judge:
            gaps = [
                gap
                for missing, query in zip(said.missing_knowledge, said.query, strict=True)
                if (gap := _gap(missing, query, draft, material)) is not None
            ]
        else:
            gaps = []
        # An answer that says nothing lacks something, whatever the model thinks of it.
        if not gaps and draft.verdict is Verdict.INSUFFICIENT:
            gaps = by_rule.gaps
        return Reasoned(thought, gaps, model)


def gap_reasoner(material: Material) -> GapReasoner:
    """The language model where one judges, else graph and words."""
    bench = material.room.bench
    return StructuralGaps() if bench is None or bench.proposer is None else ModelGaps()


def _gap(missing: str, query: str, draft: Draft, material: Material) -> Gap | None:
    """The gap; what fills an answer that says nothing must answer the question itself. None for a query of no words."""
    try:
        asked = read_question(query, material.room.settings.max_question_characters)
    except QuestionError:
        return None
    unanswered = draft.verdict is Verdict.INSUFFICIENT
    return Gap("model", " ".join(missing.split()), " ".join(query.split()), material.asked if unanswered else asked)
