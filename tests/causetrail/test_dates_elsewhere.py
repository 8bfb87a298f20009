"""A cause that another sentence of its document dates after its effect is at most a possibility, with both dates."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict
from reasoning.strategies import STRATEGIES

Alone = Callable[[str], Causetrail]
LATE = "The oil leak was found on 12 July. On 15 July a storm hit the coast. The storm caused the oil leak."
PASSIVE = (
    "The oil leak was found on 12 July 2020. A storm struck on 15 July 2020. The oil leak was caused by the storm."
)
OWN = "The storm of 15 July caused the oil leak of 12 July."
EARLIER = "On 15 July a storm hit. An earlier storm had caused the oil leak of 12 July."
TWO = (
    "On 10 July a storm hit. The oil leak was found on 12 July. On 15 July another storm hit. "
    "The storm caused the oil leak."
)
ENDED = "The oil leak was found on 12 July. The storm ended on 15 July. The storm caused the oil leak."
BEFORE = "On 10 July a storm hit the coast. The oil leak was found on 12 July. The storm caused the oil leak."
NEW_YEAR = "The oil leak was found on 2 January. On 30 December a storm hit. The storm caused the oil leak."
SUPPORTED, HYPOTHESISED = Verdict.SUPPORTED, Verdict.HYPOTHESISED


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("question", ["What caused the oil leak?", "Did the storm cause the oil leak?"])
def test_a_cause_dated_after_its_effect_is_a_possibility(question: str, strategy: str, alone: Alone) -> None:
    told = alone(LATE).ask(question, strategy=strategy)
    assert told.verdict is HYPOTHESISED, told.text
    assert "15 July" in told.text and "12 July" in told.text and "2000" not in told.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize("text", [PASSIVE, OWN])
def test_the_dates_may_stand_in_any_sentence(text: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask("What caused the oil leak?", strategy=strategy)
    assert told.verdict is HYPOTHESISED, told.text


@pytest.mark.parametrize("strategy", ["text-only", "abductive", "dual-agent", "causal-graph"])
@pytest.mark.parametrize("text", [EARLIER, TWO, ENDED, BEFORE, NEW_YEAR])
def test_dates_of_another_happening_speak_against_nothing(text: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask("What caused the oil leak?", strategy=strategy)
    assert told.verdict is SUPPORTED, told.text


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_a_late_option_is_not_chosen(strategy: str, alone: Alone) -> None:
    late = alone(LATE).choose("the oil leak", ["the storm", "a worn seal"], strategy=strategy)
    assert 0 not in late.chosen, late.text
    early = alone(BEFORE).choose("the oil leak", ["the storm", "a worn seal"], strategy=strategy)
    assert early.chosen == (0,), early.text
