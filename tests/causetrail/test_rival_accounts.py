"""Two sources that give different causes of one happening are told side by side, and neither as a fact."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Stance, Verdict

MILL = "Police say arson destroyed the mill. The owner says a short circuit destroyed it."
WHILE = "Police say that arson destroyed the mill, while the owner insists it was a short circuit."
WICK = (
    "According to the police, the fire at Wick was caused by arson. "
    "The fire at Wick was caused by a short circuit, said the owner."
)
BLAMED = "Police blame arson for the fire at Wick. The owner blames a short circuit."
BURNED = "The mill burned down on 2 May. Police say arson caused it. The owner of the mill says a short circuit did."
SORN = "The union said low wages caused the strike at Sorn. The company told the court that overtime caused the strike."
DENIES = "Police say arson destroyed the mill. The owner denies this."
REFUSES = "Police say arson destroyed the mill. The owner denied entry to the press."
AGREED = "Police said arson caused the fire at Wick. The owner said arson caused the fire at Wick."
ADDED = "Police said ice caused the crash at Corby. The mayor said speed also contributed to the crash at Corby."
FOUND = "The inquiry found that ice caused the crash at Corby. The pilot said that wind caused the crash at Corby."
TWO = "Ice and speed caused the crash at Corby."
STORM = "The frost weakened the wall. A storm brought it down."
STATED = "The fire at Wick was caused by arson. The owner said the fire at Wick was caused by a short circuit."
ROUTES = "The sheriff said ice caused the crash on Route 5. The mayor said speed caused the crash on Route 9."
SUPPORTED, HYPOTHESISED = Verdict.SUPPORTED, Verdict.HYPOTHESISED
STRATEGIES = ["default", "text-only"]
Alone = Callable[[str], Causetrail]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (MILL, "What destroyed the mill?"),
        (MILL, "Why was the mill destroyed?"),
        (MILL, "Did arson destroy the mill?"),
        (MILL, "Did a short circuit destroy the mill?"),
        (WHILE, "What destroyed the mill?"),
        (WHILE, "Did a short circuit destroy the mill?"),
        (WICK, "What caused the fire at Wick?"),
        (WICK, "Did a short circuit cause the fire at Wick?"),
        (BLAMED, "What caused the fire at Wick?"),
        (BURNED, "Why did the mill burn down?"),
        (SORN, "What caused the strike at Sorn?"),
    ],
)
def test_accounts_that_differ_stand_side_by_side(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is HYPOTHESISED, told.text
    shown = " ".join(evidence.quote for evidence in told.evidence)
    for words in ("arson", "short circuit") if text is not SORN else ("low wages", "overtime"):
        assert words in told.text
        assert words in shown


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("question", ["What destroyed the mill?", "Did arson destroy the mill?"])
def test_what_another_source_denies_is_told_with_the_denial(question: str, strategy: str, alone: Alone) -> None:
    told = alone(DENIES).ask(question, strategy=strategy)
    assert told.verdict is HYPOTHESISED, told.text
    assert "denies" in told.text
    assert {evidence.stance for evidence in told.evidence} == {Stance.FOR, Stance.AGAINST}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (REFUSES, "What destroyed the mill?"),
        (MILL, "What did the owner say destroyed the mill?"),
        (MILL, "Was the mill destroyed?"),
        (AGREED, "What caused the fire at Wick?"),
        (FOUND, "What caused the crash at Corby?"),
        (FOUND, "Did ice cause the crash at Corby?"),
        (TWO, "What caused the crash at Corby?"),
        (TWO, "Did ice cause the crash at Corby?"),
        (STORM, "What brought the wall down?"),
        (STATED, "Did arson cause the fire at Wick?"),
        (ROUTES, "What caused the crash on Route 5?"),
    ],
)
def test_what_does_not_differ_is_supported(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is SUPPORTED, told.text


def test_a_cause_that_another_source_adds_stands_against_none(alone: Alone) -> None:
    assert "differ" not in alone(ADDED).ask("What caused the crash at Corby?").text


def test_the_graph_alone_tells_its_accounts_side_by_side(alone: Alone) -> None:
    told = alone(WICK).ask("What caused the fire at Wick?", strategy="causal-graph")
    assert told.verdict is HYPOTHESISED, told.text
    assert len(told.evidence) == 2


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize("text", [MILL, WHILE])
def test_both_accounts_are_chosen_as_possible(text: str, strategy: str, alone: Alone) -> None:
    told = alone(text).choose("the mill was destroyed", ["arson", "a short circuit", "a flood"], strategy=strategy)
    assert told.verdict is HYPOTHESISED
    assert told.chosen == (0, 1), told.text
    assert "No statement was found" not in told.text


def test_the_trace_tells_that_accounts_differ(alone: Alone) -> None:
    trail = alone(MILL)
    told = trail.ask("What destroyed the mill?")
    assert "accounts" in [one.step for one in told.trace]
    assert trail.replay(told).same
