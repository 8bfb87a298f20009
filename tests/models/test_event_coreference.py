"""The packaged coreference head: what it says of plain cases, and that it is what was packaged."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causetrail.errors import ModelDamaged
from extraction.tellings import telling
from models.event_coreference import NAME, VIEWS, EventCoreference, Telling, likenesses, tokens_in, views
from models.weights_card import HEAD_FILE, WEIGHTS

SAME = ("A fire destroyed the old brewery in Leeds on Monday.", "The blaze that destroyed the Leeds brewery was huge.")
OTHER = ("A gunman was arrested after a shooting in Texas.", "The company said it will buy its rival next year.")
TRIGGERS = {SAME[0]: "fire", SAME[1]: "blaze", OTHER[0]: "shooting", OTHER[1]: "buy"}


def told(text: str, trigger: str | None = None) -> Telling:
    trigger = trigger or TRIGGERS[text]
    start = text.index(trigger)
    return telling(text, text[:10], (start, start + len(trigger)), (0, len(text)), trigger)


@pytest.fixture(scope="module")
def head() -> EventCoreference:
    return EventCoreference()


def test_one_event_in_other_words_scores_above_all_others(head: EventCoreference) -> None:
    tellings = [told(text) for text in (*SAME, *OTHER)]
    scores = head.probabilities(tellings, head.read(tellings), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
    assert scores[0] == scores.max()
    assert scores[0] > 10 * scores[1:].max()


def test_the_order_of_a_pair_does_not_matter(head: EventCoreference) -> None:
    tellings = [told(text) for text in (*SAME, *OTHER)]
    vectors = head.read(tellings)
    one, two = (head.probabilities(tellings, vectors, [pair]) for pair in ((0, 2), (2, 0)))
    assert one == pytest.approx(two, abs=1e-6)


def test_a_mention_is_read_the_same_alone_and_among_others(head: EventCoreference) -> None:
    among = head.read([told(text) for text in (*SAME, *OTHER)])
    assert among.shape == (4, VIEWS, 384)
    np.testing.assert_array_equal(among[1], head.read([told(SAME[1])])[0])


def test_nothing_is_read_of_nothing(head: EventCoreference) -> None:
    vectors = head.read([])
    assert len(vectors) == 0
    assert head.probabilities([], vectors, []).shape == (0,)


def test_a_text_of_signs_without_end_is_read_by_its_trigger(head: EventCoreference) -> None:
    text = "a fire " + "☃ " * 600
    vectors = head.read([Telling("d", text, (2, 6), (0, len(text)), "fire", "fire", frozenset(), frozenset())])
    assert np.isfinite(vectors).all()


@settings(max_examples=15, deadline=None)
@given(st.lists(st.text(max_size=60).map(lambda text: f"{text} fire"), min_size=2, max_size=3))
def test_any_text_gets_a_probability(head: EventCoreference, texts: list[str]) -> None:
    tellings = [told(text, "fire") for text in texts]
    scores = head.probabilities(tellings, head.read(tellings), [(0, 1)])
    assert 0 <= float(scores[0]) <= 1


def test_what_words_tell_of_pairs() -> None:
    one = Telling("d", "", (0, 1), (0, 1), "fire", "fire", frozenset("ab"), frozenset("abcd"))
    two = Telling("e", "", (0, 1), (0, 1), "blaze", "fire", frozenset("bc"), frozenset())
    assert likenesses([one, two], [(0, 0), (0, 1)]).tolist() == [[1, 1, 1, 1, 1], [0, 1, 0.5, 0, 0]]


def test_views_are_means_of_states() -> None:
    states = np.arange(10, dtype=np.float32).reshape(5, 2)
    offsets = [(0, 0), (0, 3), (4, 6), (6, 9), (0, 0)]
    assert tokens_in(offsets, (4, 9)) == [2, 3]
    found = views(states, offsets, (4, 5), (0, 6))
    assert found.tolist() == [[4, 5], [3, 4], [4, 5]]


def test_weights_that_were_changed_are_refused(tmp_path: Path) -> None:
    shutil.copytree(WEIGHTS / NAME, tmp_path / NAME)
    with (tmp_path / NAME / HEAD_FILE).open("ab") as file:
        file.write(b"x")
    with pytest.raises(ModelDamaged):
        EventCoreference(tmp_path / NAME)
