"""What is told of a thing is not told of its neighbour of almost the same name, number or time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
READING = "default", "text-only", "causal-graph"
"""Strategies of which each reads the graph, the text or both in its own way."""
SUPPORTED, NO_FACT = (Verdict.SUPPORTED,), (Verdict.CONTRADICTED, Verdict.HYPOTHESISED, Verdict.INSUFFICIENT)
TOWERS = "Tower Rowe was built in 1950. Tower Bowe collapsed because the bolts were loose."
BOTH_TOWERS = "The collapse of Tower Bowe was caused by loose bolts. The collapse of Tower Rowe killed two people."
RIVERS = "The river Isk stayed calm. The river Usk flooded because of heavy rain."
PEOPLE = "Bergh resigned because of a scandal. Berg stayed in office."
TRAINS = "The 7:40 train derailed because a rail broke. The 7:50 train derailed because of a rock."
UNLIKE = "The Isk flooded. The Dornau flooded because of heavy rain."
LATE = "The 7:40 train was late. The 7:50 train derailed because of a rock."
FERRY = "The 10 o'clock ferry sank because the bow door was open."
LEAKS = "In March the dam leaked because a seal was worn. In April the dam leaked because a valve was rusty."
DATED = LEAKS.replace("March", "March 2020").replace("April", "April 2020")
WEEK = "On Monday the dam leaked because a seal was worn."


@pytest.mark.parametrize("strategy", READING)
@pytest.mark.parametrize(
    ("text", "question", "verdicts"),
    [
        (TOWERS, "Why did Tower Rowe collapse?", NO_FACT),
        (TOWERS, "why did tower rowe collapse", NO_FACT),
        (TOWERS, "Did Tower Rowe collapse because the bolts were loose?", NO_FACT),
        (TOWERS, "Why did Tower Bowe collapse?", SUPPORTED),
        (BOTH_TOWERS, "Why did Tower Rowe collapse?", NO_FACT),
        (BOTH_TOWERS, "What caused the collapse of Tower Bowe?", SUPPORTED),
        (RIVERS, "Why did the river Isk flood?", NO_FACT),
        (RIVERS, "Did heavy rain cause the Isk to flood?", NO_FACT),
        (RIVERS, "Why did the Usk flood?", SUPPORTED),
        (RIVERS, "Why did the River Usk flood?", SUPPORTED),
        (PEOPLE, "Why did Berg resign?", NO_FACT),
        (PEOPLE, "Did Berg resign because of a scandal?", NO_FACT),
        (PEOPLE, "What caused Bergh's resignation?", SUPPORTED),
        (TRAINS, "Did a rock cause the 7:40 train to derail?", NO_FACT),
        (TRAINS, "Why did the 7:50 train derail?", SUPPORTED),
        (UNLIKE, "Did heavy rain cause the Isk to flood?", NO_FACT),
        (UNLIKE, "Why did the Isk flood?", NO_FACT),
        (UNLIKE, "Why did the Dornau flood?", SUPPORTED),
        (LATE, "Why did the 7:40 train derail?", NO_FACT),
        (FERRY, "Why did the 9 o'clock ferry sink?", NO_FACT),
        (FERRY, "Why did the 10 o'clock ferry sink?", SUPPORTED),
        (FERRY, "Why did the ten o'clock ferry sink?", SUPPORTED),
        (LEAKS, "Why did the dam leak in May?", NO_FACT),
        (LEAKS, "Why did the dam leak in April?", SUPPORTED),
        (DATED, "Why did the dam leak in May?", NO_FACT),
        (DATED, "Why did the dam leak in March?", SUPPORTED),
        (WEEK, "Why did the dam leak on Tuesday?", NO_FACT),
        (WEEK, "Why did the dam leak on Monday?", SUPPORTED),
    ],
)
def test_a_neighbour_is_not_told(
    text: str, question: str, verdicts: tuple[Verdict, ...], strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict in verdicts, told.text


@pytest.mark.parametrize("strategy", READING)
def test_the_cause_of_the_other_train_is_not_told_beside(strategy: str, alone: Alone) -> None:
    told = alone(TRAINS).ask("Why did the 7:40 train derail?", strategy=strategy)
    assert told.verdict is Verdict.SUPPORTED
    assert "rock" not in told.text


@pytest.mark.parametrize("strategy", ["default", "causal-graph"])
def test_the_loose_bolts_did_not_kill_who_stood_by_the_other_tower(strategy: str, alone: Alone) -> None:
    told = alone(BOTH_TOWERS).ask("What did loose bolts cause?", strategy=strategy)
    assert told.verdict is Verdict.SUPPORTED
    assert "killed" not in told.text


@pytest.mark.parametrize("strategy", READING)
@pytest.mark.parametrize(
    ("text", "question", "near"),
    [
        (RIVERS, "Why did the river Isk flood?", "the river Usk flooded"),
        (FERRY, "Why did the 9 o'clock ferry sink?", "the 10 o'clock ferry sank"),
        (LEAKS, "Why did the dam leak in May?", "not at the time asked about"),
    ],
)
def test_what_is_near_is_shown(text: str, question: str, near: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert near in told.text
    assert told.evidence


def test_events_of_two_trains_in_one_document_are_two(alone: Alone) -> None:
    derailed = [event.description for event in alone(TRAINS).events() if "derailed" in event.description]
    assert sorted(derailed) == ["The 7:40 train derailed", "The 7:50 train derailed"]
