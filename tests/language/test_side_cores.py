"""What a side of a cue is about."""

from __future__ import annotations

import pytest

from language.content_words import content_keys
from language.side_cores import is_about


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
