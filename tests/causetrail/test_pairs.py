"""What is told of the old bridge is no answer about the new one; a question without the word is answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
BRIDGE = "The old bridge collapsed because its pillars had rotted. The new bridge is safe."
STONE = "The old stone bridge collapsed because its pillars had rotted."
WING = "The east wing burned down because a heater overturned. The west wing was untouched."
ENGINE = "The left engine failed because a bird was ingested."
VALVE = "The red valve failed because of corrosion. The green valve held."
SHIFT = "The night shift was cancelled because the furnace was cold."
BASIN = "The flooding of the north basin was caused by a burst pipe."
BUILT = "The town built a new bridge because the old bridge had rotted."
OPENED = "The new bridge opened in 1990. It was built because the old bridge had rotted."
SEAL = "The seal broke because the water froze. The new seal has not broken."
HELD = "The seal broke because the water froze. A replacement seal has held since."
RUBBER = "The seal broke because the water froze. The rubber seal did not break."
TANK = "Because pressure rose in tank 2, the seal broke. The seal of tank 3 did not break."
FITTED = "A new seal was fitted in May. In June the seal broke because the water froze."
PUMPS = "The main pump stopped because of a power cut, which caused the spare pump to overheat."


@pytest.mark.parametrize("strategy", ["default", "text-only", "causal-graph"])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (BRIDGE, "Why did the new bridge collapse?"),
        (BRIDGE, "What caused the collapse of the new bridge?"),
        (STONE, "Why did the new bridge collapse?"),
        (WING, "Why did the west wing burn down?"),
        (ENGINE, "Why did the right engine fail?"),
        (VALVE, "Why did the green valve fail?"),
        (SHIFT, "Why was the day shift cancelled?"),
        (BASIN, "What caused the flooding of the south basin?"),
        (SEAL, "Why did the new seal break?"),
        (HELD, "Why did the replacement seal break?"),
        (RUBBER, "Why did the rubber seal break?"),
        (TANK, "Why did the seal of tank 3 break?"),
    ],
)
def test_the_other_one_of_a_pair_is_no_answer(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is Verdict.INSUFFICIENT, told.text
    assert "No statement was found" not in told.text


def test_the_one_that_is_denied_is_shown(alone: Alone) -> None:
    told = alone(RUBBER).ask("Why did the rubber seal break?")
    assert "The rubber seal did not break." in told.text
    assert "The rubber seal did not break." in {evidence.quote for evidence in told.evidence}
    assert "another one than the tank 3" in alone(TANK).ask("Why did the seal of tank 3 break?").text


@pytest.mark.parametrize("strategy", ["default", "text-only", "causal-graph"])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (BRIDGE, "Why did the old bridge collapse?"),
        (BRIDGE, "Why did the bridge collapse?"),
        (STONE, "Why did the old bridge collapse?"),
        (WING, "Why did the east wing burn down?"),
        (ENGINE, "Why did the left engine fail?"),
        (VALVE, "Why did the red valve fail?"),
        (SHIFT, "Why was the night shift cancelled?"),
        (BASIN, "What caused the flooding of the north basin?"),
        (BUILT, "Why was a new bridge built?"),
        (PUMPS, "Why did the spare pump overheat?"),
        (PUMPS, "Why did the main pump stop?"),
        (SEAL, "Why did the seal break?"),
        (TANK, "Why did the seal break?"),
    ],
)
def test_the_one_that_is_told_of_is_the_answer(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is Verdict.SUPPORTED, told.text


@pytest.mark.parametrize("strategy", ["default", "causal-graph"])
def test_a_sentence_that_points_back_may_name_the_other_one_as_the_cause(strategy: str, alone: Alone) -> None:
    told = alone(OPENED).ask("Why was the new bridge built?", strategy=strategy)
    assert told.verdict is Verdict.SUPPORTED, told.text


@pytest.mark.parametrize("strategy", ["default", "causal-graph"])
@pytest.mark.parametrize(
    ("text", "question"), [(FITTED, "Why did the new seal break?"), (TANK, "Why did the seal of tank 2 break?")]
)
def test_the_one_that_was_named_before_is_the_one_that_is_told_of(
    text: str, question: str, strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is Verdict.SUPPORTED, told.text
