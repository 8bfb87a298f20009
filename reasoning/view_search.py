"""Passages by their nearness to several views at once, and by the keywords that occur in them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kg.fusion import DEPTH, Hit
from kg.records import Passage, PassageKind
from language.content_words import content_keys
from reasoning.evidence import Quoter
from reasoning.room import Room


@dataclass(frozen=True, slots=True)
class Viewed:
    """What views found.

    Attributes:
        hits: Best first, ties by id; the score is the largest cosine and what the keywords add, and `words` says how
            many of these occur.
        passages: Their records by id.
        texts: Their texts by id.
    """

    hits: list[Hit]
    passages: dict[str, Passage]
    texts: dict[str, str]


def search_views(
    views: Sequence[str],
    keywords: Collection[str],
    boost: float,
    room: Room,
    quoter: Quoter,
    kind: PassageKind | None = None,
) -> Viewed:
    """S(d) = max over views of cos(view, d) + boost · (keywords that occur in d), of all that one of the views finds.

    A view's cosine is known for the passages that it finds among its hundred nearest and hundred best by words; that
    of a passage that another view alone finds is smaller, and cannot be the largest but by a hair.

    Args:
        views: What is looked for, in other words each.
        keywords: Keys of words, as `content_keys` makes them.
        boost: What each keyword adds.
        room: Store and index.
        quoter: Gives the texts.
        kind: Searches these passages only; none searches all.

    Raises:
        PassageTooLong: a view is longer than the encoder reads.
    """
    cosines: dict[str, float] = {}
    for view in dict.fromkeys(views):
        for hit in room.index.search_passages(view, DEPTH, kind):
            cosines[hit.id] = max(hit.cosine, cosines.get(hit.id, -1.0))
    passages = room.store.passages(room.collection, sorted(cosines))
    texts = {id_: quoter.passage(passage) for id_, passage in passages.items()}
    wanted = frozenset(keywords)
    hits = []
    for id_, text in texts.items():
        shared = len(wanted & content_keys(text))
        hits.append(Hit(id_, round(cosines[id_] + boost * shared, 6), cosines[id_], float(shared)))
    return Viewed(sorted(hits, key=lambda hit: (-hit.score, hit.id)), passages, texts)
