"""A cause that by the dates told came after its effect: at most a hypothesis, said so, with its quote."""

import pytest

from kg.records import Modality, Mode, Stance, Verdict
from reasoning.answer import answer
from reasoning.late_causes import Dated, late_cause

QUOTE = "The fire in the depot on 3 March 2021 was caused by the explosion of a tanker on 5 March 2021."
FIRE, TANKER = "The fire in the depot on 3 March 2021", "the explosion of a tanker on 5 March 2021"
WARNING = (
    "By the dates told, what is given as the cause came after its effect: "
    f"“{TANKER}” (2021-03-05) after “the fire in the depot on 3 March 2021” (2021-03-03)."
)
WHY = "Why did the fire in the depot happen?"
ASKED = (
    WHY,
    "What followed from the explosion of a tanker?",
    "How did the explosion of a tanker lead to the fire in the depot?",
    "Did the explosion of a tanker cause the fire in the depot?",
)


@pytest.fixture
def reversed_link(told, says):
    return says(told(TANKER, "explosion", "2021-03-05"), told(FIRE, "fire", "2021-03-03"))


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize(("strategy", "mode"), [("default", Mode.GRAPH), ("text-only", Mode.TEXT)])
def test_it_is_a_hypothesis_with_the_dates_and_the_quote(shelf, text, reversed_link, question, strategy, mode):
    found = answer(question, shelf.room(text("a.md", QUOTE, (reversed_link,))), strategy)
    assert (found.verdict, found.mode) == (Verdict.HYPOTHESISED, mode)
    assert [one.quote for one in found.evidence if one.stance is Stance.FOR] == [QUOTE]
    assert WARNING in found.text
    assert found.missing[0] == WARNING


def test_a_sentence_of_which_no_claim_was_made_is_read_by_the_dates_in_its_words(shelf, text):
    found = answer(WHY, shelf.room(text("a.md", QUOTE)), "text-only")
    assert found.verdict is Verdict.HYPOTHESISED
    assert found.missing == (WARNING,)


def test_the_dates_may_be_told_elsewhere(shelf, text, told, says):
    plain = "The fire in the depot happened because the tanker exploded."
    fire = told("The fire in the depot", "fire", "2021-03-03")
    exploded = told("the tanker exploded", "exploded", "2021-03-05")
    room = shelf.room(text("a.md", plain, (says(exploded, fire),)))
    for strategy in ("default", "text-only"):
        found = answer(WHY, room, strategy)
        assert found.verdict is Verdict.HYPOTHESISED
        assert "“the tanker exploded” (2021-03-05)" in found.missing[0]


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [("", Verdict.SUPPORTED), (" on 2 May 2020", Verdict.HYPOTHESISED), (" on 7 May 2020", Verdict.SUPPORTED)],
)
def test_the_question_dates_what_the_documents_do_not(shelf, text, told, says, asked, verdict):
    quote = "The fire in the Ank tunnel on 5 May 2020 led to the closure of the Ank tunnel."
    fire = told("The fire in the Ank tunnel on 5 May 2020", "fire", "2020-05-05")
    closure = told("the closure of the Ank tunnel", "closure")
    found = answer(
        f"Why did the closure of the Ank tunnel{asked} happen?", shelf.room(text("a.md", quote, (says(fire, closure),)))
    )
    assert found.verdict is verdict
    assert any("(2020-05-02)" in line for line in found.missing) is (verdict is Verdict.HYPOTHESISED)


def test_the_dates_of_the_graph_count_more_than_the_first_ones_of_a_side(shelf, text, told, says):
    quote = "By the report of 1 March 2021 the fire in the depot started because a tanker exploded on 5 March 2021."
    exploded = told("a tanker exploded", "exploded", "2021-03-05")
    fire = told("the fire in the depot started", "fire", "2021-03-05")
    room = shelf.room(text("a.md", quote, (says(exploded, fire),)))
    found = answer("Why did the fire in the depot start?", room, "text-only")
    assert (found.verdict, found.missing) == (Verdict.SUPPORTED, ())


@pytest.mark.parametrize("strategy", ["default", "text-only"])
def test_one_whose_dates_agree_comes_first(shelf, text, told, says, reversed_link, strategy):
    spark = told("a spark on 2 March 2021", "spark", "2021-03-02")
    words = "The fire in the depot on 3 March 2021 was caused by a spark on 2 March 2021."
    agreeing = text("b.md", words, (says(spark, told(FIRE, "fire", "2021-03-03"), confidence=0.7),))
    found = answer(WHY, shelf.room(text("a.md", QUOTE, (reversed_link,)), agreeing), strategy)
    assert found.verdict is Verdict.SUPPORTED
    assert [one.quote for one in found.evidence] == [words]
    assert WARNING not in found.text


def test_a_chain_is_late_across_an_event_without_a_date(shelf, text, told, says):
    struck, stopped = told("lightning struck the mast", "struck", "2021-03-05"), told("the pump stopped", "stopped")
    flooded = told("the cellar flooded", "flooded", "2021-03-03")
    room = shelf.room(
        text("a.md", "At night the cellar flooded because the pump stopped.", (says(stopped, flooded),)),
        text("b.md", "At night the pump stopped because lightning struck the mast.", (says(struck, stopped),)),
    )
    found = answer("How did lightning striking the mast lead to the flooding of the cellar?", room, "causal-graph")
    assert found.verdict is Verdict.HYPOTHESISED
    assert "“lightning struck the mast” (2021-03-05) after “the cellar flooded” (2021-03-03)" in found.missing[0]


def test_a_plan_may_be_meant_for_a_later_day(shelf, text, told, says):
    quote = "The fire in the depot happened because the owner planned to sell it on 5 March 2021."
    sale = told("the owner planned to sell it on 5 March 2021", "planned", "2021-03-05")
    room = shelf.room(text("a.md", quote, (says(sale, told("The fire in the depot", "fire", "2021-03-03")),)))
    assert answer(WHY, room).verdict is Verdict.SUPPORTED


def test_what_is_only_possible_stays_possible_whatever_the_dates(shelf, text, told, says, reversed_link):
    suspected = says(reversed_link.cause, reversed_link.effect, modality=Modality.POSSIBLE)
    found = answer(ASKED[-1], shelf.room(text("a.md", QUOTE, (suspected,))), "causal-graph")
    assert found.text.startswith("Possibly, but no statement of it as a fact was found.")
    assert WARNING in found.missing


@pytest.mark.parametrize(
    ("cause", "effect", "late"),
    [
        ("on 5 March 2021", "on 5 March 2021", False),
        ("on 5 March 2021", "in March 2021", False),
        ("in April 2021", "in March 2021", True),
        ("at noon", "in March 2021", False),
    ],
)
def test_only_times_that_do_not_touch_are_reversed(cause, effect, late):
    assert (late_cause(Dated.read(cause), Dated.read(effect)) is not None) is late
