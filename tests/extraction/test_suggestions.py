"""Which events are suggested as one: those that resemble each other, and that nothing keeps apart."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import create_autospec

import numpy as np
import pytest

from causetrail import Causetrail
from extraction.suggestions import Suggested, suggest
from kg.store import GraphStore
from models.event_coreference import EventCoreference, Telling


@pytest.fixture
def trail(pump_trail: Causetrail) -> Causetrail:
    return pump_trail


@pytest.fixture
def store(trail: Causetrail) -> GraphStore:
    return trail._parts.store()


def reader(score: float = 0.9) -> EventCoreference:
    """A head to which all pairs look equally alike."""

    def read(tellings: Sequence[Telling]) -> np.ndarray:
        return np.zeros((len(tellings), 3, 4), np.float32)

    head = create_autospec(EventCoreference, instance=True)
    head.read.side_effect = read
    head.probabilities.side_effect = lambda tellings, vectors, pairs: np.full(len(pairs), score, np.float32)
    made: EventCoreference = head
    return made


def suggested(store: GraphStore, **arguments: object) -> list[Suggested]:
    values = {"limit": 20, "least": 0.5} | arguments
    return suggest(store, "main", reader, int(str(values["limit"])), float(str(values["least"])))


def kinds(found: list[Suggested]) -> list[set[str]]:
    return [{mention.kind for mention in one.mentions} for one in found]


def test_events_of_two_documents_that_resemble_each_other_are_suggested(store: GraphStore) -> None:
    found = suggested(store)
    assert {"failure"} in kinds(found)
    for one in found:
        assert one.events[0] < one.events[1]
        assert all(
            store.event_of_mention("main", m.id) == event for m, event in zip(one.mentions, one.events, strict=True)
        )
        assert one.score == pytest.approx(0.9)
        assert one.reason.startswith(one.mentions[0].kind)


def test_what_is_denied_is_never_suggested_as_what_is_told(store: GraphStore) -> None:
    assert all(len({mention.polarity for mention in one.mentions}) == 1 for one in suggested(store))


def test_a_low_score_and_a_low_limit_leave_pairs_out(store: GraphStore) -> None:
    assert suggested(store, least=0.95) == []
    assert len(suggested(store)) > 1
    assert suggested(store, limit=1) == suggested(store)[:1]


def test_a_decided_pair_does_not_come_back_until_it_is_undone(trail: Causetrail, store: GraphStore) -> None:
    before = suggested(store)
    split = trail.split(*(mention.id for mention in before[0].mentions))
    assert before[0].events not in [one.events for one in suggested(store)]
    trail.undo(split.id)
    assert suggested(store) == before
    merged = trail.merge(*(mention.id for mention in before[0].mentions))
    assert before[0].events not in [one.events for one in suggested(store)]
    trail.undo(merged.id)
    assert suggested(store) == before


def test_suggesting_changes_nothing(trail: Causetrail, store: GraphStore) -> None:
    before = "".join(trail.export()), store.generation("main")
    suggested(store)
    assert ("".join(trail.export()), store.generation("main")) == before


def test_of_an_empty_collection_nothing_is_suggested_and_no_head_is_loaded(store: GraphStore) -> None:
    def none() -> EventCoreference:
        raise AssertionError("it was loaded")

    assert suggest(store, "empty", none, 20, 0.5) == []
