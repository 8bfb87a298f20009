"""Derives events and edges once more from what is stored, and tells where the stored ones differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from kg.block_marks import BlockMarks
from kg.clusters import Clusters
from kg.copy_groups import CopyGroups
from kg.derivation import describe_event
from kg.derivations import MENTIONS_PER_STEP, resolve_block
from kg.record_tables import CLAIMS, EDGES, EVENTS
from kg.records import Event, Mention
from kg.resolution import Resolver

CHUNK = 500
"""Events compared at once."""

_CLAIM = {column: at for at, column in enumerate(CLAIMS.columns)}

Difference = tuple[str, str, str]
"""Kind of record, its id, and what is wrong."""


class Rederivation(CopyGroups, BlockMarks, Clusters):
    """A store that can be compared with what its records add up to."""

    def differences(
        self, collection: str, event_ids: list[str], wrong: Collection[str], resolver: Resolver | None
    ) -> Iterator[Difference]:
        """Near-copies, events, edges and similar events that are not what the records add up to; marks of nothing.

        An event with a mention of a kind that waits for derivation is not compared.

        Args:
            event_ids: All events of the collection.
            wrong: Ids of records that are known to be damaged; what rests on them is not compared.
            resolver: What resolved the mentions; without it, or when another version did, clusters are taken as they
                are, and similar events are not compared.
        """
        known = frozenset(wrong)
        for mention_id, event_id in self._dangling(collection):
            yield "event", event_id, f"it is missing, or its mention {mention_id} is"
        marks = self._marks(collection)
        for kind in sorted(set(marks).difference(self._kinds(collection))):
            yield "mark", kind, "it waits for derivation, though no mention is of this kind"
        found, copies = self._check_copies(collection, known)
        yield from found
        for at in range(0, len(event_ids), CHUNK):
            part = event_ids[at : at + CHUNK]
            yield from self._wrong_events(collection, part, known, frozenset(marks))
            yield from self._wrong_edges(collection, part, known, copies)
        if resolver is not None and not marks and self._resolver_of(collection) == resolver.version:
            yield from self._wrong_clusters(collection, resolver)

    def _wrong_events(
        self, collection: str, ids: list[str], wrong: frozenset[str], marks: frozenset[str]
    ) -> Iterator[Difference]:
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
            if marks.intersection(mention.kind for mention in known):
                continue
            event, described_by = describe_event(known)
            why = stored[id_][-1]
            if EVENTS.to_row(event, described_by=described_by, reasons=why)[:-1] != tuple(stored[id_]):
                yield "event", id_, "it is not what its mentions add up to"

    def _wrong_edges(
        self, collection: str, causes: list[str], wrong: frozenset[str], copies: Mapping[str, str]
    ) -> Iterator[Difference]:
        rows, event_of = self._claims_at(collection, causes, only_causes=True)
        whole = {mention: event for mention, event in event_of.items() if not wrong & {mention, event}}
        sound = [CLAIMS.from_row(row) for row in rows if str(row[_CLAIM["id"]]) not in wrong]
        edges = self._edges_of(collection, sound, whole, copies=copies)
        wanted = {(edge.cause, edge.effect, edge.relation.value): EDGES.to_row(edge)[:-1] for edge in edges}
        stored = self._edge_rows(collection, causes)
        uncertain = set()
        for row in rows:
            id_, cause, effect = (str(row[_CLAIM[column]]) for column in ("id", "cause_mention", "effect_mention"))
            if wrong & {id_, cause, effect}:
                uncertain.add((event_of[cause], event_of[effect], str(row[_CLAIM["relation"]])))
        for key in sorted(wanted.keys() | stored.keys()):
            cause, effect, relation = key
            name = f"{cause} {relation} {effect}"
            if wanted.get(key) != stored.get(key) and key not in uncertain and not wrong & {cause, effect, name}:
                yield "edge", name, "it is not what its claims add up to"

    def _wrong_clusters(self, collection: str, resolver: Resolver) -> Iterator[Difference]:
        """Events that hold or resemble others than the resolver says, block by block."""
        decisions = self._standing_on_mentions(collection)
        block_of = self._tied_kinds(collection)
        for part in self._block_parts(collection, block_of):
            blocks: dict[str, list[Mention]] = defaultdict(list)
            for mention in self._block(collection, part):
                blocks[block_of.get(mention.kind, mention.kind)].append(mention)
            wanted: dict[str, str] = {}
            resembling: set[tuple[str, str]] = set()
            for block in sorted(blocks):
                clusters, _, similar = resolve_block(blocks[block], decisions, resolver)
                resembling |= similar
                for cluster in clusters:
                    event_id = Event.id_of(min(mention.id for mention in cluster))
                    wanted.update((mention.id, event_id) for mention in cluster)
            stored = self.events_of_mentions(collection, sorted(wanted))
            for mention_id in sorted(wanted):
                if stored.get(mention_id) != wanted[mention_id]:
                    yield "mention", mention_id, f"it does not refer to the event {wanted[mention_id]}, as resolved"
            pairs = self.similar_pairs(collection, sorted(set(wanted.values())))
            for a, b in sorted(pairs ^ resembling):
                what = f"it resembles {b}, but was not resolved so"
                yield "event", a, what if (a, b) in pairs else f"it does not resemble {b}, as resolved"

    def _block_parts(self, collection: str, block_of: Mapping[str, str]) -> Iterator[list[str]]:
        """All kinds, those of a block together, in parts of about `MENTIONS_PER_STEP` mentions."""
        kinds = sorted(self._kinds(collection), key=lambda kind: (block_of.get(kind, kind), kind))
        sizes = self._kind_sizes(collection, kinds)
        part: list[str] = []
        for kind in kinds:
            same = bool(part) and block_of.get(part[-1], part[-1]) == block_of.get(kind, kind)
            if not same and sum(sizes.get(taken, 0) for taken in part) >= MENTIONS_PER_STEP:
                yield part
                part = []
            part.append(kind)
        yield part
