"""What a noun takes up, some sentences before, and only where nothing else of its sort is told there."""

from __future__ import annotations

import pytest

from language.quick_sentences import quick_sentences
from language.taken_up import taken_up, without_report

DERAILED = "A freight train derailed near Elm on Tuesday."
CLOSED = "The track was closed for two days."
FOUND = "The board found that the derailment was caused by a broken axle."


@pytest.mark.parametrize(
    ("asked", "before", "side", "found"),
    [
        ("the freight train derail", f"{DERAILED} {CLOSED}", "The board found that the derailment", DERAILED),
        ("the freight train derail", DERAILED, "the derailment", DERAILED),
        ("the freight train derail", f"{DERAILED} {CLOSED} It rained. It snowed.", "the derailment", None),
        ("the freight train derail", f"{DERAILED} Another train derailed at Orn.", "the derailment", None),
        ("the freight train derail", "A freight train nearly derailed near Elm.", "the derailment", None),
        ("the loss at Elm Works", "Elm Works reported a loss of 40 million.", "the loss", "Elm Works reported a loss"),
        ("the passenger train derail", DERAILED, "the derailment", None),
    ],
)
def test_the_one_telling_before_is_taken_up(asked: str, before: str, side: str, found: str | None) -> None:
    around = quick_sentences(f"{before} {FOUND}")
    told = taken_up(asked, side, around[-1], around)
    assert (told is None) if found is None else (told is not None and told.text.startswith(found))


def test_who_found_it_is_left_out() -> None:
    assert without_report("The board found that the derailment") == "the derailment"
    assert without_report("The council said the rupture") == "the rupture"
    assert without_report("the rupture of the tank") == "the rupture of the tank"
