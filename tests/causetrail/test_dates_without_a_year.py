"""Happenings that differ in their day alone, which no year is told of, are two, and each has its own cause."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
FRONTED = "On 3 May a fault caused the blackout. On 9 June a storm caused the blackout."
INDEFINITE = "A fault caused a blackout on 3 May. On 9 June a storm caused a blackout."
PLACED = "On 3 May a fault caused a blackout in Riga. The blackout in Riga on 9 June was caused by a storm."
WEEKDAYS = "On Monday a fault caused the blackout. On Tuesday a storm caused the blackout."
SAME = "On 3 May a fault caused the blackout. On 3 May the blackout caused a panic."
OF_SAYING = "On 9 June the mayor said that a storm had caused a blackout."
IN_MAY, IN_JUNE = "What caused the blackout on 3 May?", "What caused the blackout on 9 June?"
SUPPORTED = Verdict.SUPPORTED


@pytest.mark.parametrize("strategy", ["default", "text-only", "causal-graph"])
@pytest.mark.parametrize("text", [FRONTED, INDEFINITE])
@pytest.mark.parametrize(("question", "told", "other"), [(IN_MAY, "a fault", "storm"), (IN_JUNE, "a storm", "fault")])
def test_each_is_answered_by_its_own_cause(
    question: str, told: str, other: str, text: str, strategy: str, alone: Alone
) -> None:
    answer = alone(text).ask(question, strategy=strategy)
    assert answer.verdict is SUPPORTED, answer.text
    assert told in answer.text.lower() and other not in answer.text


@pytest.mark.parametrize("strategy", ["default", "causal-graph"])
@pytest.mark.parametrize(
    ("text", "question", "told", "other"),
    [
        (PLACED, IN_MAY, "a fault", "storm"),
        (WEEKDAYS, "What caused the blackout on Monday?", "a fault", "storm"),
        (WEEKDAYS, "What caused Tuesday's blackout?", "a storm", "fault"),
    ],
)
def test_the_graph_keeps_them_apart(
    text: str, question: str, told: str, other: str, strategy: str, alone: Alone
) -> None:
    answer = alone(text).ask(question, strategy=strategy)
    assert told in answer.text.lower() and other not in answer.text, answer.text


@pytest.mark.parametrize("strategy", ["default", "text-only", "causal-graph"])
def test_asked_without_a_day_both_are_told(strategy: str, alone: Alone) -> None:
    answer = alone(INDEFINITE).ask("What caused the blackout?", strategy=strategy)
    assert "fault" in answer.text and "storm" in answer.text


def test_of_one_day_they_are_one(alone: Alone) -> None:
    answer = alone(SAME).ask("What caused the panic?", strategy="causal-graph")
    assert answer.verdict is SUPPORTED
    assert "a fault" in answer.text


def test_the_day_of_a_saying_is_not_that_of_what_is_said(alone: Alone) -> None:
    assert alone(OF_SAYING).ask(IN_JUNE).verdict is not SUPPORTED
