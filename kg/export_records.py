"""What every export reads from the store, each kind in its fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kg.asked_order import chunks
from kg.records import Claim, Edge, Event, Mention
from kg.store import GraphStore

BATCH = 1_000
"""Events or edges read from the store at once."""


def mentions(store: GraphStore, collection: str) -> list[Mention]:
    """All mentions, sorted by id."""
    found = [
        mention for document in store.documents(collection) for mention in store.mentions_of(collection, document.id)
    ]
    return sorted(found, key=lambda mention: mention.id)


def claims(store: GraphStore, collection: str) -> list[Claim]:
    """All claims, sorted by id."""
    found = [claim for document in store.documents(collection) for claim in store.claims_of(collection, document.id)]
    return sorted(found, key=lambda claim: claim.id)


def events(store: GraphStore, collection: str) -> Iterator[Event]:
    """All events, sorted by id."""
    for batch in chunks(store.event_ids(collection), BATCH):
        found = store.events(collection, batch)
        yield from (found[event_id] for event_id in batch if event_id in found)


def similar_pairs(store: GraphStore, collection: str) -> Iterator[tuple[str, str]]:
    """Pairs of events that resemble each other, the lesser id first, sorted."""
    for batch in chunks(store.event_ids(collection), BATCH):
        first = frozenset(batch)
        yield from sorted(pair for pair in store.similar_pairs(collection, batch) if pair[0] in first)


def proved_edges(store: GraphStore, collection: str) -> Iterator[tuple[Edge, list[Claim]]]:
    """All edges, sorted by cause, effect and relation, each with its claims in the order of their ids."""
    edges = store.edges(collection)
    while batch := list(islice(edges, BATCH)):
        found = store.claims(collection, [claim_id for edge in batch for claim_id in edge.claims])
        yield from ((edge, [found[claim_id] for claim_id in edge.claims]) for edge in batch)
