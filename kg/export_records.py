"""What every export reads from the store, each kind in its fixed order."""

from __future__ import annotations

from collections.abc import Iterator

from kg.records import Claim, Edge, Event, Mention
from kg.store import GraphStore

BATCH = 1_000
"""Events read from the store at once."""


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
    ids = store.event_ids(collection)
    for start in range(0, len(ids), BATCH):
        found = store.events(collection, ids[start : start + BATCH])
        yield from (found[event_id] for event_id in ids[start : start + BATCH] if event_id in found)


def similar_pairs(store: GraphStore, collection: str) -> Iterator[tuple[str, str]]:
    """Pairs of events that resemble each other, the lesser id first, sorted."""
    for event_id in store.event_ids(collection):
        for other in store.similar_events(collection, event_id):
            if event_id < other:
                yield event_id, other


def edge_proofs(store: GraphStore, collection: str, edge: Edge) -> dict[str, list[str]]:
    """Quote and document id of each claim of an edge, in the order of its claims."""
    found = store.claims(collection, edge.claims)
    proofs = [found[claim_id] for claim_id in edge.claims]
    return {
        "quotes": [claim.quote for claim in proofs],
        "documents": [claim.document_id for claim in proofs],
    }
