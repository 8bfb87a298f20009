"""What "died in" and "were injured in" are followed by: a happening is a cause, a place or a time is none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail

STRATEGIES = ("default", "text-only")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Nine patients died in April.", "Why did nine patients die?"),
        ("Nine patients died in the fall of 1998.", "Why did nine patients die?"),
        ("Ten soldiers died in Helmand in 2009.", "Why did ten soldiers die?"),
        ("Five people were injured in Leeds on Monday.", "What caused the injury of five people?"),
        ("Four hikers were killed in the Alps on Sunday.", "Why were four hikers killed?"),
        ("The poet died in hospital on Monday.", "Why did the poet die?"),
        ("The chapel was destroyed during the night.", "Why was the chapel destroyed?"),
    ],
)
def test_a_place_or_a_time_is_no_cause(
    text: str, question: str, strategy: str, alone: Callable[[str], Causetrail]
) -> None:
    assert alone(text).ask(question, strategy=strategy).verdict == "insufficient"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Three families died in a fire in Leeds.", "Why did three families die?"),
        ("Two people were killed in the floods of May.", "Why were two people killed?"),
        ("Six workers were injured in an explosion in Leeds.", "Why were six workers injured?"),
        ("The church was destroyed during the storm.", "Why was the church destroyed?"),
    ],
)
def test_a_happening_is_a_cause(text: str, question: str, strategy: str, alone: Callable[[str], Causetrail]) -> None:
    assert alone(text).ask(question, strategy=strategy).verdict == "supported"
