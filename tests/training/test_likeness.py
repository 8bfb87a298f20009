"""Texts that are near before anything is learned: by the packaged encoder and by shared words in turn."""

from __future__ import annotations

import itertools

import pytest

from training.judge_sets import nearest
from training.likeness import Likeness

QUERY = "Why did the ferry sink?"
TEXTS = [
    "A ferry is a ship, and to sink is what ships do.",
    "The ship went down after water came in through the bow door.",
    "Bread is sold at the market on Mondays.",
    "Ferry timetables are printed in May.",
    "The vessel was lost with all hands.",
]


@pytest.fixture(scope="module")
def likeness() -> Likeness:
    return Likeness()


def test_the_nearest_are_taken_in_turn_and_none_twice(likeness: Likeness) -> None:
    for count in range(1, len(TEXTS) + 1):
        found = likeness.nearest(QUERY, TEXTS, count)
        assert len(found) == len(set(found)) == count
        assert set(found) <= set(TEXTS)
    ids = [[101, 2, 102, 102]] * len(TEXTS)
    told = likeness.told([(QUERY, text) for text in TEXTS], ids)[:, 0]
    by_vector = [text for _, text in sorted(zip(-told, TEXTS, strict=True))]
    in_turn = itertools.chain.from_iterable(zip(by_vector, nearest(QUERY, TEXTS, len(TEXTS)), strict=True))
    assert likeness.nearest(QUERY, TEXTS, len(TEXTS)) == list(dict.fromkeys(in_turn))


def test_of_nothing_nothing_is_near(likeness: Likeness) -> None:
    assert likeness.nearest(QUERY, [], 3) == []
