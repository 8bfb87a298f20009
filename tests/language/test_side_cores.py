"""What a side of a cue is about."""

from __future__ import annotations

import pytest

from language.content_words import content_keys
from language.side_cores import is_about, is_object_alone, names_just


@pytest.mark.parametrize(
    ("words", "side", "about"),
    [
        ("nurse died", "The trial over the death of the nurse was postponed", False),
        ("trial postponed", "The trial over the death of the nurse was postponed", True),
        ("engineers feared flood", "engineers who feared a flood lowered the lake", False),
        ("lake lowered", "engineers who feared a flood lowered the lake", True),
        ("bridge damaged", "Repairs to the bridge damaged by the flood were delayed", False),
        ("accident killed two", "the accident that killed two", True),
        ("two killed", "the accident that hurt two", False),
        ("passengers complained", "Passengers complained that the ferry was late", False),
        ("ferry late", "Passengers complained that the ferry was late", True),
        ("explosion", "The explosion occurred", True),
        ("crew left", "the crew to leave", True),
        ("mine closed", "a decision to close the mine", True),
        ("jobs lost", "the loss of 40 jobs at the mill", True),
        ("ten killed", "killing ten people", True),
        ("storm", "it was so", True),
    ],
)
def test_what_only_tells_which_one_is_nothing_that_a_side_is_about(words: str, side: str, about: bool) -> None:
    assert is_about(content_keys(words), side) is about


@pytest.mark.parametrize(
    ("words", "side", "alone"),
    [
        ("crash", "the police investigated the crash", True),
        ("strike", "the union called off the strike", True),
        ("crash", "the bus was in a crash", False),
        ("layoffs", "the company announced layoffs", False),
        ("investigated crash", "the police investigated the crash", False),
        ("pier collapse", "the nearly finished pier collapsed", False),
        ("float jammed", "the gauge failed because its float was jammed", False),
    ],
)
def test_what_something_is_only_done_to_is_its_object_alone(words: str, side: str, alone: bool) -> None:
    assert is_object_alone(content_keys(words), side) is alone


@pytest.mark.parametrize(
    ("words", "side", "just"),
    [
        ("landslide", "a landslide near Arlen", True),
        ("explosion", "The explosion that destroyed the silo was", True),
        ("outage", "the trial over the outage", False),
        ("silo", "The explosion that destroyed the silo", False),
        ("landslide", "a landslide blocked the road", False),
    ],
)
def test_a_noun_phrase_names_just_its_noun(words: str, side: str, just: bool) -> None:
    assert names_just(content_keys(words), side) is just
