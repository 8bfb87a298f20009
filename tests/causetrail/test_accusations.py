"""An accusation tells of no deed; the sentence that states the deed does, wherever it stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
ACCUSED = "Jones was accused of the murder of Smith."
BEHIND = f"{ACCUSED} Smith was murdered on 3 May."
BEFORE = f"Smith was murdered on 3 May. {ACCUSED}"
WITHIN = "Jones was accused of the murder of Smith, who was murdered on 3 May."
ACQUITTED = "Jones was acquitted of the murder of Smith. Smith had been murdered because of a debt."
MURDERED = "Was Smith murdered?"


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize("text", [BEHIND, BEFORE, WITHIN, ACQUITTED])
def test_the_sentence_that_states_the_deed_answers(text: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(MURDERED, strategy=strategy)
    assert told.verdict is Verdict.SUPPORTED, told.text
    assert any("murdered" in evidence.quote for evidence in told.evidence)


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question"),
    [(ACCUSED, MURDERED), (BEHIND, "Did Jones murder Smith?"), (ACCUSED, "Did Jones murder Smith?")],
)
def test_the_accusation_alone_does_not(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is Verdict.INSUFFICIENT, told.text
    assert "accused" in told.text
