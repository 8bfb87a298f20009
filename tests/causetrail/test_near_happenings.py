"""What nearly happened is not told as having happened, and "nearly" before an amount denies nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Polarity, Verdict

Alone = Callable[[str], Causetrail]
DYKE = "The heavy rain nearly caused the failure of the Brock dyke on 6 June 2023. The Brock dyke held."
MATCH = "The heavy snow almost led to the cancellation of the match in Derry on 2 May 2020."
SIGNAL = "The collision at Bree on 2 May 2021 was almost prevented by the new signal."
CLOSE = "The heavy rain came close to causing the failure of the Ard dyke on 6 June 2023."
FROST = "The frost all but destroyed the vineyard of Lom on 2 May 2020."
BRIDGE = "The bridge at Elm nearly collapsed because of the wind."
ROAD = "The road at Elm was closed because the bridge nearly collapsed."
TRAINS = "Nearly all trains at Oxley were delayed on 2 May 2020 because of snow."
PEOPLE = "Almost 40 people died on 2 May 2020 because of the flood in Arl."
PRICES = "The price of wheat in Halm almost doubled because of the drought."
CERTAIN = "The delay at Arl was almost certainly caused by snow."
SOON = "The fire at Wick almost immediately led to the closure of the port."
FINISHED = "The nearly finished pier at Vey collapsed because of the swell."
SUPPORTED, CONTRADICTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (DYKE, "Did the heavy rain cause the failure of the Brock dyke?"),
        (DYKE, "Why did the Brock dyke fail?"),
        (DYKE, "Did the Brock dyke fail?"),
        (MATCH, "Did the heavy snow lead to the cancellation of the match in Derry?"),
        (MATCH, "Why was the match in Derry cancelled?"),
        (MATCH, "Was the match in Derry cancelled?"),
        (SIGNAL, "Did the new signal prevent the collision at Bree?"),
        (SIGNAL, "What prevented the collision at Bree?"),
        (CLOSE, "Did the heavy rain cause the failure of the Ard dyke?"),
        (CLOSE, "Why did the Ard dyke fail?"),
        (CLOSE, "Did the Ard dyke fail?"),
        (FROST, "Did the frost destroy the vineyard of Lom?"),
        (FROST, "Was the vineyard of Lom destroyed?"),
        (BRIDGE, "Did the wind cause the collapse of the bridge at Elm?"),
        (BRIDGE, "Why did the bridge at Elm collapse?"),
    ],
)
def test_what_nearly_happened_did_not(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict in {CONTRADICTED, INSUFFICIENT}, told.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (DYKE, "Did the heavy rain nearly cause the failure of the Brock dyke?"),
        (BRIDGE, "Did the bridge at Elm nearly collapse?"),
        (BRIDGE, "Why did the bridge at Elm nearly collapse?"),
        (ROAD, "Why was the road at Elm closed?"),
        (ROAD, "Was the road at Elm closed?"),
        (TRAINS, "Why were nearly all trains at Oxley delayed?"),
        (TRAINS, "Did snow cause the delay of the trains at Oxley?"),
        (PEOPLE, "Did almost 40 people die because of the flood in Arl?"),
        (PRICES, "Why did the price of wheat in Halm almost double?"),
        (CERTAIN, "Did snow cause the delay at Arl?"),
        (SOON, "Did the fire at Wick lead to the closure of the port?"),
        (FINISHED, "Why did the pier at Vey collapse?"),
    ],
)
def test_nearly_before_an_amount_denies_nothing(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is SUPPORTED, told.text


@pytest.mark.parametrize("text", [DYKE, MATCH, SIGNAL, CLOSE])
def test_the_graph_holds_no_cause_of_what_nearly_happened(text: str, alone: Alone) -> None:
    claims = list(alone(text).claims())
    assert all(claim.polarity is Polarity.NEGATED for claim in claims), claims
