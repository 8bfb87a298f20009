"""Which claims a person has left out of the graph."""

from __future__ import annotations

from kg.records import Decision, DecisionKind
from kg.store import GraphStore


def standing_rejections(store: GraphStore, collection: str) -> dict[str, Decision]:
    """The decision that rejects each rejected claim, by the claim's id; one that was undone is none."""
    return {
        claim: decision
        for decision in store.decisions(collection)
        if decision.kind is DecisionKind.REJECT_CLAIM and not decision.undone
        for claim in decision.subject
    }
