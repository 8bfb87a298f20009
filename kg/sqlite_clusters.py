"""Writes events and re-derives the edges at them; only what differs from what is stored is written."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from kg.derivation import derive_edges, describe_event
from kg.record_tables import CLAIMS, EDGES, EVENTS, MENTIONS
from kg.records import Edge, Mention
from kg.sqlite_connection import Row
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


class ClusterTables(StoreTables):
    """The derived tables, written by derivations and by deletions alike; all methods work inside `writing`."""

    def _write_clusters(
        self,
        collection: str,
        before: Collection[str],
        clusters: Iterable[Sequence[Mention]],
        reasons: Mapping[str, tuple[str, ...]],
    ) -> bool:
        """Makes the events `before` and those of the clustered mentions into the clusters; whether anything changed.

        An event of `before` goes when no mention refers to it any more; one that a mention of another block still
        refers to waits for the derivation of that block. Edges at all of them are derived anew.

        Args:
            reasons: By the least mention id of a cluster, why its mentions are one.
        """
        wanted: dict[str, tuple[object, ...]] = {}
        event_of: dict[str, str] = {}
        for cluster in clusters:
            event, described_by = describe_event(cluster)
            least = min(mention.id for mention in cluster)
            why = json.dumps(reasons.get(least, ()), ensure_ascii=False)
            wanted[event.id] = EVENTS.to_row(event, described_by=described_by, reasons=why)
            event_of.update((mention.id, event.id) for mention in cluster)
        referred = self._events_of(collection, sorted(event_of))
        touched = sorted({*before, *referred.values(), *wanted})
        self._file.run_many(
            "INSERT INTO event_mention (collection, mention_id, event_id) VALUES (?, ?, ?)"
            " ON CONFLICT (collection, mention_id) DO UPDATE SET event_id = excluded.event_id",
            [(collection, id_, event_of[id_]) for id_ in sorted(event_of) if referred.get(id_) != event_of[id_]],
        )
        changed = self._write_events(collection, touched, wanted)
        return self._derive_edges_at(collection, touched) or changed or referred != event_of

    def _write_events(self, collection: str, touched: Sequence[str], wanted: Mapping[str, tuple[object, ...]]) -> bool:
        sql = "SELECT id, digest FROM event WHERE collection = ? AND id IN (SELECT value FROM json_each(?))"
        stored: dict[str, bytes] = dict(self._rows_in(sql, collection, touched))
        sql = (
            "SELECT DISTINCT event_id FROM event_mention WHERE collection = ?"
            " AND event_id IN (SELECT value FROM json_each(?))"
        )
        referred = {row[0] for row in self._rows_in(sql, collection, touched)}
        gone = [id_ for id_ in touched if id_ in stored and id_ not in referred]
        new = [id_ for id_ in sorted(wanted) if stored.get(id_) != wanted[id_][-1]]
        self._file.run_many(
            "DELETE FROM event WHERE collection = ? AND id = ?",
            [(collection, id_) for id_ in [*gone, *new]],
        )
        self._file.run_many(
            "DELETE FROM similar_events WHERE collection = ?1 AND a = ?2", [(collection, id_) for id_ in gone]
        )
        self._file.run_many(
            "DELETE FROM similar_events WHERE collection = ?1 AND b = ?2", [(collection, id_) for id_ in gone]
        )
        self._file.run_many(EVENTS.insert, [wanted[id_] for id_ in new])
        return bool(gone or new)

    def _derive_edges_at(self, collection: str, touched: Sequence[str]) -> bool:
        """Derives every edge at these events from the claims that are there now; whether any differs."""
        claims, event_of = self._claims_at(collection, touched)
        edges = self._edges_of(collection, claims, event_of)
        wanted = {(edge.cause, edge.effect, edge.relation.value): EDGES.to_row(edge) for edge in edges}
        stored = self._stored_edges(collection, touched)
        stale = [key for key in sorted(stored) if key not in wanted or wanted[key][-1] != stored[key]]
        new = [key for key in sorted(wanted) if stored.get(key) != wanted[key][-1]]
        self._file.run_many(
            "DELETE FROM edge WHERE collection = ? AND cause = ? AND effect = ? AND relation = ?",
            [(collection, *key) for key in stale],
        )
        self._file.run_many(EDGES.insert, [wanted[key] for key in new])
        return bool(stale or new)

    def _claims_at(
        self, collection: str, touched: Sequence[str], only_causes: bool = False
    ) -> tuple[list[Row], dict[str, str]]:
        """Rows of the claims that link these events with others, by id, and the events of their mentions."""
        rows: dict[str, Row] = {}
        event_of: dict[str, str] = {}
        for sql in (_CLAIMS_BY_CAUSE,) if only_causes else (_CLAIMS_BY_CAUSE, _CLAIMS_BY_EFFECT):
            for *row, cause, effect in self._rows_in(sql, collection, touched):
                rows[row[_CLAIM_ID]] = tuple(row)
                event_of[row[_CAUSE_MENTION]] = cause
                event_of[row[_EFFECT_MENTION]] = effect
        return [rows[id_] for id_ in sorted(rows)], event_of

    def _edges_of(self, collection: str, rows: Iterable[Row], event_of: Mapping[str, str]) -> list[Edge]:
        """The edges that claims add up to."""
        claims = [CLAIMS.from_row(row) for row in rows]
        events = self._by_ids(EVENTS, collection, sorted(set(event_of.values())))
        return derive_edges(
            claims,
            event_of,
            {id_: EVENTS.from_row(row) for id_, row in events.items()},
            self._copy_groups(collection, sorted({claim.document_id for claim in claims})),
            self._rejected_claims(collection),
        )

    def _stored_edges(self, collection: str, touched: Sequence[str]) -> dict[tuple[str, str, str], bytes]:
        found: list[Row] = []
        for end in ("cause", "effect"):
            sql = (
                f"SELECT cause, effect, relation, digest FROM edge WHERE collection = ? AND {end} IN"  # noqa: S608
                " (SELECT value FROM json_each(?))"
            )
            found.extend(self._rows_in(sql, collection, touched))
        return {(cause, effect, relation): digest for cause, effect, relation, digest in found}

    def _regroup(self, collection: str, events: Sequence[str]) -> None:
        """Describes events anew by the mentions that are left to them, after others were removed."""
        members = self._members_of(collection, events)
        left = self._by_ids(MENTIONS, collection, sorted(id_ for ids in members.values() for id_ in ids))
        mentions = {id_: MENTIONS.from_row(row) for id_, row in left.items()}
        stored = self._by_ids(EVENTS, collection, sorted(members))
        reasons = {min(ids): tuple(json.loads(stored[id_][-1])) for id_, ids in members.items() if len(ids) > 1}
        clusters = [[mentions[id_] for id_ in members[event_id]] for event_id in sorted(members)]
        self._write_clusters(collection, events, clusters, reasons)

    def _members_of(self, collection: str, events: Sequence[str]) -> dict[str, list[str]]:
        """Sorted ids of the mentions of each event; an empty list for an event that has none."""
        sql = (
            "SELECT event_id, mention_id FROM event_mention WHERE collection = ?"
            " AND event_id IN (SELECT value FROM json_each(?)) ORDER BY mention_id"
        )
        members: dict[str, list[str]] = defaultdict(list)
        for event_id, mention_id in self._rows_in(sql, collection, events):
            members[event_id].append(mention_id)
        return members

    def _events_of(self, collection: str, mention_ids: Sequence[str]) -> dict[str, str]:
        sql = (
            "SELECT mention_id, event_id FROM event_mention WHERE collection = ?"
            " AND mention_id IN (SELECT value FROM json_each(?))"
        )
        return dict(self._rows_in(sql, collection, mention_ids))

    def _copy_groups(self, collection: str, document_ids: Sequence[str]) -> dict[str, str]:
        sql = (
            "SELECT document_id, least FROM copy_group WHERE collection = ?"
            " AND document_id IN (SELECT value FROM json_each(?))"
        )
        return dict(self._rows_in(sql, collection, document_ids))

    def _rejected_claims(self, collection: str) -> frozenset[str]:
        rows = self._file.rows(
            "SELECT subject_id FROM decision JOIN decision_subject"
            " ON decision_subject.collection = decision.collection AND decision_subject.decision_id = decision.id"
            " WHERE decision.collection = ? AND decision.kind = 'reject_claim' AND decision.undone = 0",
            (collection,),
        )
        return frozenset(row[0] for row in rows)
