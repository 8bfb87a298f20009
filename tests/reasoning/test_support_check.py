"""Drafts that are given only as far as facts support them."""

from dataclasses import replace

import pytest

from causetrail.errors import PassageTooLong
from kg.records import Mode, Stance, Verdict
from models.judge_source import ChosenJudges, load_judges
from reasoning.answer import answer
from reasoning.room import Bench
from reasoning.strategies import STRATEGIES
from reasoning.support_check import SupportStages, check_support

LATE = "The night train was late at Marle because a tree lay on the line."
TEXTS = {
    "train.md": LATE,
    "ferry.md": "The ferry was cancelled because the pier was icy, except on Sunday.",
    "ferry-2.md": "The ferry was cancelled because the captain was ill.",
}


class Scripted:
    """A judge of sufficiency by a table of words: double, so that the score is known."""

    fingerprint = "scripted"

    def __init__(self, suffices, most=10_000):
        self.prompts: dict[str, str] = {}
        self.suffices = dict(suffices)
        self.most = most

    def sufficiency(self, pairs):
        ((_, evidence),) = pairs
        if len(evidence) > self.most:
            raise PassageTooLong(tokens=600, model="scripted", limit=512)
        return [max([value for word, value in self.suffices.items() if word in evidence] or [0.1])]


class Apart(Scripted):
    """Finds one word enough, where nothing else stands beside it."""

    def __init__(self, word, value):
        super().__init__({word: value})
        self.word = word

    def sufficiency(self, pairs):
        ((_, evidence),) = pairs
        return [0.1] if evidence.count("ferry") > 1 else super().sufficiency(pairs)


@pytest.fixture
def room(shelf, text):
    return shelf.room(*(text(source, words) for source, words in TEXTS.items()))


def asked(room, question, suffices, stages=None, most=10_000):
    judge = Scripted(suffices, most)
    room = replace(room, bench=Bench("scripted", ChosenJudges(judge, judge, judge, judge), dict))
    recipe = STRATEGIES["support-checked"]
    if stages is not None:
        recipe = replace(recipe, validate=lambda draft, material: check_support(draft, material, stages))
    found = answer(question, room, recipe)
    (step,) = [one.detail for one in found.trace if one.step == "support"]
    return found, step


def test_a_draft_below_the_threshold_is_withheld_and_one_at_it_is_given(room):
    found, step = asked(room, "Why was the night train late?", {"tree": 0.5})
    assert (found.verdict, found.text, step["action"]) == (Verdict.SUPPORTED, LATE, "it is supported")
    found, step = asked(room, "Why was the night train late?", {"tree": 0.499999})
    assert (found.verdict, step["action"], step["score"]) == (Verdict.INSUFFICIENT, "it is withheld", 0.499999)
    assert found.missing == ("What comes nearest does not support an answer well enough.",)
    assert [(one.quote, one.stance) for one in found.evidence] == [(LATE, Stance.CONTEXT)]
    assert step["draft"] == LATE
    assert found.confidence == 0.500001


def test_the_packaged_judges_alone_are_taken_in_by_another_train_and_the_check_is_not(room):
    room = replace(room, bench=Bench("packaged", load_judges(), dict))
    question = "Why was the night train to Bergen late?"
    assert answer(question, room, "text-only").verdict is Verdict.SUPPORTED
    found = answer(question, room, "support-checked")
    (step,) = [one.detail for one in found.trace if one.step == "support"]
    assert step["score"] > 0.5
    assert (found.verdict, step["unsaid"]) == (Verdict.INSUFFICIENT, ["Bergen"])
    assert "does not speak of “Bergen”" in found.text
    assert answer("Why was the night train to Marle late?", room, "support-checked").verdict is Verdict.SUPPORTED


def test_a_common_word_that_no_quote_has_is_told_and_the_answer_stands(room):
    found, step = asked(room, "Why was the first night train to Marle late?", {"tree": 0.9})
    assert (found.verdict, step["action"]) == (Verdict.SUPPORTED, "what no quote speaks of is told")
    assert found.text == f"{LATE} The quotes do not speak of “first”."


def test_a_condition_or_an_exception_is_told_with_what_it_limits(room):
    found, step = asked(room, "Why was the ferry cancelled?", {"pier": 0.9, "captain": 0.9})
    facts = {fact["claim"]: fact["exception"] for fact in step["facts"]}
    assert facts["The ferry was cancelled because the pier was icy."] == "except on Sunday"
    assert "except on Sunday" in found.text


def test_what_is_supported_by_itself_is_kept_and_the_rest_is_left_out(room):
    question = "Why was the ferry cancelled?"
    found, step = asked(room, question, {"ferry": 0.9})
    assert len(found.evidence) == 2
    # Both together are too much to read, so the better one counts for both.
    found, step = asked(room, question, {"captain": 0.9}, most=70)
    assert (len(found.evidence), step["score"]) == (2, 0.9)
    apart = Apart("captain", 0.9)
    found = answer(
        question, replace(room, bench=Bench("apart", ChosenJudges(apart, apart, apart, apart), dict)), "support-checked"
    )
    assert (found.verdict, found.text) == (Verdict.SUPPORTED, TEXTS["ferry-2.md"])
    assert [one.quote for one in found.evidence] == [TEXTS["ferry-2.md"]]


def test_each_stage_can_be_left_out(room):
    question = "Why was the night train late?"
    found, step = asked(room, question, {}, SupportStages(score=False))
    assert (found.verdict, step["action"]) == (Verdict.SUPPORTED, "it stands unjudged")
    assert "score" not in step
    found, step = asked(room, question, {}, SupportStages(revise=False))
    assert (found.verdict, found.confidence, step["action"]) == (Verdict.SUPPORTED, 0.1, "it stands unrevised")
    _, step = asked(room, "Why was the ferry cancelled?", {"ferry": 0.9}, SupportStages(apart=False))
    assert {fact["exception"] for fact in step["facts"]} == {""}


def test_a_contradiction_is_told_whatever_supports_it(shelf, text):
    room = shelf.room(text("a.md", "The storm did not cause the fire."))
    found, step = asked(room, "Did the storm cause the fire?", {})
    assert (found.verdict, step["action"]) == (Verdict.CONTRADICTED, "a denial is told whatever supports it")


def test_an_answer_that_the_documents_do_not_say_needs_no_check(room):
    found, step = asked(room, "Why did the mayor resign?", {"": 0.9})
    assert (found.verdict, found.mode, step["action"]) == (
        Verdict.INSUFFICIENT,
        Mode.GRAPH,
        "there is nothing to check",
    )
