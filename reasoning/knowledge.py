"""What is searched: passages of prose, question-answer pairs, or both, in which order.

The modes of Shi and Qiu, "Reasoning Enhanced Missing Knowledge Retrieval Augmented Generation Framework for Domain
Specific Question Answering". Where there are no pairs, `merged` is a search of passages.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final

from kg.fusion import Hit
from kg.passage_texts import repeat_key
from kg.records import Passage, PassageKind
from reasoning.evidence import Quoter
from reasoning.room import Room

Bases = tuple[PassageKind | None, ...]
"""What one search reads, each with an equal part of the hits; none stands for both kinds together."""

_PROSE, _PAIR = PassageKind.PROSE, PassageKind.PAIR


class KnowledgeBase(StrEnum):
    """A mode: what the first search reads, and what a later one does, for what is missing."""

    PASSAGES = "passages"
    PAIRS = "pairs"
    MERGED = "merged"
    PASSAGES_THEN_PAIRS = "passages-then-pairs"
    PAIRS_THEN_PASSAGES = "pairs-then-passages"
    TWO_WAY = "two-way"

    @property
    def first(self) -> Bases:
        """What the first search reads."""
        return _BASES[self][0]

    @property
    def later(self) -> Bases:
        """What a search for something missing reads."""
        return _BASES[self][1]


_BASES: Final[dict[KnowledgeBase, tuple[Bases, Bases]]] = {
    KnowledgeBase.PASSAGES: ((_PROSE,), (_PROSE,)),
    KnowledgeBase.PAIRS: ((_PAIR,), (_PAIR,)),
    KnowledgeBase.MERGED: ((None,), (None,)),
    KnowledgeBase.PASSAGES_THEN_PAIRS: ((_PROSE,), (_PAIR,)),
    KnowledgeBase.PAIRS_THEN_PASSAGES: ((_PAIR,), (_PROSE,)),
    KnowledgeBase.TWO_WAY: ((_PROSE, _PAIR), (_PROSE, _PAIR)),
}


def knowledge_of(room: Room) -> KnowledgeBase:
    """The mode that the settings name."""
    return KnowledgeBase(room.settings.knowledge)


def search_bases(room: Room, query: str, most: int, bases: Bases, known: Collection[str] = frozenset()) -> list[Hit]:
    """The best passages of the bases, at most so many; of each base its part, the first one getting what is odd.

    Args:
        room: Has the index.
        query: What is searched for.
        most: Hits of all bases together.
        bases: What is read.
        known: Ids of passages that are left out.

    Raises:
        PassageTooLong: the query is longer than the encoder reads.
    """
    found: list[Hit] = []
    for place, kind in enumerate(bases):
        part = most // len(bases) + (place < most % len(bases))
        hits = room.index.search_passages(query, part + len(known), kind)
        found += [hit for hit in hits if hit.id not in known][:part]
    return found


def without_repeats(hits: list[Hit], passages: Mapping[str, Passage], quoter: Quoter) -> list[Hit]:
    """The hits without pairs that say, but for case and white space, what one before them says."""
    kept: list[Hit] = []
    seen: set[str] = set()
    for hit in hits:
        passage = passages[hit.id]
        if passage.kind is PassageKind.PAIR:
            key = repeat_key(quoter.text(passage.document_id)[passage.start : passage.end])
            if key in seen:
                continue
            seen.add(key)
        kept.append(hit)
    return kept
