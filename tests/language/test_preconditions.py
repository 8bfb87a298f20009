"""What it takes for something to happen, as sentences tell it."""

import pytest

from language.preconditions import precondition

BOTH = frozenset({(True, True), (False, False)})
ABSENT = frozenset({(True, False), (False, True)})


@pytest.mark.parametrize(
    ("sentence", "outcome", "condition", "explains"),
    [
        ("The tank overflows if the valve is open.", "The tank overflows", "the valve is open", {(True, True)}),
        ("If the valve is open, the tank overflows.", "the tank overflows", "the valve is open", {(True, True)}),
        ("The press can start only if the guard is shut.", "The press can start", "the guard is shut", BOTH),
        ("The press cannot start unless the guard is shut.", "The press cannot start", "the guard is shut", BOTH),
        ("The tank overflows unless the drain is open.", "The tank overflows", "the drain is open", ABSENT),
        ("Without cooling water, the reactor would overheat.", "the reactor would overheat", "cooling water", ABSENT),
        ("The engine cannot run without fuel, day or night.", "The engine cannot run", "fuel", BOTH),
        ("The pump needs power, day and night.", "The pump", "power", BOTH),
        (
            "The tank overflows if the drain is not open.",
            "The tank overflows",
            "the drain is not open",
            {(True, False)},
        ),
    ],
)
def test_a_condition_and_what_hangs_on_it(sentence, outcome, condition, explains):
    found = precondition(sentence)
    assert (found.outcome, found.condition, found.explains) == (outcome, condition, frozenset(explains))


@pytest.mark.parametrize(
    "sentence",
    [
        "The pump stopped.",
        "The crew left without the pump.",
        "The pump stopped even if nobody saw it.",
        "If so.",
        "It looked as if the pump had stopped.",
        "Without",
        "",
    ],
)
def test_what_tells_no_condition(sentence):
    assert precondition(sentence) is None
