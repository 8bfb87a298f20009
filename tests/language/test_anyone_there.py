"""Who asks for anybody in a place is not answered by what only names the place."""

from __future__ import annotations

import pytest

from language.anyone_there import tells_none_there


@pytest.mark.parametrize(
    ("question", "told", "none_there"),
    [
        ("Was anyone in the van?", "The scaffold collapsed onto a parked van.", True),
        ("Was there anybody in the van?", "The scaffold collapsed onto a parked van.", True),
        ("Was anyone on the roof?", "Two men were on the flat roof.", False),
        ("Was anyone in the van?", "The driver was inside the van.", False),
        ("Was anyone hurt?", "The scaffold collapsed onto a parked van.", False),
        ("Did the scaffold hit the van?", "The scaffold collapsed onto a parked van.", False),
    ],
)
def test_a_place_is_told_of_by_the_word_that_is_asked(question: str, told: str, none_there: bool) -> None:
    assert tells_none_there(question, told) is none_there
