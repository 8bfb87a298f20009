"""What a sentence tells of few passengers, or not of all, it does not tell of the passengers."""

from __future__ import annotations

import pytest

from language.small_shares import tells_small_share


@pytest.mark.parametrize(
    ("asked", "told", "words"),
    [
        ("patients die", "Not all patients died because of the infection.", "not all patients"),
        ("the passengers complain", "Very few of the passengers complained.", "very few of the passengers"),
        ("trains run", "Because of the strike, hardly any trains ran.", "hardly any trains"),
        ("passengers die", "Few died because of the delay.", "few died"),
    ],
)
def test_a_part_alone_is_told_of(asked: str, told: str, words: str) -> None:
    assert tells_small_share(asked, told) == words


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("passengers complain", "A few passengers complained because of the delay."),
        ("few passengers complain", "Few passengers complained because of the delay."),
        ("passengers die", "Passengers died because few passengers had jackets."),
        ("the ship sink", "The ship sank because few passengers had closed the hatches."),
        ("deaths", "The storm caused few deaths."),
    ],
)
def test_all_or_some_are_told_of(asked: str, told: str) -> None:
    assert tells_small_share(asked, told) is None


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("200 passengers injured", "ten of the 200 passengers"),
        ("the 200 passengers injured", "ten of the 200 passengers"),
        ("all passengers injured", "ten of the 200 passengers"),
        ("every passenger injured", "ten of the 200 passengers"),
        ("ten passengers injured", None),
        ("ten of the 200 passengers injured", None),
        ("passengers injured", None),
    ],
)
def test_a_part_of_a_number_is_not_the_whole(asked: str, words: str | None) -> None:
    assert tells_small_share(asked, "Ten of the 200 passengers were injured because the bus braked hard.") == words


def test_most_are_not_all() -> None:
    assert tells_small_share("all the pumps stop", "Most of the pumps stopped because of silt.") == "most of the pumps"
    assert tells_small_share("all the pumps stop", "All of the pumps stopped because of silt.") is None
    assert tells_small_share("both pumps stop", "One pump stopped because of silt.") == "one pump"
    assert tells_small_share("the pumps stop", "Two pumps stopped because of silt.") is None
