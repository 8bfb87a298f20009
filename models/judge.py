"""What a judge is here, whatever decides: one protocol for each judgement over pairs of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from models.judges import Inference


class Judge(Protocol):
    """What all judges have in common; each is safe to use from threads, and cuts no text."""

    @property
    def fingerprint(self) -> str:
        """Name and version: two judges with the same one judge alike. Part of traces."""
        ...

    @property
    def prompts(self) -> Mapping[str, str]:
        """Fingerprints of the prompts that it asks a language model with, by their names; none where it asks none."""
        ...


class EntailmentJudge(Judge, Protocol):
    """Says what follows from what."""

    def inferences(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        """For each premise and hypothesis: whether the second follows from the first, contradicts it, or neither.

        Raises:
            ModelError: a pair is longer than the judge reads (`PassageTooLong`, of a language model `PromptTooLong`),
                or it cannot judge.
        """
        ...


class RelevanceJudge(Judge, Protocol):
    """Says which passages help; their order by it is a reranking."""

    def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        """Probability for each passage that it helps to answer the query.

        Raises:
            ModelError: as `EntailmentJudge.inferences`.
        """
        ...


class CauseJudge(Judge, Protocol):
    """Chooses among causes."""

    def causes(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Probability for each pair of a candidate cause and an event that the first led to the second.

        Raises:
            ModelError: as `EntailmentJudge.inferences`.
        """
        ...


class SufficiencyJudge(Judge, Protocol):
    """Says when there is enough."""

    def sufficiency(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Probability for each pair of a question and evidence that the evidence suffices for an answer.

        Raises:
            ModelError: as `EntailmentJudge.inferences`.
        """
        ...
