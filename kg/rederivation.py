"""Derives events and edges once more from what is stored, and tells where the stored ones differ."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from kg.clusters import Clusters
from kg.derivation import describe_event
from kg.record_tables import CLAIMS, EDGES, EVENTS

CHUNK = 500
"""Events compared at once."""

_CLAIM = {column: at for at, column in enumerate(CLAIMS.columns)}

Difference = tuple[str, str, str]
"""Kind of record, its id, and what is wrong."""


class Rederivation(Clusters):
    """A store that can be compared with what its records add up to."""

    def differences(self, collection: str, event_ids: list[str], wrong: Collection[str]) -> Iterator[Difference]:
        """Events and edges that are not what their mentions and claims add up to.

        Of a collection that waits for derivation only mentions and events that point nowhere are told of.

        Args:
            event_ids: All events of the collection.
            wrong: Ids of records that are known to be damaged; what rests on them is not compared.
        """
        known = frozenset(wrong)
        for mention_id, event_id in self._dangling(collection):
            yield "event", event_id, f"it is missing, or its mention {mention_id} is"
        if self.pending(collection):
            return
        for at in range(0, len(event_ids), CHUNK):
            part = event_ids[at : at + CHUNK]
            yield from self._wrong_events(collection, part, known)
            yield from self._wrong_edges(collection, part, known)

    def _wrong_events(self, collection: str, ids: list[str], wrong: frozenset[str]) -> Iterator[Difference]:
        members = self._members_of(collection, ids)
        sound = [id_ for group in members.values() for id_ in group if id_ not in wrong]
        mentions = self.mentions(collection, sound)
        stored = self._event_rows(collection, ids)
        for id_ in ids:
            group = members.get(id_, [])
            known = [mentions[member] for member in group if member in mentions]
            if id_ in wrong or wrong.intersection(group) or id_ not in stored:
                continue
            if not known:
                yield "event", id_, "no mention refers to it"
                continue
            event, described_by = describe_event(known)
            why = stored[id_][-1]
            if EVENTS.to_row(event, described_by=described_by, reasons=why)[:-1] != tuple(stored[id_]):
                yield "event", id_, "it is not what its mentions add up to"

    def _wrong_edges(self, collection: str, causes: list[str], wrong: frozenset[str]) -> Iterator[Difference]:
        rows, event_of = self._claims_at(collection, causes, only_causes=True)
        whole = {mention: event for mention, event in event_of.items() if not wrong & {mention, event}}
        sound = [CLAIMS.from_row(row) for row in rows if row[_CLAIM["id"]] not in wrong]
        edges = self._edges_of(collection, sound, whole)
        wanted = {(edge.cause, edge.effect, edge.relation.value): EDGES.to_row(edge)[:-1] for edge in edges}
        stored = self._edge_rows(collection, causes)
        uncertain = {
            (event_of[row[_CLAIM["cause_mention"]]], event_of[row[_CLAIM["effect_mention"]]], row[_CLAIM["relation"]])
            for row in rows
            if wrong & {row[_CLAIM["id"]], row[_CLAIM["cause_mention"]], row[_CLAIM["effect_mention"]]}
        }
        for key in sorted(wanted.keys() | stored.keys()):
            cause, effect, relation = key
            name = f"{cause} {relation} {effect}"
            if wanted.get(key) != stored.get(key) and key not in uncertain and not wrong & {cause, effect, name}:
                yield "edge", name, "it is not what its claims add up to"
