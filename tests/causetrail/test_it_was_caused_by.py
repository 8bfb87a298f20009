"""What a sentence takes from the one before: "it" of "it was caused by", and the cause of "died as a result"."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail

STRATEGIES = ("default", "text-only")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("text", "question", "cause"),
    [
        ("The crash was not caused by ice. It was caused by a worn tyre.", "What caused the crash?", "a worn tyre"),
        ("The explosion happened at 3 a.m. It was caused by a gas leak.", "What caused the explosion?", "a gas leak"),
        ("A landslide buried a bus. It was triggered by heavy rain.", "What caused the landslide?", "heavy rain"),
        (
            "A fire destroyed the town hall of Neum in 2014. It was caused by fireworks.",
            "What caused the fire?",
            "fireworks",
        ),
    ],
)
def test_it_is_the_happening_of_the_sentence_before(
    text: str, question: str, cause: str, strategy: str, alone: Callable[[str], Causetrail]
) -> None:
    answer = alone(text).ask(question, strategy=strategy)
    assert answer.verdict == "supported"
    assert cause in answer.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
def test_it_is_what_the_sentence_before_denies_a_cause_of(strategy: str, alone: Callable[[str], Causetrail]) -> None:
    trail = alone("Heavy rain did not cause the landslide. It was triggered by illegal quarrying.")
    answer = trail.ask("What caused the landslide?", strategy=strategy)
    assert answer.verdict == "supported"
    assert "illegal quarrying" in answer.text
    assert trail.ask("Did heavy rain cause the landslide?", strategy=strategy).verdict == "contradicted"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The fire led to an explosion. It was caused by a gas leak.", "What caused the fire?"),
        ("The crash left a gap in the wall. It was caused by the engine block.", "What caused the crash?"),
        ("The report said that the dam failed. It was caused by a crack.", "What caused the report?"),
        ("The explosion happened at 3 a.m. It was not caused by a gas leak.", "What caused the explosion?"),
    ],
)
def test_where_it_may_be_another_thing_or_is_denied_it_answers_nothing(
    text: str, question: str, strategy: str, alone: Callable[[str], Causetrail]
) -> None:
    assert alone(text).ask(question, strategy=strategy).verdict == "insufficient"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_thing_does_not_happen(strategy: str, alone: Callable[[str], Causetrail]) -> None:
    trail = alone("A fire destroyed the town hall of Neum in 2014. It was caused by fireworks.")
    answer = trail.ask("Why was the town hall of Neum destroyed?", strategy=strategy)
    assert answer.verdict == "supported"
    assert "hall of Neum in 2014 happened" not in answer.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
def test_what_happened_as_a_result_is_of_the_sentence_before(strategy: str, alone: Callable[[str], Causetrail]) -> None:
    trail = alone("The clinic ran out of oxygen on Sunday. Four patients died as a result.")
    answer = trail.ask("Why did four patients die?", strategy=strategy)
    assert answer.verdict == "supported"
    assert "oxygen" in answer.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
def test_where_the_sentence_has_two_clauses_it_is_not(strategy: str, alone: Callable[[str], Causetrail]) -> None:
    trail = alone("The mayor opened a fair on Sunday. The pump stopped and four patients died as a result.")
    answer = trail.ask("Why did four patients die?", strategy=strategy)
    assert "fair" not in answer.text
