"""Events and passages by their nearness to several views of a happening, and by its words that occur in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kg.fusion import DEPTH, Hit, ranked
from kg.records import Passage, PassageKind
from kg.seed_index import SeedIndex
from kg.store import GraphStore
from language.content_words import content_keys


@dataclass(frozen=True, slots=True)
class SeedViews:
    """What a happening is searched by beside its own words.

    Attributes:
        texts: Other wordings of what is asked.
        boost: What each word of the happening that occurs adds to the largest cosine.
    """

    texts: tuple[str, ...]
    boost: float

    def events(self, focus: str, most: int, index: SeedIndex, store: GraphStore, collection: str) -> dict[str, float]:
        """The best events by id, each with the largest of its cosines."""
        cosines = _largest(index.search_events(text, DEPTH) for text in self._each(focus))
        words = content_keys(focus)
        scores = {
            id_: cosines[id_] + self.boost * len(words & (content_keys(event.description) | {event.kind}))
            for id_, event in store.events(collection, sorted(cosines)).items()
        }
        return {id_: cosines[id_] for id_ in ranked(scores)[:most]}

    def passages(
        self,
        focus: str,
        most: int,
        index: SeedIndex,
        store: GraphStore,
        collection: str,
        keys: Callable[[Passage], frozenset[str]],
    ) -> list[str]:
        """Ids of the best passages of prose, best first.

        Args:
            focus: The happening as the question words it.
            most: Most passages.
            index: Finds them.
            store: Holds them.
            collection: The documents that are asked.
            keys: Keys of the words of a passage.
        """
        cosines = _largest(index.search_passages(text, DEPTH, PassageKind.PROSE) for text in self._each(focus))
        words = content_keys(focus)
        scores = {
            id_: cosines[id_] + self.boost * len(words & keys(passage))
            for id_, passage in store.passages(collection, sorted(cosines)).items()
        }
        return ranked(scores)[:most]

    def _each(self, focus: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.texts, focus)))


def _largest(searches: Iterable[Sequence[Hit]]) -> dict[str, float]:
    cosines: dict[str, float] = {}
    for hits in searches:
        for hit in hits:
            cosines[hit.id] = max(hit.cosine, cosines.get(hit.id, -1.0))
    return cosines
