"""Events, edges and similarity on the server, as derivations read and write them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from kg import neo4j_graph_queries as queries
from kg.asked_order import in_asked_order
from kg.backend import EdgeKey
from kg.graph_schema import Label, edge_properties, edge_type, style_labels
from kg.neo4j_queries import LINK_HYPOTHESES
from kg.neo4j_rows import DIGEST, EDGE, NODES, digest_bytes
from kg.neo4j_tables import ServerTables
from kg.record_tables import CLAIMS, EDGES, EVENTS, Row
from kg.records import Claim, Edge, Event

_EVENT = {column: at for at, column in enumerate(EVENTS.columns)}
_CLAIM = {column: at for at, column in enumerate(CLAIMS.columns)}
_EDGE_KEY = [EDGES.columns.index(column) for column in ("cause", "effect", "relation")]


class ClusterNodes(ServerTables):
    """The derived graph. What a mention refers to is repeated from its claims and passages, for short queries."""

    def events_of_mentions(self, collection: str, mention_ids: Sequence[str]) -> dict[str, str]:
        """The event of each mention that refers to one."""
        return {row[0]: row[1] for row in self._rows_in(queries.EVENTS_OF, collection, mention_ids)}

    def _refer(self, collection: str, event_of: Mapping[str, str], before: Mapping[str, str]) -> None:
        self._rows_in(queries.UNREFER, collection, list(before))
        rows = [{"mention": mention, "event": event} for mention, event in event_of.items()]
        self._write(queries.REFER, collection, rows)
        left = [{"mention": mention, "before": event} for mention, event in before.items()]
        self._write(queries.FORGET_PASSAGE_EVENTS, collection, left)
        # Also where nothing moved: a mention that a hypothesis was told by may have gone with its document.
        self._rows(LINK_HYPOTHESES, collection)

    def _referred(self, collection: str, event_ids: Sequence[str]) -> set[str]:
        return {row[0] for row in self._rows_in(queries.REFERRED, collection, event_ids)}

    def _members_of(self, collection: str, event_ids: Sequence[str]) -> dict[str, list[str]]:
        return {row[0]: sorted(row[1]) for row in self._rows_in(queries.MEMBERS_OF, collection, event_ids)}

    def _event_rows(self, collection: str, ids: Sequence[str]) -> dict[str, Row]:
        found = {row[_EVENT["id"]]: row for row in self._rows_in(queries.EVENTS, collection, ids)}
        return {id_: NODES[Label.EVENT].row(row) for id_, row in in_asked_order(found, ids).items()}

    def _event_digests(self, collection: str, ids: Sequence[str]) -> dict[str, bytes]:
        return {row[0]: digest_bytes(row[1]) for row in self._rows_in(queries.EVENT_DIGESTS, collection, ids)}

    def _put_events(self, collection: str, rows: Sequence[Row]) -> None:
        written = [
            {
                "properties": NODES[Label.EVENT].properties(row),
                "least": Event.mention_id_of(row[_EVENT["id"]]),
                "labels": style_labels(row[_EVENT["polarity"]], row[_EVENT["modality"]], row[_EVENT["document_count"]]),
            }
            for row in rows
        ]
        self._write(queries.PUT_EVENTS, collection, written)

    def _delete_events(self, collection: str, ids: Sequence[str]) -> None:
        self._rows_in(queries.DELETE_EVENTS, collection, ids)

    def _claims_at(
        self, collection: str, event_ids: Sequence[str], only_causes: bool = False
    ) -> tuple[list[Row], dict[str, str]]:
        rows: dict[str, Row] = {}
        event_of: dict[str, str] = {}
        query = queries.CLAIMS_FROM if only_causes else queries.CLAIMS_AT
        for *values, cause, effect in self._rows_in(query, collection, event_ids):
            row = NODES[Label.CLAIM].row(values)
            # As text, because another program may have written what is none; reading the claim refuses it.
            rows[str(row[_CLAIM["id"]])] = row
            event_of[str(row[_CLAIM["cause_mention"]])] = cause
            event_of[str(row[_CLAIM["effect_mention"]])] = effect
        return [rows[id_] for id_ in sorted(rows)], event_of

    def _edge_digests(self, collection: str, event_ids: Sequence[str]) -> dict[EdgeKey, bytes]:
        found = self._rows_in(queries.EDGE_DIGESTS, collection, event_ids)
        return {(row[0], row[1], row[2]): digest_bytes(row[3]) for row in found}

    def _edge_rows(self, collection: str, causes: Sequence[str]) -> dict[EdgeKey, Row]:
        cause, effect, relation = _EDGE_KEY
        rows = map(EDGE.row, self._rows_in(queries.EDGES_FROM, collection, causes))
        return {(row[cause], row[effect], row[relation]): row for row in rows}

    def _delete_edges(self, collection: str, keys: Sequence[EdgeKey]) -> None:
        rows = [{"cause": cause, "effect": effect, "relation": relation} for cause, effect, relation in keys]
        self._write(queries.DELETE_EDGES, collection, rows)

    def _insert_edges(self, collection: str, edges: Sequence[Edge], claims: Mapping[str, Claim]) -> None:
        rows: dict[str, list[dict[str, object]]] = defaultdict(list)
        for edge in edges:
            proofs = [claims[id_] for id_ in edge.claims]
            properties = edge_properties(edge, [c.quote for c in proofs], [c.document_id for c in proofs])
            properties[DIGEST] = _digest(EDGES.to_row(edge))
            rows[edge_type(edge)].append({"cause": edge.cause, "effect": edge.effect, "properties": properties})
        for type_ in sorted(rows):
            self._write(queries.INSERT_EDGES[type_], collection, rows[type_])

    def similar_pairs(self, collection: str, event_ids: Sequence[str]) -> set[tuple[str, str]]:
        """Pairs of similar events with one of these, the lesser first."""
        return {(row[0], row[1]) for row in self._rows_in(queries.SIMILAR_AT, collection, event_ids)}

    def _delete_similar(self, collection: str, pairs: Sequence[tuple[str, str]]) -> None:
        self._write(queries.DELETE_SIMILAR, collection, [{"a": a, "b": b} for a, b in pairs])

    def _insert_similar(self, collection: str, pairs: Sequence[tuple[str, str]]) -> None:
        self._write(queries.INSERT_SIMILAR, collection, [{"a": a, "b": b} for a, b in pairs])

    def _graph_size(self, collection: str) -> tuple[int, int]:
        events, edges = self._rows(queries.GRAPH_SIZE, collection)[0]
        return events, edges

    def _dangling(self, collection: str) -> Iterator[tuple[str, str]]:
        found = self._rows(queries.DANGLING, collection)
        return iter(sorted((row[0], row[1]) for row in found))


def _digest(row: Row) -> str:
    return bytes(row[-1]).hex()
