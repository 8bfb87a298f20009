"""What is checked at the end of any answer stands in its trace, and makes no fact of what is only suspected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from causetrail import Causetrail
from kg.records import Mode, Stance, Verdict

Alone = Callable[[str], Causetrail]
DENIED = "The storm did not cause the collapse immediately."
ASKED = "Did the storm cause the collapse?"
FIRE = "The fire was caused by a short circuit in the cellar."
SEAL = "The seal leaked because of frost. The new seal held."
MILL = "The pumps went on. The mill stopped because of a power cut."
SHIP = (
    "The ship sank because the captain was drunk, according to the harbour master. The captain says the rudder failed."
)


@pytest.mark.parametrize(
    ("text", "question", "step"),
    [
        (FIRE, "Did a short circuit rather than arson cause the fire?", "excluded cause"),
        (FIRE, "Was the fire caused by anything other than a short circuit?", "excluded cause"),
        (FIRE, "What other than a short circuit caused the fire?", "excluded cause"),
        (DENIED, ASKED, "partial denial"),
        (SEAL, "Why did the new seal leak?", "another one"),
        (SHIP, "Why did the ship sink?", "accounts"),
        (MILL, "Did the pumps stop because of a power cut?", "unsaid"),
    ],
)
def test_each_check_that_changes_the_answer_is_a_step_with_what_it_came_to(
    text: str, question: str, step: str, alone: Alone
) -> None:
    told = alone(text).ask(question)
    last = told.trace[-1]
    assert (last.step, last.detail["judge"]) == (step, "by rule")
    assert (last.detail["text"], last.detail["verdict"]) == (told.text, told.verdict.value)


@pytest.fixture
def of_both(tmp_path: Path) -> Callable[[str], Causetrail]:
    def taken_in(telling: str) -> Causetrail:
        trail = Causetrail(f"sqlite:///{tmp_path}/both.db")
        trail.ingest_text(telling, "one.md")
        trail.ingest_text(DENIED, "other.md")
        return trail

    return taken_in


@pytest.mark.parametrize("strategy", ["default", "causal-graph"])
def test_what_is_only_suspected_is_no_fact_where_its_denial_is_one_in_part(
    strategy: str, of_both: Callable[[str], Causetrail]
) -> None:
    with of_both("The storm may have caused the collapse.") as trail:
        told = trail.ask(ASKED, strategy=strategy)
    assert (told.verdict, told.mode) == (Verdict.HYPOTHESISED, Mode.GRAPH)
    assert told.text.startswith("Possibly, ") and told.confidence < 0.5


def test_what_is_stated_is_a_fact_where_its_denial_is_one_in_part(of_both: Callable[[str], Causetrail]) -> None:
    with of_both("The storm caused the collapse.") as trail:
        told = trail.ask(ASKED)
    assert told.verdict is Verdict.SUPPORTED
    assert {(one.source, one.stance) for one in told.evidence} == {("one.md", Stance.FOR)}
