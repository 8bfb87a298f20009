"""What is searched: passages of prose, question-answer pairs, or both, in which order.

The modes of Shi and Qiu, "Reasoning Enhanced Missing Knowledge Retrieval Augmented Generation Framework for Domain
Specific Question Answering". Where there are no pairs, `merged` is a search of passages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from kg.fusion import Hit
from kg.passage_texts import repeat_key
from kg.records import Passage, PassageKind
from reasoning.evidence import Quoter
from reasoning.room import Room

Bases = tuple[PassageKind | None, ...]
"""What one search reads, each with an equal part of the hits; none stands for both kinds together."""

_Key = tuple[str, str | None, str | None]
"""What a passage says, the title of its document and its day of publication."""
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


def parts_of(most: int, bases: Bases) -> list[tuple[PassageKind | None, int]]:
    """What is read, each with how many of the hits it gives: equal parts, the first one getting what is odd."""
    return [(kind, most // len(bases) + (place < most % len(bases))) for place, kind in enumerate(bases)]


def search_bases(
    room: Room,
    query: str,
    most: int,
    bases: Bases,
    quoter: Quoter,
    known: Collection[str] = frozenset(),
) -> list[Hit]:
    """The best passages of the bases that say different things, at most so many.

    Of each base its part, the first one getting what is odd. A passage that repeats one before it takes no place: the
    search goes on until as many different ones are found, or none is left.

    Args:
        room: Has the index and the store.
        query: What is searched for.
        most: Hits of all bases together.
        bases: What is read.
        quoter: Gives the texts.
        known: Ids of passages that are left out, and with them what repeats them.

    Raises:
        PassageTooLong: the query is longer than the encoder reads.
    """
    seen = {_key(passage, quoter) for passage in room.store.passages(room.collection, sorted(known)).values()}
    found: list[Hit] = []
    for kind, part in parts_of(most, bases):
        found += _different(room, query, part, kind, known, seen, quoter)
    return found


def without_repeats(hits: list[Hit], passages: Mapping[str, Passage], quoter: Quoter) -> list[Hit]:
    """The hits without those that say, but for case and white space, what one before them says."""
    return _first_of_each(hits, passages, set(), quoter)


def _different(
    room: Room, query: str, part: int, kind: PassageKind | None, known: Collection[str], seen: set[_Key], quoter: Quoter
) -> list[Hit]:
    """The best hits of one base that repeat nothing seen; what they say counts as seen from then on."""
    wanted = part + len(known)
    while True:
        hits = room.index.search_passages(query, wanted, kind)
        new = [hit for hit in hits if hit.id not in known]
        passages = room.store.passages(room.collection, [hit.id for hit in new])
        kept = _first_of_each([hit for hit in new if hit.id in passages], passages, set(seen), quoter)[:part]
        if len(kept) == part or len(hits) < wanted:
            seen.update(_key(passages[hit.id], quoter) for hit in kept)
            return kept
        wanted *= 2


def _first_of_each(hits: Iterable[Hit], passages: Mapping[str, Passage], seen: set[_Key], quoter: Quoter) -> list[Hit]:
    kept = []
    for hit in hits:
        key = _key(passages[hit.id], quoter)
        if key not in seen:
            seen.add(key)
            kept.append(hit)
    return kept


def _key(passage: Passage, quoter: Quoter) -> _Key:
    """Equal for passages that repeat one another.

    What documents of different days, or under different titles, say in the same words may be different things: a
    question names the one that it means. A name of a file is no title, and of a pair only the words count.
    """
    key = repeat_key(quoter.passage(passage))
    if passage.kind is PassageKind.PAIR:
        return key, None, None
    document = quoter.document(passage.document_id)
    names = {PurePosixPath(source).name for source in document.sources}
    return key, None if document.doc_title in names else document.doc_title, document.published
