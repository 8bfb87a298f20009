"""Suggestions of merges read a graph through the protocol alone: the same on every store."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import create_autospec

import numpy as np

from extraction.suggestions import suggest
from kg.records import DecisionKind
from kg.store import GraphStore
from models.event_coreference import EventCoreference, Telling
from tests.conformance.material import ByName, Statement, bundle_of, decision_of


def head() -> EventCoreference:
    """To it the pair is likelier whose texts begin later in the alphabet."""
    made = create_autospec(EventCoreference, instance=True)
    made.read.side_effect = lambda tellings: np.zeros((len(tellings), 3, 4), np.float32)

    def probabilities(tellings: Sequence[Telling], _: object, pairs: Sequence[tuple[int, int]]) -> np.ndarray:
        return np.array([0.9 if "3" in tellings[a].lemma + tellings[b].lemma else 0.6 for a, b in pairs], np.float32)

    made.probabilities.side_effect = probabilities
    found: EventCoreference = made
    return found


def words(store: GraphStore) -> list[set[str]]:
    return [{mention.text for mention in one.mentions} for one in suggest(store, "main", head, 20, 0.5)]


def test_events_of_a_kind_are_suggested_unless_told_or_said_apart(store: GraphStore) -> None:
    store.commit_document(bundle_of("a", [Statement("leak-1", "stop-1", cause_day=1)]))
    store.commit_document(bundle_of("b", [Statement("leak-2", "halt-1", cause_day=1)]))
    store.commit_document(bundle_of("c", [Statement("leak-3", "halt-2")]))
    store.commit_document(bundle_of("d", [Statement("leak-4", "stay-1", cause_day=7)]))
    store.derive("main", ByName())
    # A leak on the 7th is not one on the 1st; "stop", "halt" and "stay" are of kinds of their own.
    assert words(store)[:3] == [pair for pair in words(store) if "leak-3" in "".join(pair)]
    assert {frozenset(pair) for pair in words(store)} == {
        frozenset(("leak-1", "leak-2")),
        frozenset(("leak-1", "leak-3")),
        frozenset(("leak-2", "leak-3")),
        frozenset(("leak-3", "leak-4")),
        frozenset(("halt-1", "halt-2")),
    }
    first = suggest(store, "main", head, 1, 0.5)[0]
    split = decision_of(DecisionKind.SPLIT, *(mention.id for mention in first.mentions))
    store.decide(split)
    store.derive("main", ByName())
    assert {mention.text for mention in first.mentions} not in words(store)
    store.undo("main", split.id)
    store.derive("main", ByName())
    assert {mention.text for mention in first.mentions} in words(store)


def test_what_was_not_derived_yet_is_not_suggested(store: GraphStore) -> None:
    store.commit_document(bundle_of("a", [Statement("leak-1", "leak-2")]))
    assert words(store) == []
