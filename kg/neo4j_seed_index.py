"""The search index of a collection on a Neo4j server, served by the server's own vector and full-text indexes.

Those indexes span all collections. A small collection is compared vector by vector, so its list of meanings is exact;
in a large one the server's graph of neighbours is asked for more and more until enough of them are of the collection,
and the order of what it gives comes from exact cosines. Word scores weigh a word by how rare it is in the database.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from causetrail.errors import RecordUnknown, ServerBusy, ServerRefused
from kg.encoder_check import check_encoder
from kg.encoding import Encoder
from kg.fusion import DEPTH, Hit, best_hits, ranked, reciprocal_rank
from kg.graph_schema import Label
from kg.neo4j_schema import EVENT_VECTOR, EVENT_WORDS, PASSAGE_TEXT, PASSAGE_VECTOR
from kg.neo4j_store import Neo4jStore
from kg.records import PassageKind
from kg.store import Progress
from kg.word_index import EntryKind, match_expression

EXACT_MEMBERS = 2_000
"""Largest collection whose vectors are always compared one by one."""
WIDEST = 20_000
"""Most neighbours asked of the vector index; a collection with too few among them is compared one by one as well."""
MOST_WORDS = 1_000
"""Most words of a text that are looked up; the server's parser refuses more than 1,024."""
ONLINE = "ONLINE"
POLL_SECONDS = 0.2

STATES = """
SHOW INDEXES YIELD name, state, populationPercent
WHERE name IN $names
RETURN name, state, populationPercent
"""
"""How far the indexes of these names are filled: name, state, percent."""

LEAST = """
MATCH (node:{label}) WHERE node.collection = $collection AND node.id > ''
RETURN node.id AS id ORDER BY node.collection, node.id LIMIT 1
"""
"""The least id of a collection: id."""

MEMBERS = """
MATCH (node:{label}) WHERE node.collection = $collection AND node.id > ''
WITH node LIMIT $limit
RETURN count(node) AS members
"""
"""How many nodes a collection has, counted up to a limit: members."""

COSINE = """
CASE WHEN size(node.vector) = size($vector) AND any(part IN node.vector WHERE part <> 0.0)
     THEN 2.0 * vector.similarity.cosine(node.vector, $vector) - 1.0 END
"""
"""The cosine of a node's vector and the asked one; null where there is none."""

OURS = "node.collection = $collection AND ($kind IS NULL OR node.kind = $kind)"
"""Whether a node is of a collection and, where a kind of passages is asked for, of this kind."""

NEAREST_OF_ALL = f"""
MATCH (node:{{label}}) WHERE {OURS} AND node.id > ''
WITH node.id AS id, {COSINE} AS cosine WHERE cosine IS NOT NULL
RETURN id, cosine ORDER BY cosine DESC, id LIMIT $depth
"""
"""The nearest nodes of a collection, each compared: id, cosine."""

NEAREST = f"""
CALL db.index.vector.queryNodes($index, $wanted, $vector) YIELD node
RETURN count(node) AS found, collect(CASE WHEN {OURS} THEN [node.id, {COSINE}] END) AS hits
"""
"""The nearest nodes of the database, those of a collection by id and cosine: found, hits."""

