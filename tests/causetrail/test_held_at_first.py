"""What something was blamed on at first is not told as its cause; what it is blamed on for good is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
CRASH = "The crash was initially blamed on ice. The final report found that a worn brake pad was responsible."
OUTAGE = (
    "The outage was at first attributed to a storm. Engineers later found that a squirrel had shorted a transformer."
)
FIRE = "At first, the fire was blamed on a cigarette."
DELAY = "The delay was first blamed on the weather."
HULL = "The collapse was originally put down to poor welding."
PLAIN = "The collapse was blamed on poor welding."
HELD = "The bridge initially held, but its collapse was blamed on poor welding."


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (CRASH, "What caused the crash?"),
        (CRASH, "Did ice cause the crash?"),
        (OUTAGE, "What caused the outage?"),
        (OUTAGE, "Did a storm cause the outage?"),
        (FIRE, "What caused the fire?"),
        (DELAY, "What caused the delay?"),
        (HULL, "What caused the collapse?"),
    ],
)
def test_what_was_blamed_at_first_is_no_fact(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict in {Verdict.INSUFFICIENT, Verdict.HYPOTHESISED}, told.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (PLAIN, "What caused the collapse?"),
        (HELD, "What caused the collapse of the bridge?"),
    ],
)
def test_what_is_blamed_for_good_is_told(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is Verdict.SUPPORTED, told.text
