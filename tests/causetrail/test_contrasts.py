"""What a sentence sets against the real cause, "ice rather than speed", is denied; the real cause stays supported."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
ICE = "Ice rather than speed caused the derailment at Corby on 2 January 2023."
BOLT = "A loose bolt, and not a bird strike, caused the failure of engine 2 of the Halden aircraft on 5 May 2023."
SAND = "Sand, not frost, caused the failure of the pump at Vey on 2 May 2020."
WHEAT = "A study by the Halm institute found that a fungus, not the drought, ruined the wheat harvest at Halm."
SALT = "Salt instead of sugar spoiled the cake of the Elb bakery on 2 May 2020."
HOLM = "Peter Holm died of a heart attack on 16 May 2021, not of cancer."
FRONTED = "Rather than rust, a blow caused the crack in the hull at Lom."
BEHIND = "The fire at Wick was caused by a spark, not by a cigarette."
TOO = "Rust, and not only age, caused the leak of the tank at Orn."
LAST = "The crash at Elm was caused by ice, not speed."
CLEFT = "It was ice, not speed, that caused the crash at Elm."
TOGETHER = "Ice and speed caused the crash at Elm."
IN_TURN = "Ice caused the crash at Elm. Speed also caused the crash at Elm."
ALONE = "Ice caused the crash at Elm."
ROCK = "The closure of the road at Elm was caused neither by snow nor by wind but by a rockfall."
CLOSED = "The road at Elm was closed not by snow but by a rockfall."
NOT_ICE = "Not ice but a broken rail caused the crash at Corby."
FLOOD = "It was not the storm but the flood that caused the collapse of the bridge at Elm."
ONLY = "Not only ice but speed caused the crash at Corby."
READING = "default", "text-only"
"""Strategies of which each reads the graph, the text or both in its own way."""
SUPPORTED, CONTRADICTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question", "verdict"),
    [
        (ICE, "Did speed cause the derailment at Corby?", CONTRADICTED),
        (ICE, "Did ice cause the derailment at Corby?", SUPPORTED),
        (ICE, "What caused the derailment at Corby?", SUPPORTED),
        (BOLT, "Did a bird strike cause the failure of engine 2 of the Halden aircraft?", CONTRADICTED),
        (BOLT, "Did a loose bolt cause the failure of engine 2 of the Halden aircraft?", SUPPORTED),
        (SAND, "Did frost cause the failure of the pump at Vey?", CONTRADICTED),
        (SAND, "Did sand cause the failure of the pump at Vey?", SUPPORTED),
        (WHEAT, "Did the drought ruin the wheat harvest at Halm?", CONTRADICTED),
        (WHEAT, "Did a fungus ruin the wheat harvest at Halm?", SUPPORTED),
        (SALT, "Did sugar spoil the cake of the Elb bakery?", CONTRADICTED),
        (SALT, "Did salt spoil the cake of the Elb bakery?", SUPPORTED),
        (HOLM, "Did Peter Holm die of cancer?", CONTRADICTED),
        (HOLM, "Did Peter Holm die of a heart attack?", SUPPORTED),
        (FRONTED, "Did rust cause the crack in the hull at Lom?", CONTRADICTED),
        (FRONTED, "Did a blow cause the crack in the hull at Lom?", SUPPORTED),
        (BEHIND, "Did a cigarette cause the fire at Wick?", CONTRADICTED),
        (BEHIND, "Did a spark cause the fire at Wick?", SUPPORTED),
        (ROCK, "Did snow cause the closure of the road at Elm?", CONTRADICTED),
        (ROCK, "Did wind cause the closure of the road at Elm?", CONTRADICTED),
        (ROCK, "Did a rockfall cause the closure of the road at Elm?", SUPPORTED),
        (ROCK, "What caused the closure of the road at Elm?", SUPPORTED),
        (CLOSED, "Did snow close the road at Elm?", CONTRADICTED),
        (CLOSED, "Did a rockfall close the road at Elm?", SUPPORTED),
        (NOT_ICE, "Did ice cause the crash at Corby?", CONTRADICTED),
        (NOT_ICE, "Did a broken rail cause the crash at Corby?", SUPPORTED),
        (FLOOD, "Did the storm cause the collapse of the bridge at Elm?", CONTRADICTED),
        (FLOOD, "Did the flood cause the collapse of the bridge at Elm?", SUPPORTED),
        (ONLY, "Did speed cause the crash at Corby?", SUPPORTED),
        (TOO, "Did age cause the leak of the tank at Orn?", SUPPORTED),
        (TOO, "Did rust cause the leak of the tank at Orn?", SUPPORTED),
    ],
)
def test_a_verdict_keeps_apart_what_a_sentence_sets_apart(
    text: str, question: str, verdict: Verdict, strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is verdict, told.text
    assert text in {evidence.quote for evidence in told.evidence}


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "event", "options"),
    [
        (ICE, "the derailment at Corby", ["speed", "ice"]),
        (BOLT, "the failure of engine 2 of the Halden aircraft", ["a bird strike", "a loose bolt"]),
        (SAND, "the failure of the pump at Vey", ["frost", "sand"]),
    ],
)
def test_what_is_set_apart_is_not_chosen(
    text: str, event: str, options: list[str], strategy: str, alone: Alone
) -> None:
    told = alone(text).choose(event, options, strategy=strategy)
    assert told.chosen == (1,), told.text
    assert told.options[0].verdict is CONTRADICTED


@pytest.mark.parametrize("strategy", ["default", "text-only"])
def test_nothing_followed_from_what_is_set_apart(strategy: str, alone: Alone) -> None:
    assert alone(BOLT).effects("a bird strike", strategy=strategy).verdict is Verdict.INSUFFICIENT
    assert alone(BOLT).effects("a loose bolt", strategy=strategy).verdict is SUPPORTED


def test_the_cause_is_told_without_what_is_set_against_it(alone: Alone) -> None:
    assert alone(ICE).ask("What caused the derailment at Corby?").text.endswith("happened because of ice.")
    assert alone(HOLM).ask("Why did Peter Holm die?").text.startswith(f"{HOLM} “cancer” is denied as a cause")


def test_the_graph_tells_the_cause_without_what_the_sentence_corrects(alone: Alone) -> None:
    told = alone(ROCK).ask("What caused the closure of the road at Elm?", strategy="causal-graph")
    assert told.verdict is SUPPORTED
    assert told.text.partition(" “")[0].endswith("happened because of a rockfall.")
    assert "“snow” is denied as a cause" in told.text


def test_what_is_corrected_speaks_for_nothing(alone: Alone) -> None:
    told = alone(FLOOD).ask("Did the storm cause the collapse of the bridge at Elm?")
    assert "contradict each other" not in told.text


def test_a_question_may_set_apart_what_the_sentence_does(alone: Alone) -> None:
    assert alone(ICE).ask("Did ice rather than speed cause the derailment at Corby?").verdict is SUPPORTED


@pytest.mark.parametrize("strategy", READING)
@pytest.mark.parametrize(
    ("text", "question", "verdict"),
    [
        (LAST, "Did speed cause the crash at Elm?", CONTRADICTED),
        (LAST, "Did ice cause the crash at Elm?", SUPPORTED),
        (LAST, "Did ice rather than speed cause the crash at Elm?", SUPPORTED),
        (LAST, "Did speed rather than ice cause the crash at Elm?", CONTRADICTED),
        (LAST, "Was the crash at Elm caused by ice, not speed?", SUPPORTED),
        (CLEFT, "Did ice rather than speed cause the crash at Elm?", SUPPORTED),
        (TOGETHER, "Did ice rather than speed cause the crash at Elm?", INSUFFICIENT),
        (IN_TURN, "Did ice rather than speed cause the crash at Elm?", INSUFFICIENT),
        (ALONE, "Did ice rather than speed cause the crash at Elm?", INSUFFICIENT),
        (ALONE, "Did ice cause the crash at Elm?", SUPPORTED),
    ],
)
def test_a_question_may_set_a_cause_apart(
    text: str, question: str, verdict: Verdict, strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is verdict, told.text
