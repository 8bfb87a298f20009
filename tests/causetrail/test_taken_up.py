"""What a sentence tells with its verb and the next takes up by a noun, "the collision", is one happening."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
SHIPS = "A tanker and a ferry collided in the strait. The collision was caused by fog."
BUS = "A bus crashed near Arlen on Monday. The crash was caused by ice."
PRICES = "Prices of wheat rose in April. The increase was caused by a drought."
MILL = "The mill at Orn burned down in May. The blaze was caused by a spark."
ICE = "The crash was caused by ice."


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question", "told"),
    [
        (SHIPS, "Why did the tanker collide with the ferry?", "fog"),
        (BUS, "Why did the bus crash?", "ice"),
        (BUS, "What caused the crash of the bus near Arlen?", "ice"),
        (PRICES, "Why did the prices of wheat rise?", "drought"),
        (MILL, "What caused the fire at the mill?", "spark"),
    ],
)
def test_what_is_asked_with_the_one_is_answered_by_the_other(
    text: str, question: str, told: str, strategy: str, alone: Alone
) -> None:
    answer = alone(text).ask(question, strategy=strategy)
    assert answer.verdict is Verdict.SUPPORTED, answer.text
    assert told in answer.text


@pytest.mark.parametrize(
    "before",
    [
        "A bus crashed near Arlen. A train crashed near Bexley.",
        "A train crashed near Bexley. A bus crashed near Arlen.",
        "The bus did not crash.",
        "A bus may have crashed.",
        "A bus stopped after a train had crashed.",
        "A man on a bus saw the train crash.",
        "Did the bus crash?",
    ],
)
def test_where_another_one_may_be_meant_nothing_is_answered(before: str, alone: Alone) -> None:
    for strategy in ("default", "text-only"):
        answer = alone(f"{before} {ICE}").ask("Why did the bus crash?", strategy=strategy)
        assert answer.verdict is not Verdict.SUPPORTED, answer.text
