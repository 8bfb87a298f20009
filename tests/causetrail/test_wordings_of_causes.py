"""Causes in the wordings that people use, and sentences that look like those and tell none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
STRATEGIES = ["default", "text-only", "causal-graph"]


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The gate was jammed by ice.", "Why was the gate jammed?"),
        ("The gauge failed because its float was jammed by ice.", "Why was the float jammed?"),
        ("The pass was closed by ice.", "Why was the pass closed?"),
        ("The village of Orn was cut off by snow.", "Why was the village of Orn cut off?"),
        ("Rain ruined the harvest.", "Why was the harvest ruined?"),
        ("For lack of funds, the theatre closed.", "Why did the theatre close?"),
        ("A broken seal is why the tank leaked.", "Why did the tank leak?"),
        ("The reason the tank leaked was a broken seal.", "Why did the tank leak?"),
        ("The reason why the tank leaked was that a seal had broken.", "Why did the tank leak?"),
        ("The reason the bridge was closed was ice.", "Why was the bridge closed?"),
        ("What made the tank leak was a broken seal.", "Why did the tank leak?"),
        ("It was because of ice that the gate jammed.", "Why did the gate jam?"),
        ("The crew slept. It was because the seal broke that the tank leaked.", "Why did the tank leak?"),
        ("Only because the valve had rusted did the tank leak.", "Why did the tank leak?"),
        ("Behind the delays were cuts in staff.", "What caused the delays?"),
        ("The fire was started by a faulty toaster.", "What caused the fire?"),
        ("The fire was started by a faulty toaster.", "Why did the fire start?"),
        ("A fire destroyed the hall. It was started by a cigarette.", "What caused the fire?"),
        ("Eleven patients died of sepsis.", "Why did eleven patients die?"),
        ("The mayor died from his burns.", "Why did the mayor die?"),
        ("Jane Roe was fired for stealing.", "Why was Jane Roe fired?"),
        ("The line was blocked by fallen trees.", "Why was the line blocked?"),
        ("A fallen tree had blocked the line.", "Why was the line blocked?"),
        ("The infection came from a dirty catheter.", "What caused the infection?"),
        ("A broken seal made the tank leak.", "Why did the tank leak?"),
        ("The hall was demolished to make way for a car park.", "Why was the hall demolished?"),
        ("Smoking causes lung cancer.", "What causes lung cancer?"),
        ("Smoking causes lung cancer.", "Does smoking cause lung cancer?"),
        ("Although many blamed the driver, the crash was caused by black ice.", "What caused the crash?"),
        ("Flooding closed the tunnel.", "Why was the tunnel closed?"),
        ("Snow delayed the flight.", "Why was the flight delayed?"),
        ("The minister resigned on Monday. The real reason was a bribe.", "Why did the minister resign?"),
        ("The mine flooded in May. Because of this the factory closed.", "Why did the factory close?"),
    ],
)
def test_a_cause_in_another_wording_is_told(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is Verdict.SUPPORTED, told.text


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("A cigarette started the fire.", "What caused the fire?"),
        ("Cuts in staff were behind the delays.", "What caused the delays?"),
        ("What caused the leak was a broken seal.", "What caused the leak?"),
        ("The cause of the fire was an overheated bearing.", "What caused the fire?"),
        ("The bearing was the cause of the fire.", "What caused the fire?"),
    ],
)
def test_what_the_judge_doubts_is_told_where_no_judge_decides(text: str, question: str, alone: Alone) -> None:
    alone = alone(text)
    assert alone.ask(question, strategy="text-only").verdict is Verdict.SUPPORTED
    for strategy in STRATEGIES:
        assert "No statement was found" not in alone.ask(question, strategy=strategy).text


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The road was closed by the mayor.", "Why was the road closed?"),
        ("The road was closed by Friday.", "Why was the road closed?"),
        ("The bridge was built by the army.", "Why was the bridge built?"),
        ("The valve was jammed by the crew.", "Why was the valve jammed?"),
        ("The festival was closed by a concert.", "Why was the festival closed?"),
        ("The mayor started the race.", "What caused the race?"),
        ("The driver started the fire engine.", "What caused the fire?"),
        ("The fire started in the kitchen.", "What caused the fire?"),
        ("The car was behind the bus.", "What caused the bus?"),
        ("The car was behind the crash barrier.", "What caused the crash?"),
        ("Behind the school was a fire station.", "What caused the fire?"),
        ("The question is why the tank leaked.", "Why did the tank leak?"),
        ("What nobody knows is why the tank leaked.", "Why did the tank leak?"),
        ("What caused the leak is unknown.", "What caused the leak?"),
        ("What caused the leak was a mystery.", "What caused the leak?"),
        ("The cause of the fire was investigated by the police.", "What caused the fire?"),
        ("The reason the tank leaked is unknown.", "Why did the tank leak?"),
        ("The reason the court gave was that the tank leaked.", "Why did the court give?"),
        ("The theatre closed, but not for lack of funds.", "Why did the theatre close?"),
        ("Only because the valve had rusted could the tank leak.", "Why did the tank leak?"),
        ("It was due to the fact that the seal broke.", "Why did the seal break?"),
        ("Ice would have jammed the gate.", "Why was the gate jammed?"),
        ("The report blames a rusted valve for the spill.", "What caused the spill?"),
        ("Smith was suspended for a week.", "Why was Smith suspended?"),
        ("Many men died from the village of Orn.", "Why did many men die?"),
        ("The rocket was fired for a record.", "Why was the rocket fired?"),
        ("The company was started by Bill Orr.", "What caused the company?"),
        ("The line was blocked by protesters.", "Why was the line blocked?"),
        ("The infection came from the old ward.", "What caused the infection?"),
        ("Rust made the gas leak worse.", "Why did the gas leak?"),
        ("The council refused to make way for a car park.", "Why did the council refuse?"),
        ("Smoking is linked to lung cancer.", "Does smoking cause lung cancer?"),
        ("Drinking may cause cancer.", "Does drinking cause cancer?"),
        ("Mining causes were discussed at length.", "What did mining cause?"),
        ("Although many blamed the driver, the crash was caused by black ice.", "Did the driver cause the crash?"),
        ("Lobbying closed the tunnel.", "Why was the tunnel closed?"),
        ("The pilot delayed the flight.", "Why was the flight delayed?"),
        ("The minister resigned on Monday. The real reason was a mystery.", "Why did the minister resign?"),
        ("The minister resigned on Monday. The real reason was never given.", "Why did the minister resign?"),
        ("The mine flooded in May. Because of this the factory may close.", "Why did the factory close?"),
    ],
)
def test_what_looks_like_it_tells_no_cause(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is not Verdict.SUPPORTED, told.text


def test_the_claim_of_a_reason_that_holds_another_cause_stays_whole(alone: Alone) -> None:
    alone = alone("The alarm rang because the road was blocked by a landslide.")
    assert "the road was blocked by a landslide" in alone.ask("Why did the alarm ring?", strategy="causal-graph").text


FACTORS = "Three factors contributed to the collapse: poor design, cheap concrete and a lack of inspections."


def test_each_of_the_causes_that_are_listed_behind_a_colon_is_one(alone: Alone) -> None:
    trail = alone(FACTORS)
    for question in ("What caused the collapse?", "Did cheap concrete contribute to the collapse?"):
        assert trail.ask(question).verdict is Verdict.SUPPORTED, question
    chosen = trail.choose("What caused the collapse?", ["an earthquake", "cheap concrete", "rust"])
    assert (chosen.chosen, chosen.verdict) == ((1,), Verdict.SUPPORTED)


@pytest.mark.parametrize(
    "text",
    [
        "Three factors did not contribute to the collapse: poor design, cheap concrete and rust.",
        "Three factors may have contributed to the collapse: poor design, cheap concrete and rust.",
        "Two factors contributed to the collapse: poor design and perhaps cheap concrete.",
        "Two factors contributed to the collapse: poor design and not cheap concrete.",
        "Several walls contributed to the collapse: one of brick and one of cheap concrete.",
    ],
)
def test_a_list_behind_a_colon_that_is_denied_or_open_holds_no_cause(text: str, alone: Alone) -> None:
    told = alone(text).ask("Did cheap concrete contribute to the collapse?")
    assert told.verdict is not Verdict.SUPPORTED, told.text
