"""The search index over passages and events, as a protocol and in its embedded form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kg.store import Progress


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found.

    Attributes:
        id: Id of a passage or of an event.
        score: Fused score; larger is better; comparable inside one result list only.
        cosine: Inner product of the query's vector with its own, -1 to 1.
        words: BM25 score, 0 when no word matches; larger is better.
    """

    id: str
    score: float
    cosine: float
    words: float


class SeedIndex(Protocol):
    """Finds passages and events by meaning and by words. Derived from the store: it can always be rebuilt."""

    def refresh(self, progress: Progress | None = None) -> None:
        """Brings the index to the store's generation; searching does so by itself."""
        ...

    def search_passages(self, text: str, k: int) -> list[Hit]:
        """The k best passages, fused by reciprocal rank; best first, ties by id."""
        ...

    def search_events(self, text: str, k: int) -> list[Hit]:
        """The k best events, fused by reciprocal rank; best first, ties by id."""
        ...
