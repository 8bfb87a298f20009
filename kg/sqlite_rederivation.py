"""Derives events and edges once more from what is stored, and tells where the stored ones differ."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from kg.derivation import describe_event
from kg.record_tables import CLAIMS, EDGES, EVENTS, MENTIONS
from kg.sqlite_clusters import ClusterTables
from kg.sqlite_connection import StoreFile
from kg.sqlite_marks import MarkTables
from kg.sqlite_tables import CHUNK

_CLAIM = {column: at for at, column in enumerate(CLAIMS.columns)}
_EDGE_KEY = [EDGES.columns.index(column) for column in ("cause", "effect", "relation")]

Difference = tuple[str, str, str]
"""Kind of record, its id, and what is wrong."""


def differences(file: StoreFile, collection: str, wrong: Collection[str]) -> Iterator[Difference]:
    """Events and edges that are not what their mentions and claims add up to.

    A collection with marked blocks waits for derivation, so only mentions and events that point nowhere are told of.

    Args:
        wrong: Ids of records that are known to be damaged; what rests on them is not compared.
    """
    return _Rederivation(file).differences(collection, frozenset(wrong))


class _Rederivation(ClusterTables, MarkTables):
    def differences(self, collection: str, wrong: frozenset[str]) -> Iterator[Difference]:
        yield from self._dangling(collection)
        if self.pending(collection):
            return
        sql = "SELECT id FROM event WHERE collection = ? ORDER BY id"
        events = [row[0] for row in self._file.rows(sql, (collection,))]
        for at in range(0, len(events), CHUNK):
            part = events[at : at + CHUNK]
            yield from self._wrong_events(collection, part, wrong)
            yield from self._wrong_edges(collection, part, wrong)

    def _dangling(self, collection: str) -> Iterator[Difference]:
        sql = (
            "SELECT mention_id, event_id FROM event_mention WHERE collection = ?1 AND (mention_id NOT IN"
            " (SELECT id FROM mention WHERE collection = ?1) OR event_id NOT IN"
            " (SELECT id FROM event WHERE collection = ?1)) ORDER BY mention_id"
        )
        for mention_id, event_id in self._file.rows(sql, (collection,)):
            yield "event", event_id, f"it is missing, or its mention {mention_id} is"

    def _wrong_events(self, collection: str, ids: list[str], wrong: frozenset[str]) -> Iterator[Difference]:
        members = self._members_of(collection, ids)
        mentions = self._by_ids(MENTIONS, collection, [id_ for group in members.values() for id_ in group])
        stored = self._by_ids(EVENTS, collection, ids)
        for id_ in ids:
            known = [member for member in members[id_] if member in mentions]
            if id_ in wrong or wrong.intersection(members[id_]) or id_ not in stored:
                continue
            if not known:
                yield "event", id_, "no mention refers to it"
                continue
            event, described_by = describe_event([MENTIONS.from_row(mentions[member]) for member in known])
            why = stored[id_][-1]
            if EVENTS.to_row(event, described_by=described_by, reasons=why)[:-1] != tuple(stored[id_]):
                yield "event", id_, "it is not what its mentions add up to"

    def _wrong_edges(self, collection: str, causes: list[str], wrong: frozenset[str]) -> Iterator[Difference]:
        rows, event_of = self._claims_at(collection, causes, only_causes=True)
        whole = {mention: event for mention, event in event_of.items() if not wrong & {mention, event}}
        sound = [row for row in rows if row[_CLAIM["id"]] not in wrong]
        edges = self._edges_of(collection, sound, whole)
        wanted = {(edge.cause, edge.effect, edge.relation.value): EDGES.to_row(edge)[:-1] for edge in edges}
        sql = f"{EDGES.select} WHERE collection = ? AND cause IN (SELECT value FROM json_each(?))"  # noqa: S608
        stored = {tuple(row[at] for at in _EDGE_KEY): row for row in self._rows_in(sql, collection, causes)}
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
