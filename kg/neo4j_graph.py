"""Reads the derived graph from the server: events, edges, merges, and how much there is of everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from causetrail.errors import RecordUnknown
from kg import neo4j_graph_queries as queries
from kg.asked_order import chunks, in_asked_order
from kg.document_facts import rejected_of
from kg.encoding import Vectors
from kg.graph_schema import Label
from kg.neo4j_clusters import ClusterNodes
from kg.neo4j_evidence import mention_of
from kg.neo4j_rows import EDGE, NODES
from kg.neo4j_tables import CHUNK
from kg.record_tables import EDGES, EVENTS, Row, reasons_of
from kg.records import Edge, Event, Mention, Relation
from kg.store import Counts, Direction, EdgesBack, Merge, by_confidence

NO_LIMIT = 2**31 - 1
"""More edges than any event has."""


class GraphNodes(ClusterNodes):
    """Events and what links them."""

    def collections(self) -> list[str]:
        """Names of the collections that hold documents or decisions, sorted."""
        return sorted(row[0] for row in self._server.rows(queries.COLLECTIONS))

    def counts(self, collection: str) -> Counts:
        """How much the collection holds."""
        documents, not_english, characters, sentences, told = self._rows(queries.COUNT_DOCUMENTS, collection)[0]
        rejected: Counter[str] = Counter()
        for by_reason in told:
            rejected.update(rejected_of(by_reason))
        events, edges = self._graph_size(collection)
        passages, mentions, claims, decisions = (
            int(self._rows(query, collection)[0][0])
            for query in (
                queries.COUNT_PASSAGES,
                queries.COUNT_MENTIONS,
                queries.COUNT_CLAIMS,
                queries.COUNT_DECISIONS,
            )
        )
        return Counts(
            documents=documents,
            not_english=not_english,
            characters=characters,
            sentences=sentences,
            passages=passages,
            mentions=mentions,
            claims=claims,
            events=events,
            edges=edges,
            decisions=decisions,
            rejected=dict(sorted(rejected.items())),
        )

    def event(self, collection: str, event_id: str) -> Event:
        """The event; an old id is answered by the event that now holds its mention.

        Raises:
            RecordUnknown: there is no such event, and none that holds its mention.
        """
        found = self.events(collection, [event_id])
        if not found:
            current = self.event_of_mention(collection, Event.mention_id_of(event_id))
            found = self.events(collection, [current]) if current else {}
        if not found:
            raise RecordUnknown(kind="event", id=event_id, collection=collection)
        (event,) = found.values()
        return event

    def events(self, collection: str, ids: Sequence[str]) -> dict[str, Event]:
        """Events by id, in the order asked; unknown ids are left out."""
        rows = map(NODES[Label.EVENT].fields, self._rows_in(queries.EVENTS, collection, ids))
        found = {row["id"]: row for row in rows}
        return {id_: EVENTS.from_fields(row) for id_, row in in_asked_order(found, ids).items()}

    def event_ids(self, collection: str) -> list[str]:
        """Ids of all events, sorted."""
        return sorted(row[0] for row in self._rows(queries.EVENT_IDS, collection))

    def event_vectors(self, collection: str, ids: Sequence[str]) -> Vectors:
        """Vectors of the events' descriptions, shape (len(ids), dimension), in the order asked.

        Raises:
            RecordUnknown: there is no event of such an id.
            RecordInvalid: the vectors come from different encoders.
        """
        return self._vectors(queries.EVENT_VECTORS, "event", collection, ids)

    def mentions_of_event(self, collection: str, event_id: str) -> list[Mention]:
        """By document and place in the text; none for an id that no event has.

        An old id is answered as `event` does.
        """
        current = self._current(collection, event_id)
        rows = self._rows(queries.MENTIONS_OF_EVENT, collection, id=current) if current else []
        return sorted(map(mention_of, rows), key=lambda mention: (mention.document_id, mention.start, mention.end))

    def event_of_mention(self, collection: str, mention_id: str) -> str | None:
        """Id of the event that a mention refers to; none before it was derived."""
        found = self._rows(queries.EVENT_OF_MENTION, collection, id=mention_id)
        return found[0][0] if found else None

    def similar_events(self, collection: str, event_id: str) -> list[str]:
        """Ids of events that resemble it without positive identity, sorted; never followed by a traversal."""
        return sorted(row[0] for row in self._rows(queries.SIMILAR_TO, collection, id=event_id))

    def merges(self, collection: str, across_documents: bool = False) -> Iterator[Merge]:
        """Events of two or more mentions, by id; only those that span documents when asked."""
        found = self._rows(queries.MERGES, collection, documents=int(across_documents))
        rows = sorted(map(NODES[Label.EVENT].row, found), key=lambda row: str(row[EVENTS.columns.index("id")]))
        for part in chunks(rows, CHUNK):
            events = [(EVENTS.from_row(row), row) for row in part]
            members = self._members_of(collection, [event.id for event, _ in events])
            for event, row in events:
                yield Merge(event, tuple(members.get(event.id, ())), reasons_of(row))

    def edges(self, collection: str) -> Iterator[Edge]:
        """All edges, sorted by cause, effect and relation."""
        for ids in chunks(self.event_ids(collection), CHUNK):
            edges = [EDGES.from_fields(EDGE.fields(row)) for row in self._rows_in(queries.EDGES_FROM, collection, ids)]
            yield from sorted(edges, key=lambda edge: (edge.cause, edge.effect, edge.relation))

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
        if not relations:
            return []
        most = NO_LIMIT if limit_each is None else limit_each
        query = queries.EDGES_TO_CAUSES if direction is Direction.TO_CAUSES else queries.EDGES_TO_EFFECTS
        ((rows,),) = self._rows(
            _of_types(query, relations),
            collection,
            ids=sorted(set(event_ids)),
            relations=[relation.value for relation in relations],
            floor=floor,
            stand=0 if ruled_out is True else most,
            denied=0 if ruled_out is False else most,
        )
        return _sorted_edges(rows)

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
        if not relations:
            return EdgesBack([], leads_on=False, more=False)
        query = queries.EDGES_BACK_TO_CAUSES if direction is Direction.TO_CAUSES else queries.EDGES_BACK_TO_EFFECTS
        ((rows, leads_on, more),) = self._rows(
            _of_types(query, relations),
            collection,
            ids=sorted(set(event_ids)),
            floor=floor,
            most=limit_each,
            reached=list(reached),
        )
        return EdgesBack(_sorted_edges(rows), leads_on=leads_on, more=more)

    def _current(self, collection: str, event_id: str) -> str | None:
        if self._event_digests(collection, [event_id]):
            return event_id
        return self.event_of_mention(collection, Event.mention_id_of(event_id))


def _of_types(query: str, relations: Sequence[Relation]) -> str:
    return query.format(types="|".join(relation.value for relation in relations))


def _sorted_edges(rows: Sequence[Row]) -> list[Edge]:
    edges = [EDGES.from_fields(EDGE.fields(row)) for row in rows]
    return sorted(edges, key=by_confidence)
