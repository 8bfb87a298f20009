"""Events that are one happening told twice, as far as their words go, and that nothing made one event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping

from kg.records import DecisionKind
from kg.store import GraphStore
from language.content_words import content_keys
from traversal.deadline import Deadline
from traversal.likeness import nearly_equal

Alike = Callable[[Collection[str]], Mapping[str, frozenset[str]]]
"""The events that are told in nearly the same words, by event; of those alone that have any."""


def told_alike(store: GraphStore, collection: str, share: float, deadline: Deadline) -> Alike:
    """Finds for events those that resemble them and say no other word: one has all content words of the other.

    Of no different time, of the same polarity, and not kept apart by a standing decision. It does not carry over: what
    is told like one that is told like the event is another matter.

    Args:
        store: The graph.
        collection: The set of documents.
        share: Least share of all their content words that two have in common, 0 to 1.
        deadline: Asked before each event; what is past it raises.
    """
    apart = _apart(store, collection)

    def alike(ids: Collection[str]) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        events = store.events(collection, sorted(ids))
        for id_, event in sorted(events.items()):
            deadline.check()
            others = store.events(collection, store.similar_events(collection, id_))
            keys = content_keys(event.description)
            same = {
                other.id
                for other in others.values()
                if nearly_equal(event, other, share) and _within(keys, content_keys(other.description))
            }
            if apart:
                same = {other for other in same if not _kept_apart(id_, other)}
            if same:
                found[id_] = frozenset(same)
        return found

    def _kept_apart(one: str, other: str) -> bool:
        first, second = ({mention.id for mention in store.mentions_of_event(collection, id_)} for id_ in (one, other))
        return any(apart[id_] & second for id_ in first if id_ in apart)

    return alike


def _within(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one


def _apart(store: GraphStore, collection: str) -> dict[str, set[str]]:
    """For each mention that a person told apart from others, those others."""
    apart: dict[str, set[str]] = defaultdict(set)
    for decision in store.decisions(collection):
        if decision.kind is DecisionKind.SPLIT and not decision.undone:
            for id_ in decision.subject:
                apart[id_] |= {*decision.subject} - {id_}
    return dict(apart)
