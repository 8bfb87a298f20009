"""What a question is answered with."""

from __future__ import annotations

from dataclasses import dataclass

from causetrail.settings import Settings
from kg.seed_index import SeedIndex
from kg.store import GraphStore


@dataclass(frozen=True, slots=True)
class Room:
    """The things that stay the same from question to question.

    Attributes:
        index: Finds passages and events of the collection.
        collection: The set of documents that is asked.
    """

    store: GraphStore
    index: SeedIndex
    settings: Settings
    collection: str
