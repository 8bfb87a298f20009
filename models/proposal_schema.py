"""What a language model may propose in a step of a strategy: short lists of short texts, and nothing else."""

from __future__ import annotations

from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

MOST: Final = 4
"""Longest list."""
Phrase = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=300)]


class _Proposal(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Exchange(_Proposal):
    """A counterfactual question, by what is exchanged in the real one."""

    question: Line
    """The question with the words exchanged."""
    was: Phrase
    """Words of the real question."""
    now: Phrase
    """Words of the passages that stand in their place."""


class CounterfactualQuestions(_Proposal):
    """Questions like the real one with another answer."""

    questions: Annotated[tuple[Exchange, ...], Field(max_length=MOST)]


class MissingKnowledge(_Proposal):
    """What an answer lacks, in one pass."""

    thought: Annotated[str, StringConstraints(max_length=600)]
    judge: bool
    """Whether knowledge is missing."""
    missing_knowledge: Annotated[tuple[Line, ...], Field(max_length=MOST)]
    query: Annotated[tuple[Line, ...], Field(max_length=MOST)]
    """One for each that is missing, in the same order."""

    @model_validator(mode="after")
    def _paired(self) -> Self:
        if len(self.missing_knowledge) != len(self.query):
            raise ValueError("missing_knowledge and query must have the same length")
        return self


class SearchPlan(_Proposal):
    """Whether what was read suffices, or what is searched for."""

    gap: Annotated[str, StringConstraints(max_length=600)]
    """What the passages leave open, in words; for the trace alone."""
    sufficient: bool
    queries: Annotated[tuple[Line, ...], Field(max_length=MOST)]
    """Empty exactly where it is sufficient."""

    @model_validator(mode="after")
    def _one_or_the_other(self) -> Self:
        if self.sufficient is bool(self.queries):
            raise ValueError("queries must be empty where sufficient is true, and hold at least one where it is false")
        return self


class RevisedAnswer(_Proposal):
    """An answer made anew from quotes."""

    sentences: Annotated[tuple[Line, ...], Field(max_length=MOST)]
