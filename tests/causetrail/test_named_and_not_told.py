"""A sentence that has all the words of a question is no answer where it names what was asked without telling it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
SUPPORTED, NO_FACT = (Verdict.SUPPORTED,), (Verdict.CONTRADICTED, Verdict.HYPOTHESISED, Verdict.INSUFFICIENT)
AVOIDED = "The driver avoided a crash at Pell on 2 May 2020 because he braked."
VACCINE = "The vaccine prevented an outbreak of measles in Orm in 2023."
DROPPED = "The plan to close the Hume school was dropped on 2 May 2020 because of protests."
STOPPED = "The Hume school was to be closed in 2020. Protests stopped the closure of the Hume school."
DRUNK = "The driver of the tram in Imst was accused of having been drunk. A blood test showed that he was sober."
ACQUITTED = "The court acquitted Jan Roe of having started the fire at the Elb mill on 2 May 2020."
LANDED = "The pilot tried to land the plane at Cork on 2 May 2020. The plane crashed because the runway was short."
BLAMED = (
    "The strike at the Sorn quarry on 5 May 2021 was wrongly blamed on low wages. "
    "The strike at the Sorn quarry was caused by unpaid overtime."
)
ALTHOUGH = "The mill at Orb closed on 2 May 2020 because of debts, although some blamed the new road."
WELL = "The outbreak of cholera was caused by a dirty well, which had been dug before the flood."
SPOKEN = "The mayor of Orm greeted the crowd and said hello."


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question", "verdicts"),
    [
        (AVOIDED, "Did the driver crash at Pell?", NO_FACT),
        (AVOIDED, "What caused the crash at Pell?", NO_FACT),
        (AVOIDED, "Why was the crash at Pell avoided?", SUPPORTED),
        (VACCINE, "Was there an outbreak of measles in Orm?", NO_FACT),
        (VACCINE, "Did the vaccine prevent an outbreak of measles in Orm?", SUPPORTED),
        (DROPPED, "Was the Hume school closed?", NO_FACT),
        (DROPPED, "Why was the Hume school closed?", NO_FACT),
        (DROPPED, "Why was the plan to close the Hume school dropped?", SUPPORTED),
        (STOPPED, "Was the Hume school closed?", NO_FACT),
        (STOPPED, "Did protests stop the closure of the Hume school?", SUPPORTED),
        ("Protests stopped the trains at Orb on 2 May 2020.", "Were the trains at Orb stopped?", SUPPORTED),
        (DRUNK, "Was the driver of the tram in Imst drunk?", NO_FACT),
        (DRUNK, "Was the driver of the tram in Imst accused of having been drunk?", SUPPORTED),
        (ACQUITTED, "Who started the fire at the Elb mill?", NO_FACT),
        (ACQUITTED, "Was there a fire at the Elb mill?", SUPPORTED),
        (LANDED, "Did the pilot land the plane at Cork?", NO_FACT),
        (LANDED, "Did the pilot try to land the plane at Cork?", SUPPORTED),
        (LANDED, "Why did the plane crash?", SUPPORTED),
        (BLAMED, "Did low wages cause the strike at the Sorn quarry?", (Verdict.CONTRADICTED,)),
        (BLAMED, "What caused the strike at the Sorn quarry?", SUPPORTED),
        ("The strike at Sorn was blamed on low wages.", "What caused the strike at Sorn?", SUPPORTED),
        (ALTHOUGH, "Did the new road cause the mill at Orb to close?", NO_FACT),
        (ALTHOUGH, "Did debts cause the mill at Orb to close?", SUPPORTED),
        (WELL, "Did the flood cause the outbreak of cholera?", NO_FACT),
        (WELL, "Did a dirty well cause the outbreak of cholera?", SUPPORTED),
        (SPOKEN, "hello", NO_FACT),
        (SPOKEN, "Who said hello?", SUPPORTED),
    ],
)
def test_what_is_only_named_is_not_told(
    text: str, question: str, verdicts: tuple[Verdict, ...], strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict in verdicts, told.text


def test_a_cause_is_told_without_what_it_was_wrongly_blamed_on(alone: Alone) -> None:
    told = alone(BLAMED).ask("What caused the strike at the Sorn quarry?")
    assert "unpaid overtime" in told.text
    assert "happened because of low wages" not in told.text


def test_what_a_clause_beside_the_cause_names_is_not_chosen(alone: Alone) -> None:
    told = alone(WELL).choose("the outbreak of cholera", ["a dirty well", "the flood"])
    assert told.chosen == (0,), told.text


@pytest.mark.parametrize("question", ["hello", "why", "Why?", "What happened then?", "Thanks!"])
def test_a_question_without_a_word_of_content_is_told_that_it_names_nothing(question: str, alone: Alone) -> None:
    told = alone(SPOKEN).ask(question)
    assert told.verdict is Verdict.INSUFFICIENT
    assert told.evidence == ()
    assert "names nothing to look for" in told.text
