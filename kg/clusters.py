"""Writes events and re-derives the edges at them; only what differs from what is stored is written."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from kg.backend import Backend
from kg.derivation import derive_edges, describe_event
from kg.record_tables import CLAIMS, EDGES, EVENTS, Row, reasons_of
from kg.records import Claim, Edge, Event, Mention


class Clusters(Backend):
    """The derived graph, written by derivations and by deletions alike; all methods work inside `_transact`."""

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
        wanted: dict[str, Row] = {}
        events: dict[str, Event] = {}
        event_of: dict[str, str] = {}
        for cluster in clusters:
            event, described_by = describe_event(cluster)
            least = min(mention.id for mention in cluster)
            why = json.dumps(reasons.get(least, ()), ensure_ascii=False)
            events[event.id] = event
            wanted[event.id] = EVENTS.to_row(event, described_by=described_by, reasons=why)
            event_of.update((mention.id, event.id) for mention in cluster)
        referred = self.events_of_mentions(collection, sorted(event_of))
        stored = self._event_digests(collection, sorted(wanted))
        new = [id_ for id_ in sorted(wanted) if stored.get(id_) != wanted[id_][-1]]
        self._put_events(collection, [wanted[id_] for id_ in new])
        moved = {id_: event_of[id_] for id_ in sorted(event_of) if referred.get(id_) != event_of[id_]}
        left = {id_: referred[id_] for id_ in moved if id_ in referred}
        self._refer(collection, moved, left)
        gone = self._forsaken(collection, {*before, *left.values()})
        # Edges follow from claims and their events: where neither an event nor its mentions differ, its edges stay.
        changed = {*before, *new, *moved.values(), *left.values()}
        differs = self._derive_edges_at(collection, sorted(changed), events)
        self._delete_events(collection, gone)
        return differs or bool(new or gone or moved)

    def _forsaken(self, collection: str, event_ids: Collection[str]) -> list[str]:
        """Those of the events that are there though no mention refers to them any more."""
        asked = sorted(event_ids)
        there = self._event_digests(collection, asked)
        kept = self._referred(collection, asked)
        return [id_ for id_ in asked if id_ in there and id_ not in kept]

    def _derive_edges_at(
        self, collection: str, touched: Sequence[str], known: Mapping[str, Event] | None = None
    ) -> bool:
        """Derives every edge at these events from the claims that are there now; whether any differs.

        Args:
            known: Events as they are now, which need not be read.
        """
        if not touched:
            return False
        rows, event_of = self._claims_at(collection, touched)
        claims = [CLAIMS.from_row(row) for row in rows]
        derived = self._edges_of(collection, claims, event_of, known)
        edges = {(edge.cause, edge.effect, edge.relation.value): edge for edge in derived}
        wanted = {key: EDGES.to_row(edge)[-1] for key, edge in edges.items()}
        stored = self._edge_digests(collection, touched)
        stale = [key for key in sorted(stored) if wanted.get(key) != stored[key]]
        new = [key for key in sorted(wanted) if stored.get(key) != wanted[key]]
        self._delete_edges(collection, stale)
        self._insert_edges(collection, [edges[key] for key in new], {claim.id: claim for claim in claims})
        return bool(stale or new)

    def _edges_of(
        self,
        collection: str,
        claims: Sequence[Claim],
        event_of: Mapping[str, str],
        known: Mapping[str, Event] | None = None,
        copies: Mapping[str, str] | None = None,
    ) -> list[Edge]:
        """The edges that claims add up to.

        Args:
            copies: The group of each document that is in one of near-copies; as stored when not given.
        """
        known = known or {}
        unknown = sorted(set(event_of.values()) - known.keys())
        if copies is None:
            copies = self._copy_groups(collection, sorted({claim.document_id for claim in claims}))
        return derive_edges(
            claims,
            event_of,
            {**known, **self.events(collection, unknown)},
            copies,
            self._rejected_claims(collection),
        )

    def _regroup(self, collection: str, events: Sequence[str]) -> None:
        """Describes events anew by the mentions that are left to them, after others were removed."""
        if not events:
            return
        members = self._members_of(collection, events)
        mentions = self.mentions(collection, sorted(id_ for ids in members.values() for id_ in ids))
        stored = self._event_rows(collection, sorted(members))
        reasons = {min(ids): reasons_of(stored[id_]) for id_, ids in members.items() if len(ids) > 1}
        clusters = [[mentions[id_] for id_ in members[event_id]] for event_id in sorted(members)]
        self._write_clusters(collection, events, clusters, reasons)
