"""What a sentence names beside a happening."""

from __future__ import annotations

import pytest

from language.beside import Beside, holds_own_cause, named_beside
from language.quick_sentences import quick_sentences

NOTHING, SOMETHING, CAUSE = Beside.NOTHING, Beside.SOMETHING, Beside.CAUSE


@pytest.mark.parametrize(
    ("words", "text", "named"),
    [
        ("the float be jammed", "The float was jammed by mice.", CAUSE),
        ("the harvest fail", "The drought saw the harvest fail.", CAUSE),
        ("the harvest be ruined", "Rain ruined the harvest.", CAUSE),
        ("the delays", "Cuts in staff lay behind the delays.", CAUSE),
        ("the pier be destroyed", "Ida destroyed the pier.", CAUSE),
        ("the alerts be moved", "We moved the alerts to prevent a repeat.", CAUSE),
        ("the pump fail", "The pump overheated and failed.", SOMETHING),
        ("the pump fail", "The pump failed.", NOTHING),
        ("the crew leave the dam", "The crew left the dam on Monday.", NOTHING),
        ("the road be closed", "The road was closed by Friday.", NOTHING),
        ("the road be closed", "The road at Marle was closed for two hours.", NOTHING),
        ("the fire", "The cause of the fire is unknown.", NOTHING),
        ("the river rose", "The footbridge was closed because the river rose.", NOTHING),
        ("the fire", "The fire was not caused by a cigarette.", NOTHING),
        ("the crash of the bus", "The guard rail did not prevent the crash of the bus.", NOTHING),
        ("gate 2 be jammed", "Gate 3 was jammed by ice.", NOTHING),
    ],
)
def test_what_stands_beside_a_happening(words: str, text: str, named: Beside) -> None:
    assert named_beside(words, quick_sentences(text)[0]) is named


def test_what_led_to_it_is_nothing_that_followed() -> None:
    sentence = quick_sentences("The footbridge was closed because the river rose.")[0]
    assert named_beside("the footbridge be closed", sentence, forward=True) is NOTHING
    assert named_beside("the river rise", sentence, forward=True) is not NOTHING


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ("its float was jammed by ice", True),
        ("the road was closed", False),
        ("the road was closed by Friday", False),
        ("the river rose by four metres", False),
    ],
)
def test_words_that_hold_their_own_cause(words: str, holds: bool) -> None:
    assert holds_own_cause(words) is holds
