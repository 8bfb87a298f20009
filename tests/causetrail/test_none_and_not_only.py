"""A cause that is named to be none, or corrected, is denied; one that is told not to be the only one is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
NEITHER = "The accident was caused by neither alcohol nor drugs."
NEITHER_BY = "The accident was caused neither by alcohol nor by drugs."
BECAUSE_OF = "The bridge collapsed because of neither wind nor ice."
NO_FAULT = "The crash was caused by no technical fault."
NONE_OF = "The delay was caused by none of these faults."
NOTHING_LESS = "The delay was caused by nothing less than sabotage."
NO_FEWER = "The delay was caused by no fewer than three faults."
NONE_OTHER = "The fire was caused by none other than the owner's cigarette."
BUT_TO = "The shortage was not due to strikes but to a lack of ships."
DUE_NOT = "The shortage was due not to strikes but to a lack of ships."
BUT_BY = "The shortage was not caused by strikes but by a lack of ships."
BUT_BECAUSE = "The shortage was not because of strikes but because of a lack of ships."
BUT_DUE = "The shortage wasn't due to strikes, but due to a lack of ships."
NOT_ONLY = "The shortage was not only caused by hoarding but also by a failed harvest."
ALONE = "The collapse was not due to bad weather alone."
DUE_ONLY = "The collapse was not due only to bad weather."
SOLELY = "The collapse was not solely due to bad weather."
JUST = "The collapse was not caused just by bad weather."
NOT_DUE = "The collapse was not due to bad weather."
READING = "default", "text-only"
SUPPORTED, CONTRADICTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT


@pytest.mark.parametrize("strategy", READING)
@pytest.mark.parametrize(
    ("text", "question", "verdict"),
    [
        (NEITHER, "Did alcohol cause the accident?", CONTRADICTED),
        (NEITHER, "Did drugs cause the accident?", CONTRADICTED),
        (NEITHER, "What caused the accident?", INSUFFICIENT),
        (NEITHER_BY, "Did alcohol cause the accident?", CONTRADICTED),
        (NEITHER_BY, "Did drugs cause the accident?", CONTRADICTED),
        (BECAUSE_OF, "Did the bridge collapse because of ice?", CONTRADICTED),
        (BECAUSE_OF, "Why did the bridge collapse?", INSUFFICIENT),
        (NO_FAULT, "Did a technical fault cause the crash?", CONTRADICTED),
        (NO_FAULT, "What caused the crash?", INSUFFICIENT),
        (NONE_OF, "Did these faults cause the delay?", CONTRADICTED),
        (NONE_OF, "What caused the delay?", INSUFFICIENT),
        (NOTHING_LESS, "Did sabotage cause the delay?", SUPPORTED),
        (NO_FEWER, "What caused the delay?", SUPPORTED),
        (NONE_OTHER, "Did the owner's cigarette cause the fire?", SUPPORTED),
    ],
)
def test_a_cause_that_is_none_is_denied(
    text: str, question: str, verdict: Verdict, strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is verdict, told.text


@pytest.mark.parametrize("strategy", READING)
@pytest.mark.parametrize("text", [BUT_TO, DUE_NOT, BUT_BY, BUT_BECAUSE, BUT_DUE])
def test_the_cause_behind_but_is_told_and_the_one_before_it_denied(text: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask("Did a lack of ships cause the shortage?", strategy=strategy)
    assert told.verdict is SUPPORTED, told.text
    told = alone(text).ask("Did strikes cause the shortage?", strategy=strategy)
    assert told.verdict is CONTRADICTED, told.text


@pytest.mark.parametrize("strategy", READING)
@pytest.mark.parametrize("cause", ["hoarding", "a failed harvest"])
def test_not_only_affirms_both(cause: str, strategy: str, alone: Alone) -> None:
    told = alone(NOT_ONLY).ask(f"Did {cause} cause the shortage?", strategy=strategy)
    assert told.verdict is SUPPORTED, told.text


@pytest.mark.parametrize("strategy", READING)
@pytest.mark.parametrize("text", [ALONE, DUE_ONLY, SOLELY, JUST])
def test_what_was_not_the_only_cause_is_not_denied(text: str, strategy: str, alone: Alone) -> None:
    for question in ("Did bad weather cause the collapse?", "What caused the collapse?"):
        told = alone(text).ask(question, strategy=strategy)
        assert told.verdict in (Verdict.HYPOTHESISED, INSUFFICIENT), told.text
        assert "ruled out" not in told.text
    assert alone(NOT_DUE).ask("Did bad weather cause the collapse?", strategy=strategy).verdict is CONTRADICTED
