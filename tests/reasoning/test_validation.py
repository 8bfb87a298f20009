"""Each draft is judged by itself before one is picked, and its confidence is a probability."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causetrail.errors import DeadlinePassed
from kg.records import Evidence, Mode, Stance, Verdict
from language.questions import read_question
from models.judge_source import ChosenJudges
from reasoning.answer import answer
from reasoning.arbiter import arbitrate
from reasoning.confidence import calibrated, curves
from reasoning.draft import Draft
from reasoning.room import Bench
from reasoning.thresholds import thresholds
from reasoning.validation import validate_draft
from traversal.deadline import Deadline

WHY = "Why did the pump fail?"
FACT = "The pump failed because the fuse blew."
WIDER = "The pump of the mill failed because the fuse blew."
shares = st.floats(0, 1)


class Suffices:
    """A judge of sufficiency that says the same of everything: double, so that the score is known."""

    fingerprint = "scripted"

    def __init__(self, value):
        self.value = value
        self.prompts: dict[str, str] = {}
        self.asked = 0

    def sufficiency(self, pairs):
        self.asked += len(pairs)
        return [self.value for _ in pairs]


def quote(words, stance=Stance.FOR):
    return Evidence(
        document_id="d1", source="a.md", start=0, end=len(words), quote=words, page=None, line=1, claim_id=None,
        stance=stance,
    )  # fmt: skip


def draft(mode, confidence, words=FACT, verdict=Verdict.SUPPORTED, **other):
    return Draft(mode=mode, verdict=verdict, text=words, confidence=confidence, evidence=(quote(words),), **other)


@pytest.fixture
def room(shelf, text, told, says):
    blew, failed = told("the fuse blew", "blew"), told("The pump failed", "failed")
    return shelf.room(text("a.md", FACT, (says(blew, failed),)))


@pytest.fixture
def wider_room(shelf, text, told, says):
    blew, failed = told("the fuse blew", "blew"), told("The pump of the mill failed", "failed")
    return shelf.room(text("a.md", WIDER, (says(blew, failed),)))


def judged_by(room, value):
    judge = Suffices(value)
    return replace(room, bench=Bench("scripted", ChosenJudges(judge, judge, judge, judge), dict)), judge


def test_what_its_quotes_do_not_answer_is_withheld_and_shown_as_the_nearest(wider_room):
    least = thresholds().arbiter.least_sufficiency
    good, _ = judged_by(wider_room, least)
    assert answer(WHY, good).verdict is Verdict.SUPPORTED
    poor, _ = judged_by(wider_room, least - 0.01)
    found = answer(WHY, poor)
    assert (found.verdict, found.chains) == (Verdict.INSUFFICIENT, ())
    assert [(one.quote, one.stance) for one in found.evidence] == [(WIDER, Stance.CONTEXT)]
    assert found.missing[0] == "What comes nearest does not support an answer well enough."
    (step,) = [one.detail for one in found.trace if one.step == "validate"]
    assert step["judge"] == "scripted"
    assert step["graph"]["withheld"] is step["text"]["withheld"] is True
    assert step["graph"]["sufficiency"] == round(least - 0.01, 6)


def test_a_quote_that_states_the_cause_of_just_what_is_asked_is_never_withheld(room):
    poor, _ = judged_by(room, 0.0)
    assert answer(WHY, poor).verdict is Verdict.SUPPORTED
    assert answer(f"{WHY[:-1]} in 2007?", poor).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize("strategy", ["text-only", "causal-graph"])
def test_strategies_of_one_draft_judge_none(room, strategy):
    poor, judge = judged_by(room, 0.0)
    assert answer(WHY, poor, strategy).verdict is Verdict.SUPPORTED
    assert judge.asked == 0


def test_a_denial_is_never_withheld(room):
    poor, judge = judged_by(room, 0.0)
    denial = draft(Mode.GRAPH, 0.7, "The fuse did not blow.", Verdict.CONTRADICTED)
    found = validate_draft(denial, read_question(WHY, 500), poor, Deadline(5))
    assert (found.draft, judge.asked) == (denial, 0)


def test_what_was_found_before_the_time_was_used_up_is_told_unjudged(room):
    poor, judge = judged_by(room, 0.0)
    chain, asked = draft(Mode.GRAPH, 0.41), read_question(WHY, 500)
    found = validate_draft(chain, asked, poor, Deadline(0.0))
    assert found.draft == replace(chain, confidence=calibrated(chain, asked))
    assert (found.trace["unjudged"], judge.asked) == (DeadlinePassed.code, 0)


def test_a_sentence_is_taken_over_a_chain_only_when_it_is_much_more_probably_right():
    lead = thresholds().arbiter.text_lead
    lack = draft(Mode.GRAPH, 0.5, "Nothing.", Verdict.INSUFFICIENT)
    text = draft(Mode.TEXT, 0.9, "The pump failed because of frost.")
    for below, mode in ((lead - 0.01, Mode.GRAPH), (lead + 0.01, Mode.MIXED)):
        chosen, reason = arbitrate(draft(Mode.GRAPH, 0.9 - below), text, lack)
        assert (chosen.mode, "much more certainly" in reason) == (mode, mode is Mode.MIXED)
        assert chosen.text.startswith(text.text if mode is Mode.MIXED else FACT)


@given(shares, shares, shares, shares)
def test_more_that_speaks_for_an_answer_never_makes_it_less_probable(strength, more, enough, surer):
    for curve in curves().values():
        low, high = sorted((strength, more)), sorted((enough, surer))
        assert 0 <= curve.at(low[0], high[0]) <= curve.at(low[1], high[1]) <= 1


def test_no_curve_is_put_on_suspicions_and_answers_of_yes_and_no():
    why, did = read_question(WHY, 500), read_question("Did the fuse cause the failure of the pump?", 500)
    assert calibrated(draft(Mode.GRAPH, 0.41, verdict=Verdict.HYPOTHESISED), why) == 0.41
    assert calibrated(draft(Mode.GRAPH, 0.41), did) == 0.41
    likely = draft(Mode.TEXT, 0.41, verdict=Verdict.HYPOTHESISED, reasons={"likely": 0.5})
    surest = min(curves()["likely"].at(0.41, 0.0), thresholds().likely.right)
    assert calibrated(likely, why) == round(surest * 0.41, 6)
    assert calibrated(draft(Mode.GRAPH, 0.41), why, 0.9) == curves()["told"].at(0.41, 0.9)
    assert calibrated(draft(Mode.GRAPH, 0.41), why) == curves()["unjudged"].at(0.41, 0.0)
