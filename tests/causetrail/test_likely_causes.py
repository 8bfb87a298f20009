"""A guess is offered only for what comes about, never high, and not beside what documents state; that stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
SPREAD = "The fire at Orn spread through the hall after the sprinklers failed."
OUT_OF_ORDER = "With the sprinklers out of order, the fire at Orn destroyed the hall."
BRIGADE = "When the fire brigade came to Orn, the fire at Orn began in the second hall."
CANDLE = "The fire started in the hall when a candle fell over."
PUMP = "When the pump at Orn failed, the flood in the cellar at Orn began."
OTHER = f"A spark caused the fire. {CANDLE}"
DENIED = (
    "The operator denied that a cyber attack caused the outage. "
    "The regulator concluded that an expired certificate caused the outage."
)
SEAL = "A worn seal caused the oil leak. The oil leak was found on 12 July. Divers repaired the leak in a week."
ICE = "The crash was caused by ice, not speed."
SUPPORTED, HYPOTHESISED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.HYPOTHESISED, Verdict.INSUFFICIENT


@pytest.mark.parametrize("strategy", ["default", "abductive"])
@pytest.mark.parametrize("text", [SPREAD, OUT_OF_ORDER, BRIGADE])
def test_what_fights_a_fire_did_not_start_it(text: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask("What started the fire at Orn?", strategy=strategy)
    assert told.verdict is INSUFFICIENT, told.text


@pytest.mark.parametrize(
    ("text", "question", "cause"),
    [
        (CANDLE, "What started the fire?", "candle"),
        (PUMP, "What caused the flood in the cellar at Orn?", "pump"),
    ],
)
def test_a_likely_cause_is_told_as_a_guess_that_is_not_sure(text: str, question: str, cause: str, alone: Alone) -> None:
    told = alone(text).ask(question)
    assert (told.verdict, cause in told.text) == (HYPOTHESISED, True), told.text
    assert told.confidence < 0.8


def test_no_guess_is_offered_beside_a_stated_cause(alone: Alone) -> None:
    told = alone(OTHER).ask("What caused the fire?")
    assert "candle" not in told.text, told.text


@pytest.mark.parametrize("strategy", ["default", "text-only", "abductive", "support-checked"])
@pytest.mark.parametrize(
    ("text", "question", "quoted"),
    [
        (DENIED, "What caused the outage?", "certificate"),
        (SEAL, "What caused the oil leak?", "seal"),
        (ICE, "What caused the crash?", "ice"),
    ],
)
def test_a_stated_cause_of_just_what_is_asked_stands(
    text: str, question: str, quoted: str, strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert (told.verdict, quoted in told.text) == (SUPPORTED, True), told.text


def test_the_denied_cause_is_told_beside(alone: Alone) -> None:
    told = alone(DENIED).ask("What caused the outage?")
    assert "cyber attack” is denied" in told.text
