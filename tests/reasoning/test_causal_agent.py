"""The causal agent: of the causes that sentences tell, those stand that came before and made a difference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kg.records import Mode, Stance, Verdict
from models.judge_source import ChosenJudges
from reasoning.answer import answer
from reasoning.causal_agent import CausalStages, choose_causes
from reasoning.room import Bench
from reasoning.strategies import STRATEGIES

WHY = "Why was the regatta cancelled?"
LATER = "The regatta was cancelled on 4 May 2021 because the lock failed on 9 May 2021."
BARGE = "The regatta was cancelled because a barge sank on 3 May 2021."
STORM = "The regatta was cancelled because a storm broke the jetty on 1 May 2021."
PLAN = "The regatta will be cancelled because the club plans to dredge the basin."
SET = {"evidence", "judge", "because", "test", "passed"}


class Content:
    """A judge that finds everything enough, so that nothing is searched: a double."""

    fingerprint = "content"

    def __init__(self):
        self.prompts: dict[str, str] = {}

    def sufficiency(self, pairs):
        return [0.9 for _ in pairs]

    def relevance(self, query, passages):
        return [0.9 for _ in passages]


def asked(room, question=WHY, strategy="dual-agent", stages=None):
    judge = Content()
    room = replace(room, bench=Bench("content", ChosenJudges(judge, judge, judge, judge), dict))
    recipe = STRATEGIES[strategy]
    if stages is not None:
        recipe = replace(recipe, validate=lambda draft, material: choose_causes(draft, material, stages))
    found = answer(question, room, recipe)
    return found, {one.step: one.detail for one in found.trace}.get("causal agent", {})


def failed(step):
    return [
        (candidate["cause"], test["test"], test["because"])
        for candidate in step["candidates"]
        for test in candidate["tests"]
        if not test["passed"]
    ]


def quotes(found, *stances):
    return [one.quote for one in found.evidence if one.stance in stances]


def test_a_cause_that_is_dated_after_its_effect_is_not_told(shelf, text):
    alone = shelf.room(text("a.md", LATER))
    baseline, _ = asked(alone, strategy="text-only")
    assert "lock failed" in baseline.text and baseline.verdict is Verdict.HYPOTHESISED
    room = shelf.room(text("b.md", BARGE))
    found, step = asked(room)
    assert (found.verdict, found.mode, found.text) == (Verdict.SUPPORTED, Mode.TEXT, BARGE)
    assert failed(step) == [("the lock failed on 9 May 2021", "precedence", "dated later")]
    assert all(set(test) == SET for one in step["candidates"] for test in one["tests"])
    without, _ = asked(room, stages=CausalStages(precedence=False))
    assert "lock failed" in without.text


def test_a_time_of_something_else_makes_no_cause_late(shelf, text):
    founded = "The regatta, founded on 1 May 1901, was cancelled."
    found, step = asked(shelf.room(text("a.md", BARGE), text("b.md", founded)))
    assert (found.text, failed(step)) == (BARGE, [])
    assert "too far apart" in step["candidates"][0]["tests"][0]["because"]


def test_a_cause_that_is_told_after_its_effect_is_not_told(shelf, text):
    after = "The lock failed after the regatta was cancelled."
    room = shelf.room(text("a.md", "The regatta was cancelled because the lock failed."), text("b.md", after))
    baseline, _ = asked(room, strategy="text-only")
    assert baseline.verdict is Verdict.SUPPORTED
    found, step = asked(room)
    assert found.verdict is Verdict.INSUFFICIENT
    assert failed(step) == [("the lock failed", "precedence", "told as later")]
    assert quotes(found, Stance.AGAINST) == [after]
    assert "came after" in found.missing[0] and "b.md:1" in found.missing[0]


def test_where_nothing_else_is_told_a_plan_is_a_possible_reason_and_never_more(shelf, text):
    room = shelf.room(text("a.md", PLAN))
    baseline, _ = asked(room, strategy="text-only")
    assert baseline.verdict is Verdict.INSUFFICIENT
    found, step = asked(room)
    assert (found.verdict, quotes(found, Stance.FOR)) == (Verdict.HYPOTHESISED, [PLAN])
    assert found.text.startswith("No statement of it as a fact was found.")
    assert [one["planned"] for one in step["candidates"]] == [True]
    without, _ = asked(room, stages=CausalStages(archival=False))
    assert without.verdict is Verdict.INSUFFICIENT


def test_the_plan_of_the_very_thing_is_an_antecedent_of_its_being_done(shelf, text):
    plan = "On Monday the council announced plans to close the old footbridge."
    room = shelf.room(text("a.md", plan), text("b.md", "The council closed the footbridge."))
    found, step = asked(room, "Why did the council close the footbridge?")
    assert (found.verdict, quotes(found, Stance.FOR)) == (Verdict.HYPOTHESISED, [plan])
    assert failed(step) == [(plan.rstrip("."), "mechanism", "no cue states the link")]


@pytest.mark.parametrize(
    "no_plan", ["The regatta may be cancelled due to a storm.", "The regatta will be cancelled if it rains."]
)
def test_what_is_only_possible_or_supposed_is_no_plan(shelf, text, no_plan):
    found, _ = asked(shelf.room(text("a.md", no_plan)))
    assert found.verdict is Verdict.INSUFFICIENT


def test_beside_a_stated_cause_a_plan_is_told_as_possible(shelf, text):
    found, _ = asked(shelf.room(text("a.md", BARGE), text("b.md", PLAN)))
    assert (found.verdict, quotes(found, Stance.FOR)) == (Verdict.SUPPORTED, [BARGE])
    assert quotes(found, Stance.CONTEXT) == [PLAN]
    assert found.text.startswith(f"{BARGE} Possibly also")


def test_all_that_pass_are_told_in_the_order_of_time(shelf, text):
    found, _ = asked(shelf.room(text("a.md", BARGE), text("b.md", STORM)))
    assert found.text == f"{STORM} {BARGE}"


@pytest.mark.parametrize(
    "said",
    [
        "Even without the barge, the regatta would have been cancelled.",
        "The regatta was cancelled regardless of the barge.",
        "Even if no barge had sunk, the regatta would have been cancelled.",
        "Even if the barge had not sunk, the regatta would have been cancelled.",
    ],
)
def test_what_the_effect_is_said_to_happen_without_is_no_cause(shelf, text, said):
    room = shelf.room(text("a.md", BARGE), text("b.md", STORM), text("c.md", said))
    found, step = asked(room)
    assert found.text == STORM
    assert [one[:2] for one in failed(step)] == [("a barge sank on 3 May 2021", "counterfactual")]
    without, _ = asked(room, stages=CausalStages(counterfactual=False))
    assert BARGE in without.text


@pytest.mark.parametrize(
    "said",
    [
        "Without the barge, the regatta would not have been cancelled.",
        "Even if the club had not paid, the regatta would have been cancelled.",
        "Even with the barge, the bakery would have sold bread anyway.",
    ],
)
def test_what_says_nothing_of_the_effect_without_the_cause_speaks_not_against_it(shelf, text, said):
    found, step = asked(shelf.room(text("a.md", BARGE), text("b.md", said)))
    assert (found.text, failed(step)) == (BARGE, [])


def test_a_sentence_right_behind_speaks_of_the_cause_before_it(shelf, text):
    anyway = "It would have been called off anyway."
    found, _ = asked(shelf.room(text("a.md", f"{BARGE} {anyway}")))
    assert found.verdict is Verdict.INSUFFICIENT
    assert quotes(found, Stance.AGAINST) == [anyway]
    assert "would have happened without it" in found.missing[0]


def test_an_account_that_denies_the_link_stands_beside_it(shelf, text):
    denial = "The barge that sank did not cause the cancellation of the regatta."
    found, _ = asked(shelf.room(text("a.md", BARGE), text("b.md", denial)))
    assert found.verdict is Verdict.CONTRADICTED
    assert (quotes(found, Stance.FOR), quotes(found, Stance.AGAINST)) == ([BARGE], [denial])
    assert "Against it speaks (b.md:1)" in found.text


def test_behind_a_cause_no_copy_of_its_own_sentence_is_told(shelf, text):
    """The verb of the effect is a cue as well, with the cause among what follows it."""
    derailed = "The locomotive derailed and rolled over because it entered the crossover points at twice the speed."
    room = shelf.room(text("a.md", derailed), text("b.md", f"{derailed} It rained."))
    found, step = asked(room, "Why did the locomotive derail and roll over?")
    assert (found.text, step["behind"]) == (derailed, None)


def test_what_followed_must_come_after(shelf, text):
    early = "The failure of the dam on 9 May 2021 led to the closing of the road on 2 May 2021."
    late = "The failure of the dam led to the flooding of the mill on 10 May 2021."
    question = "What followed from the failure of the dam?"
    baseline, _ = asked(shelf.room(text("a.md", early)), question, "text-only")
    assert "closing of the road" in baseline.text
    found, _ = asked(shelf.room(text("b.md", late)), question)
    assert found.text == late


def test_a_question_that_asks_for_no_cause_is_left_alone(shelf, text):
    found, step = asked(shelf.room(text("a.md", "The regatta is held in May.")), "When is the regatta held?")
    assert (step["candidates"], step["action"]) == ([], "the draft stands")
    assert found.trace


def test_a_lack_is_not_refuted_by_what_happened_without_the_thing(shelf, text):
    lack = "The plant shut down because no coolant arrived."
    room = shelf.room(text("a.md", lack), text("b.md", "The plant shut down when no coolant arrived."))
    found, step = asked(room, "Why did the plant shut down?")
    assert (found.verdict, found.text) == (Verdict.SUPPORTED, lack)
    assert [one for one in failed(step) if one[1] == "counterfactual"] == []
