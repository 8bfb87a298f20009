"""Reads the derived graph from the embedded store: events, edges, merges, and how much there is of everything."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from causetrail.errors import RecordUnknown
from kg.document_facts import rejected_of
from kg.encoding import Vectors
from kg.record_tables import EDGES, EVENTS, MENTIONS, Row, reasons_of
from kg.records import Edge, Event, Mention, Relation
from kg.sqlite_tables import CHUNK, StoreTables
from kg.store import Counts, Direction, EdgesBack, Merge, by_confidence

_EDGE_KEY = tuple(EDGES.columns.index(column) for column in ("cause", "effect", "relation"))

_CHOSEN = {
    False: "ruled_out = 0 AND p_for >= ?",
    True: "ruled_out = 1 AND ? IS NOT NULL",
    None: "(ruled_out = 1 OR p_for >= ?)",
}
"""Condition on an edge by what was asked of `ruled_out`; each takes the floor."""

NO_LIMIT = 2**31 - 1
"""More edges than any event has."""


class GraphTables(StoreTables):
    """Events and what links them."""

    def collections(self) -> list[str]:
        """Names of the collections that hold documents or decisions, sorted."""
        sql = (
            "SELECT name FROM collection WHERE EXISTS (SELECT 1 FROM document WHERE collection = name)"
            " OR EXISTS (SELECT 1 FROM decision WHERE collection = name) ORDER BY name"
        )
        return [row[0] for row in self._file.rows(sql)]

    def counts(self, collection: str) -> Counts:
        """How much the collection holds."""
        with self._file.reading():
            documents, not_english, characters, sentences = self._file.rows(
                "SELECT count(*), coalesce(sum(language <> 'en'), 0), coalesce(sum(length), 0),"
                " coalesce(sum(sentences), 0) FROM document WHERE collection = ?",
                (collection,),
            )[0]
            rejected: Counter[str] = Counter()
            for row in self._file.rows("SELECT rejected FROM document WHERE collection = ?", (collection,)):
                rejected.update(rejected_of(row[0]))
            return Counts(
                documents=documents,
                not_english=not_english,
                characters=characters,
                sentences=sentences,
                passages=self._count("passage", collection),
                mentions=self._count("mention", collection),
                claims=self._count("claim", collection),
                events=self._count("event", collection),
                edges=self._count("edge", collection),
                decisions=self._count("decision", collection),
                rejected=dict(sorted(rejected.items())),
            )

    def event(self, collection: str, event_id: str) -> Event:
        """The event; an old id is answered by the event that now holds its mention.

        Raises:
            RecordUnknown: there is no such event, and none that holds its mention.
        """
        with self._file.reading():
            current = self._current(collection, event_id)
            found = self._by_ids(EVENTS, collection, [current]) if current else {}
        if current is None or current not in found:
            raise RecordUnknown(kind="event", id=event_id, collection=collection)
        return EVENTS.from_row(found[current])

    def events(self, collection: str, ids: Sequence[str]) -> dict[str, Event]:
        """Events by id; unknown ids are left out."""
        return {id_: EVENTS.from_row(row) for id_, row in self._by_ids(EVENTS, collection, ids).items()}

    def event_ids(self, collection: str) -> list[str]:
        """Ids of all events, sorted."""
        return [
            row[0] for row in self._file.rows("SELECT id FROM event WHERE collection = ? ORDER BY id", (collection,))
        ]

    def event_vectors(self, collection: str, ids: Sequence[str]) -> Vectors:
        """Vectors of the events' descriptions, shape (len(ids), dimension), in the order asked.

        Raises:
            RecordUnknown: there is no event of such an id.
            RecordInvalid: the vectors come from different encoders.
        """
        at = EVENTS.columns.index("described_by")
        with self._file.reading():
            rows = self._by_ids(EVENTS, collection, ids)
            missing = next((id_ for id_ in ids if id_ not in rows), None)
            if missing is not None:
                raise RecordUnknown(kind="event", id=missing, collection=collection)
            return self._vectors("mention_vector", "mention", collection, [rows[id_][at] for id_ in ids])

    def mentions_of_event(self, collection: str, event_id: str) -> list[Mention]:
        """By document and place in the text; none for an id that no event has.

        An old id is answered as `event` does.
        """
        sql = (
            f"{MENTIONS.select} JOIN event_mention ON event_mention.collection = mention.collection"
            " AND event_mention.mention_id = mention.id"
            " WHERE event_mention.collection = ? AND event_mention.event_id = ?"
            ' ORDER BY +mention.document_id, mention.start, mention."end"'
        )
        with self._file.reading():
            current = self._current(collection, event_id)
            rows = self._file.rows(sql, (collection, current)) if current else []
        return [MENTIONS.from_row(row) for row in rows]

    def event_of_mention(self, collection: str, mention_id: str) -> str | None:
        """Id of the event that a mention refers to; none before it was derived."""
        rows = self._file.rows(
            "SELECT event_id FROM event_mention WHERE collection = ? AND mention_id = ?", (collection, mention_id)
        )
        return rows[0][0] if rows else None

    def similar_events(self, collection: str, event_id: str) -> list[str]:
        """Ids of events that resemble it without positive identity, sorted; never followed by a traversal."""
        rows = self._file.rows(
            "SELECT b FROM similar_events WHERE collection = ?1 AND a = ?2"
            " UNION SELECT a FROM similar_events WHERE collection = ?1 AND b = ?2 ORDER BY 1",
            (collection, event_id),
        )
        return [row[0] for row in rows]

    def merges(self, collection: str, across_documents: bool = False) -> Iterator[Merge]:
        """Events of two or more mentions, by id; only those that span documents when asked."""
        sql = (
            f"{EVENTS.select} WHERE collection = ? AND id > ? AND mention_count > 1"
            f" AND document_count > {int(across_documents)} ORDER BY id LIMIT ?"
        )
        members = "SELECT mention_id FROM event_mention WHERE collection = ? AND event_id = ? ORDER BY mention_id"
        for row in self._paged(sql, collection, EVENTS.columns.index("id")):
            event = EVENTS.from_row(row)
            mentions = tuple(found[0] for found in self._file.rows(members, (collection, event.id)))
            yield Merge(event, mentions, reasons_of(row))

    def edges(self, collection: str) -> Iterator[Edge]:
        """All edges, sorted by cause, effect and relation."""
        sql = (
            f"{EDGES.select} WHERE collection = ? AND (cause, effect, relation) > (?, ?, ?)"
            " ORDER BY cause, effect, relation LIMIT ?"
        )
        bound: tuple[str, ...] = ("", "", "")
        while rows := self._file.rows(sql, (collection, *bound, CHUNK)):
            for row in rows:
                yield _edge(row)
            bound = tuple(rows[-1][at] for at in _EDGE_KEY)

    def edges_at(
        self,
        collection: str,
        event_ids: Sequence[str],
        direction: Direction,
        relations: Sequence[Relation],
        floor: float = 0.0,
        ruled_out: bool | None = False,
        limit_each: int | None = None,
    ) -> list[Edge]:
        """Edges at any of the events, followed one way, with `p_for` of at least `floor`.

        Sorted by descending confidence, then cause, effect and relation.

        Args:
            ruled_out: False for edges that stand, true for those ruled out, whatever their `p_for`, none for both.
            limit_each: Most at one event of those that stand, and of those ruled out, first in that order; all if none.
        """
        most = NO_LIMIT if limit_each is None else limit_each
        rows = self._ranked_at(collection, event_ids, direction, relations, floor, ruled_out, most)
        edges = [EDGES.from_row(row[:-1]) for row in rows]
        return sorted(edges, key=by_confidence)

    def edges_back(
        self,
        collection: str,
        event_ids: Sequence[str],
        direction: Direction,
        relations: Sequence[Relation],
        floor: float,
        limit_each: int,
        reached: Sequence[str],
    ) -> EdgesBack:
        """What `edges_at` gives at the events with these bounds, of edges that stand: those to events reached."""
        inside = frozenset(reached)
        far = _EDGE_KEY[0] if direction is Direction.TO_CAUSES else _EDGE_KEY[1]
        rows = self._ranked_at(collection, event_ids, direction, relations, floor, False, limit_each + 1)
        first = [row for row in rows if row[-1] <= limit_each]
        back = [EDGES.from_row(row[:-1]) for row in first if row[far] in inside]
        return EdgesBack(sorted(back, key=by_confidence), leads_on=len(back) < len(first), more=len(first) < len(rows))

    def _ranked_at(
        self,
        collection: str,
        event_ids: Sequence[str],
        direction: Direction,
        relations: Sequence[Relation],
        floor: float,
        ruled_out: bool | None,
        most: int,
    ) -> list[Row]:
        """Rows of edges at the events, each with its place at its event, from 1 to `most`."""
        near, far = ("effect", "cause") if direction is Direction.TO_CAUSES else ("cause", "effect")
        sql = (
            f"SELECT * FROM (SELECT {EDGES.selected}, row_number() OVER (PARTITION BY {near}, ruled_out"  # noqa: S608
            f" ORDER BY confidence DESC, {far}, relation) AS place FROM edge"
            f" WHERE collection = ? AND {near} IN (SELECT value FROM json_each(?))"
            f" AND relation IN (SELECT value FROM json_each(?)) AND {_CHOSEN[ruled_out]})"
            " WHERE place <= ?"
        )
        asked = json.dumps([relation.value for relation in relations])
        return self._file.rows(sql, (collection, json.dumps(sorted(set(event_ids))), asked, floor, most))

    def _current(self, collection: str, event_id: str) -> str | None:
        if self._by_ids(EVENTS, collection, [event_id]):
            return event_id
        return self.event_of_mention(collection, Event.mention_id_of(event_id))

    def _count(self, table: str, collection: str) -> int:
        return int(self._file.rows(f"SELECT count(*) FROM {table} WHERE collection = ?", (collection,))[0][0])  # noqa: S608


def _edge(row: Row) -> Edge:
    return EDGES.from_row(row)