WORDED = f"""
CALL db.index.fulltext.queryNodes($index, $expression, {{limit: $wanted}}) YIELD node, score
RETURN count(node) AS found,
       collect(CASE WHEN {OURS} THEN [node.id, score, {COSINE}] END) AS hits
"""
"""The best nodes of the database by words, those of a collection by id, score and cosine: found, hits."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """Where the server keeps one kind of entry."""

    label: Label
    vectors: str
    words: str


KINDS: Mapping[EntryKind, _Kind] = {
    EntryKind.PASSAGE: _Kind(Label.PASSAGE, PASSAGE_VECTOR, PASSAGE_TEXT),
    EntryKind.EVENT: _Kind(Label.EVENT, EVENT_VECTOR, EVENT_WORDS),
}


class Neo4jSeedIndex:
    """A seed index on the server: the store keeps it, so nothing is built here. Safe to call from threads."""

    def __init__(self, store: Neo4jStore, encoder: Encoder, collection: str) -> None:
        """Asks nothing yet."""
        self._store = store
        self._server = store.server
        self._encoder = encoder
        self._collection = collection
        self._refreshing = Lock()
        self._ready = False

    @property
    def encoder(self) -> Encoder:
        """What makes the vectors that are searched by, and made those on the server."""
        return self._encoder

    def refresh(self, progress: Progress | None = None) -> None:
        """Waits until the server's indexes are filled; what is committed later is in them at once.

        Args:
            progress: Called with the stage `index`, the percent that is filled and 100.

        Raises:
            EncoderMismatch: the collection was ingested with another encoder.
            ServerBusy: the indexes were not filled within the time that a transaction may take.
            ServerRefused: an index is not there, or the server could not fill it.
        """
        with self._refreshing:
            self._await_indexes(progress)
            self._ready = self._ready or self._encoder_fits()

    def search_passages(self, text: str, k: int, kind: PassageKind | None = None) -> list[Hit]:
        """The k best passages, of one kind or of both; best first, ties by id.

        `words` is 0 for a hit that is not among the best by words.

        Raises:
            PassageTooLong: the text has more tokens than the encoder reads.
        """
        return self._search(EntryKind.PASSAGE, text, k, kind)

    def search_events(self, text: str, k: int) -> list[Hit]:
        """The k best events; everything else as `search_passages`.

        Raises:
            PassageTooLong: the text has more tokens than the encoder reads.
        """
        return self._search(EntryKind.EVENT, text, k)

    def _search(self, kind: EntryKind, text: str, k: int, only: PassageKind | None = None) -> list[Hit]:
        if not self._ready:
            self.refresh()
        members = self._members(kind)
        if k < 1 or not members:
            return []
        vector = [float(part) for part in self._encoder.encode_query(text)[0]]
        depth = max(DEPTH, k)
        near = self._near(kind, vector, depth, only, exact=members <= EXACT_MEMBERS)
        words, cosines = self._worded(kind, text, vector, depth, only)
        lists = ranked(near)[:depth], ranked(words)[:depth]
        return best_hits(reciprocal_rank(*lists), cosines | near, words, k)

    def _near(
        self, kind: EntryKind, vector: list[float], depth: int, only: PassageKind | None, *, exact: bool
    ) -> dict[str, float]:
        """Cosines of at least the `depth` nearest, by id; of all when there are fewer."""
        asked: dict[str, Any] = {"collection": self._collection, "vector": vector, "kind": only and only.value}
        wanted = 2 * depth
        while not exact and wanted <= WIDEST:
            found, hits = self._server.rows(NEAREST, index=KINDS[kind].vectors, wanted=wanted, **asked)[0]
            if found < wanted or len(hits) >= depth:
                return {id_: round(cosine, 6) for id_, cosine in hits}
            wanted *= 4
        rows = self._server.rows(NEAREST_OF_ALL.format(label=KINDS[kind].label), depth=depth, **asked)
        return {id_: round(cosine, 6) for id_, cosine in rows}

    def _worded(
        self, kind: EntryKind, text: str, vector: list[float], depth: int, only: PassageKind | None
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Word scores of at least the `depth` best, with all that tie with the last one, and cosines; by id."""
        expression = match_expression(text, MOST_WORDS)
        wanted = depth + 16
        while expression:
            found, hits = self._server.rows(
                WORDED,
                index=KINDS[kind].words,
                expression=expression,
                wanted=wanted,
                collection=self._collection,
                kind=only and only.value,
                vector=vector,
            )[0]
            if found < wanted or (len(hits) > depth and hits[depth - 1][1] != hits[-1][1]):
                words = {id_: round(score, 6) for id_, score, _ in hits}
                return words, {id_: round(cosine, 6) for id_, _, cosine in hits if cosine is not None}
            wanted *= 4
        return {}, {}

    def _members(self, kind: EntryKind) -> int:
        """How many nodes of a kind the collection has; `EXACT_MEMBERS` + 1 stands for any larger number."""
        query = MEMBERS.format(label=KINDS[kind].label)
        return int(self._server.rows(query, collection=self._collection, limit=EXACT_MEMBERS + 1)[0][0])

    def _await_indexes(self, progress: Progress | None) -> None:
        names = [name for kind in KINDS.values() for name in (kind.vectors, kind.words)]
        address = self._server.address
        deadline = time.monotonic() + self._server.access.transaction_seconds
        while True:
            states = {name: (state, percent) for name, state, percent in self._server.rows(STATES, names=names)}
            for name in names:
                if name not in states or states[name][0] == "FAILED":
                    raise ServerRefused(
                        address=address, reason=f"its index {name} is not there, or could not be filled"
                    )
            filled = min(percent for _, percent in states.values())
            if progress is not None:
                progress("index", int(filled), 100)
            if all(state == ONLINE for state, _ in states.values()):
                return
            if time.monotonic() >= deadline:
                raise ServerBusy(address=address, reason=f"its indexes are being filled ({filled:.0f} percent done)")
            time.sleep(POLL_SECONDS)

    def _encoder_fits(self) -> bool:
        """Whether a passage agreed with the encoder; false while there is none to compare."""
        rows = self._server.rows(LEAST.format(label=Label.PASSAGE), collection=self._collection)
        if not rows:
            return False
        try:
            check_encoder(self._store, self._encoder, self._collection, rows[0][0])
        except RecordUnknown:
            # It was deleted just now; the next search compares another one.
            return False
        return True
