"""Events, edges, similarity and the lease in the embedded store, as derivations read and write them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from kg.backend import EdgeKey
from kg.record_tables import CLAIMS, EDGES, EVENTS, Row
from kg.records import Claim, Edge
from kg.sqlite_tables import StoreTables

_CLAIMS_AT = (
    f"SELECT {CLAIMS.selected}, cause.event_id, effect.event_id FROM event_mention AS {{near}}"  # noqa: S608
    " CROSS JOIN claim ON claim.collection = {near}.collection AND claim.{near}_mention = {near}.mention_id"
    " CROSS JOIN event_mention AS {far}"
    " ON {far}.collection = claim.collection AND {far}.mention_id = claim.{far}_mention"
    " WHERE {near}.collection = ? AND {near}.event_id IN (SELECT value FROM json_each(?))"
)
_CLAIM_ID, _CAUSE_MENTION, _EFFECT_MENTION = (
    CLAIMS.columns.index(column) for column in ("id", "cause_mention", "effect_mention")
)
_CLAIMS_BY_CAUSE = _CLAIMS_AT.format(near="cause", far="effect")
_CLAIMS_BY_EFFECT = _CLAIMS_AT.format(near="effect", far="cause")
_EDGE_KEY = [EDGES.columns.index(column) for column in ("cause", "effect", "relation")]


class ClusterTables(StoreTables):
    """The derived tables, and who derives them."""

    def events_of_mentions(self, collection: str, mention_ids: Sequence[str]) -> dict[str, str]:
        """The event of each mention that refers to one."""
        sql = (
            "SELECT mention_id, event_id FROM event_mention WHERE collection = ?"
            " AND mention_id IN (SELECT value FROM json_each(?))"
        )
        return dict(self._rows_in(sql, collection, mention_ids))

    def _refer(self, collection: str, event_of: Mapping[str, str], before: Mapping[str, str]) -> None:
        self._file.run_many(
            "INSERT INTO event_mention (collection, mention_id, event_id) VALUES (?, ?, ?)"
            " ON CONFLICT (collection, mention_id) DO UPDATE SET event_id = excluded.event_id",
            [(collection, mention_id, event_id) for mention_id, event_id in event_of.items()],
        )

    def _referred(self, collection: str, event_ids: Sequence[str]) -> set[str]:
        sql = (
            "SELECT DISTINCT event_id FROM event_mention WHERE collection = ?"
            " AND event_id IN (SELECT value FROM json_each(?))"
        )
        return {row[0] for row in self._rows_in(sql, collection, event_ids)}

    def _members_of(self, collection: str, event_ids: Sequence[str]) -> dict[str, list[str]]:
        sql = (
            "SELECT event_id, mention_id FROM event_mention WHERE collection = ?"
            # The plus keeps the order from choosing the index, which would be read from end to end.
            " AND event_id IN (SELECT value FROM json_each(?)) ORDER BY +mention_id"
        )
        members: dict[str, list[str]] = defaultdict(list)
        for event_id, mention_id in self._rows_in(sql, collection, event_ids):
            members[event_id].append(mention_id)
        return dict(members)

    def _event_rows(self, collection: str, ids: Sequence[str]) -> dict[str, Row]:
        return self._by_ids(EVENTS, collection, ids)

    def _event_digests(self, collection: str, ids: Sequence[str]) -> dict[str, bytes]:
        sql = "SELECT id, digest FROM event WHERE collection = ? AND id IN (SELECT value FROM json_each(?))"
        return dict(self._rows_in(sql, collection, ids))

    def _put_events(self, collection: str, rows: Sequence[Row]) -> None:
        at = EVENTS.columns.index("id")
        self._file.run_many(
            "DELETE FROM event WHERE collection = ? AND id = ?", [(collection, row[at]) for row in rows]
        )
        self._file.run_many(EVENTS.insert, rows)

    def _delete_events(self, collection: str, ids: Sequence[str]) -> None:
        named = [(collection, id_) for id_ in ids]
        self._file.run_many("DELETE FROM event WHERE collection = ? AND id = ?", named)
        self._file.run_many("DELETE FROM similar_events WHERE collection = ? AND a = ?", named)
        self._file.run_many("DELETE FROM similar_events WHERE collection = ? AND b = ?", named)

    def _claims_at(
        self, collection: str, event_ids: Sequence[str], only_causes: bool = False
    ) -> tuple[list[Row], dict[str, str]]:
        rows: dict[str, Row] = {}
        event_of: dict[str, str] = {}
        for sql in (_CLAIMS_BY_CAUSE,) if only_causes else (_CLAIMS_BY_CAUSE, _CLAIMS_BY_EFFECT):
            for *row, cause, effect in self._rows_in(sql, collection, event_ids):
                rows[row[_CLAIM_ID]] = tuple(row)
                event_of[row[_CAUSE_MENTION]] = cause
                event_of[row[_EFFECT_MENTION]] = effect
        return [rows[id_] for id_ in sorted(rows)], event_of

    def _edge_digests(self, collection: str, event_ids: Sequence[str]) -> dict[EdgeKey, bytes]:
        found: dict[EdgeKey, bytes] = {}
        for end in ("cause", "effect"):
            sql = (
                f"SELECT cause, effect, relation, digest FROM edge WHERE collection = ? AND {end} IN"  # noqa: S608
                " (SELECT value FROM json_each(?))"
            )
            found.update(((row[0], row[1], row[2]), row[3]) for row in self._rows_in(sql, collection, event_ids))
        return found

    def _edge_rows(self, collection: str, causes: Sequence[str]) -> dict[EdgeKey, Row]:
        sql = f"{EDGES.select} WHERE collection = ? AND cause IN (SELECT value FROM json_each(?))"  # noqa: S608
        cause, effect, relation = _EDGE_KEY
        return {(row[cause], row[effect], row[relation]): row for row in self._rows_in(sql, collection, causes)}

    def _delete_edges(self, collection: str, keys: Sequence[EdgeKey]) -> None:
        self._file.run_many(
            "DELETE FROM edge WHERE collection = ? AND cause = ? AND effect = ? AND relation = ?",
            [(collection, *key) for key in keys],
        )

    def _insert_edges(self, collection: str, edges: Sequence[Edge], claims: Mapping[str, Claim]) -> None:
        self._file.run_many(EDGES.insert, [EDGES.to_row(edge) for edge in edges])

    def similar_pairs(self, collection: str, event_ids: Sequence[str]) -> set[tuple[str, str]]:
        """Pairs of similar events with one of these, the lesser first."""
        found: set[tuple[str, str]] = set()
        for end in ("a", "b"):
            sql = f"SELECT a, b FROM similar_events WHERE collection = ? AND {end} IN (SELECT value FROM json_each(?))"  # noqa: S608
            found.update((row[0], row[1]) for row in self._rows_in(sql, collection, event_ids))
        return found

    def _delete_similar(self, collection: str, pairs: Sequence[tuple[str, str]]) -> None:
        self._file.run_many(
            "DELETE FROM similar_events WHERE collection = ? AND a = ? AND b = ?", [(collection, *p) for p in pairs]
        )

    def _insert_similar(self, collection: str, pairs: Sequence[tuple[str, str]]) -> None:
        self._file.run_many(
            "INSERT INTO similar_events (collection, a, b) VALUES (?, ?, ?)", [(collection, *p) for p in pairs]
        )

    def _graph_size(self, collection: str) -> tuple[int, int]:
        events, edges = self._file.rows(
            "SELECT (SELECT count(*) FROM event WHERE collection = ?1),"
            " (SELECT count(*) FROM edge WHERE collection = ?1)",
            (collection,),
        )[0]
        return events, edges

    def _dangling(self, collection: str) -> Iterator[tuple[str, str]]:
        sql = (
            "SELECT mention_id, event_id FROM event_mention WHERE collection = ?1 AND (mention_id NOT IN"
            " (SELECT id FROM mention WHERE collection = ?1) OR event_id NOT IN"
            " (SELECT id FROM event WHERE collection = ?1)) ORDER BY mention_id"
        )
        return ((row[0], row[1]) for row in self._file.rows(sql, (collection,)))

    def _lease_held(self, collection: str) -> tuple[str, float] | None:
        held = self._file.rows("SELECT holder, expires FROM lease WHERE collection = ?", (collection,))
        return (held[0][0], held[0][1]) if held else None

    def _set_lease(self, collection: str, holder: str, expires: float) -> None:
        self._file.rows(
            "INSERT INTO lease (collection, holder, expires) VALUES (?, ?, ?)"
            " ON CONFLICT (collection) DO UPDATE SET holder = excluded.holder, expires = excluded.expires",
            (collection, holder, expires),
        )

    def _clear_lease(self, collection: str, holder: str) -> None:
        self._file.rows("DELETE FROM lease WHERE collection = ? AND holder = ?", (collection, holder))
