"""What somebody said would be done is not told as done, unless the question asks for the plan."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
JOBS = "The company announced that it would cut 500 jobs because of falling demand. After protests it gave up the plan."
MILL = "The company said it would close the mill because of losses."
ROAD = "Police told drivers on Monday that the road would be closed because of flooding."
BACK = "The captain decided to turn back because of fog."
LATER = "The company announced it would sell the mill. The company sold the mill in May because of losses."
DYKE = "The road was closed because police said the dyke would break."


@pytest.mark.parametrize("strategy", ["default", "text-only", "causal-graph"])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (JOBS, "Why did the company cut 500 jobs?"),
        (JOBS, "Did the company cut 500 jobs?"),
        (MILL, "Why did the company close the mill?"),
        (MILL, "Did the company close the mill?"),
        (ROAD, "Why was the road closed?"),
        (DYKE, "Did the dyke break?"),
    ],
)
def test_what_was_to_come_is_not_told_as_done(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict in {Verdict.INSUFFICIENT, Verdict.HYPOTHESISED}, told.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (BACK, "Why did the captain turn back?"),
        (LATER, "Why did the company sell the mill?"),
        (DYKE, "Why was the road closed?"),
        (MILL, "Why did the company say it would close the mill?"),
        (JOBS, "Why did the company announce that it would cut 500 jobs?"),
    ],
)
def test_what_was_done_is_told(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is Verdict.SUPPORTED, told.text
