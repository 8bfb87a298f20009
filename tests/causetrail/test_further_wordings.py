"""Further wordings of causes are answered, and their denied, supposed or doubted look-alikes are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
SUPPORTED, HYPOTHESISED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.HYPOTHESISED, Verdict.INSUFFICIENT
OUTAGES = "The outage in March was due to human error. Nobody has explained the outage in April yet."
TRACED = "The school was evacuated. Firefighters traced the smell to a leaking boiler valve."
NEVER_TRACED = "The engineers never traced the leak to the valve."
DRIVEN = "Low interest rates fuelled the housing boom. Bleaching of corals on the reef was driven by warm water."
ROOF = "The roof gave way under the weight of the snow."
ROOF_WOULD = "The roof would give way under the weight of the snow."
CONTRIBUTING = "Contributing to the accident was the pilot's lack of sleep."
MAY_CONTRIBUTE = "Contributing to the accident may have been fatigue. The cause of the fire was not a heater."
LEVEE = "No repairs were made, and in 2008 the levee broke because burrowing animals had weakened it."


@pytest.mark.parametrize(
    ("text", "question", "verdict"),
    [
        (OUTAGES, "What caused the outage in March?", SUPPORTED),
        (OUTAGES, "What caused the outage in April?", INSUFFICIENT),
        (TRACED, "What caused the smell?", SUPPORTED),
        (NEVER_TRACED, "What caused the leak?", INSUFFICIENT),
        (NEVER_TRACED, "Did the valve cause the leak?", INSUFFICIENT),
        (DRIVEN, "What did low interest rates lead to?", SUPPORTED),
        (DRIVEN, "What caused the bleaching of corals?", SUPPORTED),
        (ROOF, "Why did the roof give way?", SUPPORTED),
        (ROOF_WOULD, "Why did the roof give way?", INSUFFICIENT),
        (CONTRIBUTING, "What contributed to the accident?", SUPPORTED),
        (MAY_CONTRIBUTE, "What contributed to the accident?", HYPOTHESISED),
        (MAY_CONTRIBUTE, "What caused the fire?", INSUFFICIENT),
        (LEVEE, "Why did the levee break?", SUPPORTED),
    ],
)
def test_a_further_wording_is_answered_where_it_is_told_as_a_fact(
    alone: Alone, text: str, question: str, verdict: Verdict
) -> None:
    assert alone(text).ask(question).verdict is verdict
