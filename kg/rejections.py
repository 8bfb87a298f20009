"""What a person has left out of the graph, or decided of a hypothesis, and the hypotheses that nobody decided on."""

from __future__ import annotations

from kg.records import ON_HYPOTHESES, Decision, DecisionKind, Event, Hypothesis
from kg.store import GraphStore


def standing_rejections(store: GraphStore, collection: str) -> dict[str, Decision]:
    """The decision that rejects each rejected claim, by the claim's id; one that was undone is none."""
    return {
        claim: decision
        for decision in store.decisions(collection)
        if decision.kind is DecisionKind.REJECT_CLAIM and not decision.undone
        for claim in decision.subject
    }


def decided_hypotheses(store: GraphStore, collection: str) -> dict[str, Decision]:
    """The decision that stands on each hypothesis, by the hypothesis' id; one that was undone is none."""
    return {
        decision.subject[-1]: decision
        for decision in store.decisions(collection)
        if decision.kind in ON_HYPOTHESES and not decision.undone
    }


def rejected_links(store: GraphStore, collection: str) -> frozenset[tuple[str, str]]:
    """Cause and effect, as the events are called now, of each hypothesis that a standing decision rejects."""
    decided = decided_hypotheses(store, collection)
    rejected = {id_ for id_, one in decided.items() if one.kind is DecisionKind.REJECT_HYPOTHESIS}
    if not rejected:
        return frozenset()
    found = [one for one in store.hypotheses(collection) if one.id in rejected]
    now = _events_now(store, collection, found)
    return frozenset((now.get(one.cause, one.cause), now.get(one.effect, one.effect)) for one in found)


def open_hypotheses(store: GraphStore, collection: str) -> list[tuple[Hypothesis, str, str]]:
    """The hypotheses that no standing decision is of, each with its cause and effect as the events are called now.

    One whose events have gone, or have become one event, is left out. Sorted by id.
    """
    decided = decided_hypotheses(store, collection)
    found = [one for one in store.hypotheses(collection) if one.id not in decided]
    now = _events_now(store, collection, found) if found else {}
    placed = [(one, now[one.cause], now[one.effect]) for one in found if one.cause in now and one.effect in now]
    return sorted(((one, a, b) for one, a, b in placed if a != b), key=lambda told: told[0].id)


def _events_now(store: GraphStore, collection: str, hypotheses: list[Hypothesis]) -> dict[str, str]:
    """The event that now holds the mention which each event's id was made from."""
    told = {event: Event.mention_id_of(event) for one in hypotheses for event in (one.cause, one.effect)}
    held = store.events_of_mentions(collection, sorted(set(told.values())))
    return {event: held[mention] for event, mention in told.items() if mention in held}
