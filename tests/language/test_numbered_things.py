"""Numbers that tell things of one sort apart."""

from __future__ import annotations

import pytest

from language.numbered_things import numbers_behind_words, tells_another_number


def test_numbers_stand_behind_their_thing() -> None:
    text = "Gates 2 and 3, pump P-12, Train No. 847 and the valve"
    assert numbers_behind_words(text) == {"gates": ["2", "3"], "pump": ["p-12"], "train": ["847"]}


@pytest.mark.parametrize(
    ("asked", "told", "another"),
    [
        ("the pump of unit 3 failed", "The pump of unit 11 failed", True),
        ("the pump of unit 3 failed", "The pumps of units 3 and 11 failed", False),
        ("the pump of unit 3 failed", "The pump failed", False),
        ("pump P-12 failed", "Pump P-13 failed", True),
        ("the pump failed", "Pump P-13 failed", False),
    ],
)
def test_another_number_is_another_thing(asked: str, told: str, another: bool) -> None:
    assert tells_another_number(asked, told) is another
