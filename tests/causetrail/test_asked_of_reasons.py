"""What happened for a reason is answered by what happened for it, never by its denial or by another reason."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
MILL = "The mill at Orn stopped because of a power cut."
PUMPS = "The pumps at Orn did not stop because of a power cut."
BOTH = "The pumps at Orn did not stop; the mill stopped because of a power cut."
STRIKE = "The pumps at Orn did not stop because of a power cut. They stopped because of a strike."
FAILED = "The mill at Orn stopped because of a strike. The pumps failed because of a power cut."
APART = "The mill at Orn stopped because of a strike, not because of a power cut."
MAYBE = "The mill at Orn may have stopped because of a power cut."
ACTIVE = "A power cut stopped the mill at Orn."
DENIED = "A power cut did not stop the mill at Orn."
BEHIND = "A storm raged on the coast. As a result, the port of Vey was closed."
TEXTS = (MILL, PUMPS, BOTH, STRIKE, FAILED, APART, MAYBE, ACTIVE, DENIED, BEHIND)
STOPPED = "What stopped because of a power cut?"
SUPPORTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.INSUFFICIENT


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question", "quoted"),
    [
        (MILL, STOPPED, "mill"),
        (MILL, "What stopped due to a power cut?", "mill"),
        (BOTH, STOPPED, "the mill stopped"),
        (ACTIVE, STOPPED, "mill"),
        (FAILED, "What failed because of a power cut?", "pumps"),
        (BEHIND, "Which port was closed because of the storm?", "Vey"),
    ],
)
def test_the_effect_answers(text: str, question: str, quoted: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is SUPPORTED, told.text
    assert quoted in told.text


@pytest.mark.parametrize("strategy", ["default", "text-only", "causal-graph"])
@pytest.mark.parametrize("text", [PUMPS, STRIKE, FAILED, APART, MAYBE, DENIED])
def test_what_happened_otherwise_does_not(text: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(STOPPED, strategy=strategy)
    assert told.verdict is INSUFFICIENT, told.text


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_that_the_question_does_not_say_is_contradicted(text: str, alone: Alone) -> None:
    told = alone(text).ask(STOPPED, strategy="causal-graph")
    assert told.verdict is INSUFFICIENT, told.text
