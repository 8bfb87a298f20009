"""What a language model may say of a pair of texts: one verdict of a closed set, and nothing else."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class EntailmentVerdict(BaseModel):
    """Whether the hypothesis follows from the premise, the premise contradicts it, or neither."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    verdict: Literal["entailed", "neutral", "contradicted"]


class RelevanceVerdict(BaseModel):
    """Whether the passage helps to answer the question."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    verdict: Literal["helps", "does_not_help"]


class CauseVerdict(BaseModel):
    """Whether the first event plausibly led to the second."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    verdict: Literal["plausible", "implausible"]


class SufficiencyVerdict(BaseModel):
    """Whether the evidence suffices to answer the question."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    verdict: Literal["suffices", "does_not_suffice"]
