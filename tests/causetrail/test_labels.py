"""A line that gives a cause behind a label gives it of the one happening that stands above it, and of no other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
ROOT = "The website went down on Monday. Root cause: an expired certificate."
SHEET = "# Sinking of the ferry Mona\n\n- Date: 3 May 2019\n- Place: Oban\n- Cause: an open bow door\n"
SEVERAL = "The website went down at eleven. It came back at noon. Root cause: an expired certificate."
HEADED = "# Crash of flight 12\n\nFlight 12 took off at noon. Twelve people died.\n\nCause: fatigue of the pilot."
SUMMARY = "# Report\n\n**Summary:** The lift in hall B was stopped on Monday.\n\n**Root cause:** a worn cable\n"


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question", "quoted"),
    [
        (ROOT, "Why did the website go down?", "expired certificate"),
        (ROOT, "What was the root cause?", "expired certificate"),
        (SHEET, "Why did the ferry Mona sink?", "open bow door"),
        (SHEET, "What caused the sinking of the ferry Mona?", "open bow door"),
        (HEADED, "Why did flight 12 crash?", "fatigue"),
        (SUMMARY, "Why was the lift stopped?", "worn cable"),
        ("Line 9 closed on Monday.\n\nCause of the closure: a burst pipe.", "What caused the closure?", "burst pipe"),
    ],
)
def test_what_a_label_gives_the_cause_of_is_told(
    text: str, question: str, quoted: str, strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is Verdict.SUPPORTED, told.text
    assert quoted in told.text


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (HEADED, "Why did flight 12 take off?"),
        (HEADED, "Why did twelve people die?"),
        (SEVERAL, "Why did the website go down?"),
        ("The website went down. Root cause: unknown.", "Why did the website go down?"),
        ("The lift stopped on Monday. Cause of the stop: under investigation.", "Why did the lift stop?"),
        ("The lift stopped on Monday. Cause: not a worn cable.", "Why did the lift stop?"),
        ("The lift stopped on Monday. Probable cause: a worn cable.", "Why did the lift stop?"),
        ("The lift stopped on Monday. Cause: possibly a worn cable.", "Why did the lift stop?"),
        ("The lift stopped on Monday. Cause: arson (unconfirmed).", "Why did the lift stop?"),
        ("Was the lift stopped? Cause: a worn cable.", "Why was the lift stopped?"),
        ("Line 9 closed. Root cause: unknown.", "What was the root cause?"),
    ],
)
def test_a_label_gives_no_cause_of_what_is_in_doubt(text: str, question: str, alone: Alone) -> None:
    for strategy in ("default", "text-only"):
        told = alone(text).ask(question, strategy=strategy)
        assert told.verdict in (Verdict.INSUFFICIENT, Verdict.HYPOTHESISED), told.text


def test_nobody_is_told_that_nothing_says_why_where_a_label_further_on_does(alone: Alone) -> None:
    told = alone(SEVERAL).ask("Why did the website go down?")
    assert "no statement" not in told.text
    assert "Root cause" in told.text
