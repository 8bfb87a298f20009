"""The questions that the page of verdicts quotes are answered as it says."""

from __future__ import annotations

import pytest

from causetrail import Causetrail
from kg.records import Verdict
from tests.conftest import ROOT


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What if gate 2 had not opened?", Verdict.HYPOTHESISED),
        (
            "Would the footbridge have been closed without the release of water from the Arlen dam?",
            Verdict.HYPOTHESISED,
        ),
        ("What if gate 2 had opened?", Verdict.CONTRADICTED),
        (
            "Which of these caused the footbridge to close: the storm, the rising river or the blocked drain?",
            Verdict.SUPPORTED,
        ),
        ("Who closed the footbridge?", Verdict.SUPPORTED),
    ],
)
def test_a_quoted_question_gets_its_verdict(flood: Causetrail, question: str, verdict: Verdict) -> None:
    page = " ".join((ROOT / "docs" / "verdicts.md").read_text("utf-8").split())
    assert f"“{question}”" in page
    assert flood.ask(question).verdict is verdict
