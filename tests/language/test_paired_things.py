"""Words that tell the things of a pair apart, and the tellings that they do not keep from a question."""

from __future__ import annotations

import pytest

from language.paired_things import tells_other_of_pair


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("the new bridge collapse", "the old bridge collapsed"),
        ("the new bridge collapse", "the old stone bridge collapsed"),
        ("the new stone bridge collapse", "the old bridge collapsed"),
        ("the west wing burn down", "The east wing burned down"),
        ("the failure of the right engine", "the left engine failed"),
        ("the day shift cancelled", "The night shift was cancelled"),
        ("the green valve fail", "the red valve failed"),
        ("the second pump stop", "the first pumps stopped"),
        ("the international terminal closed", "the domestic terminal was closed"),
    ],
)
def test_the_other_one_of_a_pair_is_another_thing(asked: str, told: str) -> None:
    assert tells_other_of_pair(asked, told)
    assert not tells_other_of_pair(told, told)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("the bridge collapse", "the old bridge collapsed"),
        ("the new bridge collapse", "the bridge collapsed"),
        ("the old bridge collapse", "the old stone bridge collapsed"),
        ("the new bridge collapse", "the old and the new bridge collapsed"),
        ("the new bridge collapse", "the old pier collapsed"),
        ("the new bridge collapse", "the old man saw that it collapsed"),
        ("the new bridge built after the old bridge collapsed", "the old bridge collapsed"),
        ("the green valve fail", "the red warning light at the valve failed"),
        ("the right engine fail", "the engine that the crew had left failed"),
        ("why", ""),
    ],
)
def test_a_telling_without_the_other_one_is_of_the_same_thing(asked: str, told: str) -> None:
    assert not tells_other_of_pair(asked, told)


@pytest.mark.parametrize(
    ("asked", "told", "other"),
    [
        ("the patient die", "Another patient on the ward died", True),
        ("the other patient die", "the patient died", True),
        ("the other patient die", "Another patient on the ward died", False),
        ("the other patient die", "A second patient died", False),
        ("the fire break out", "Another fire broke out in 1902", False),
        ("the patient die", "the patient was bitten by another patient", False),
        ("other categories exist", "There are also categories for companies", False),
        ("other factors contribute", "the wind contributed", False),
    ],
)
def test_another_one_is_not_the_one(asked: str, told: str, other: bool) -> None:
    assert tells_other_of_pair(asked, told) is other
