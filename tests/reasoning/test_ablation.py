"""Strategies without stages: which there are, what is left of the recipe, and how a variant is named."""

from functools import partial
from pathlib import Path

import pytest

from causetrail.errors import ArgumentInvalid, StageUnknown
from language.questions import read_question
from reasoning.abduction import AbductionStages
from reasoning.ablation import stages_of, variant_named, without
from reasoning.answer import answer
from reasoning.strategies import STRATEGIES


@pytest.mark.parametrize("whole", STRATEGIES.values(), ids=lambda whole: whole.title)
def test_each_stage_has_a_name_of_its_own_and_can_be_left_out(whole):
    stages = stages_of(whole)
    assert len({*stages}) == len(stages)
    for stage in stages:
        variant = without(whole, [stage])
        assert {*stages_of(variant)} < {*stages}, stage
        assert stage not in stages_of(variant)
        assert variant.title == f"{whole.title} without {stage}"
        assert variant_named(variant.title).title == variant.title


def test_each_strategy_that_judges_its_draft_names_the_stages_of_that():
    own = {
        "abductive": {"detection", "generation", "consistency", "plausibility", "precedents", "likely", "bridges"},
        "counterfactual": {"questions", "clusters", "drafts", "contrast", "likely", "bridges", "keyword_boost"},
        "support-checked": {"apart", "score", "revise", "likely", "bridges", "views"},
        "gap-filling": {"reasoning", "search", "likely", "bridges", "keyword_boost"},
        "dual-agent": {"search_on", "precedence", "counterfactual", "archival", "behind", "rerank"},
        "causal-graph": {"reliability", "time", "check"},
        "text-only": {"views", "keyword_boost", "rerank"},
        "default": {"graph", "text", "likely", "bridges", "validates_drafts", "reliability"},
    }
    for title, stages in own.items():
        assert stages <= {*stages_of(STRATEGIES[title])}, title


def test_several_stages_are_left_out_of_all_that_judge_with_them_whatever_their_order():
    whole = STRATEGIES["abductive"]
    first, second = without(whole, ["views", "consistency", "graph"]), without(whole, ["graph", "views", "consistency"])
    assert first.title == second.title == "abductive without graph+consistency+views"
    assert not first.graph and not first.retrieval.views and first.retrieval.keyword_boost
    for step in (first.validate, first.validate_option):
        assert isinstance(step, partial)
        assert step.keywords["stages"] == AbductionStages(consistency=False)
    assert without(whole, []) is whole


def test_what_a_strategy_does_not_have_is_told_with_what_it_has():
    with pytest.raises(StageUnknown, match=r"causal-graph has no stage views .* reliability, time, check"):
        without(STRATEGIES["causal-graph"], ["time", "views"])
    with pytest.raises(StageUnknown, match="no stage text"):
        without(STRATEGIES["text-only"], ["text"])
    with pytest.raises(StageUnknown):
        variant_named("default without doubt")
    with pytest.raises(ArgumentInvalid, match="known strategies"):
        variant_named("magic without views")
    assert variant_named("default") is STRATEGIES["default"]


def test_a_variant_answers_by_what_is_left(shelf, text):
    room = shelf.room(text("bridge.md", "The footbridge was closed because the river rose."))
    asked = read_question("Why was the footbridge closed?")
    (step,) = [one for one in answer(asked, room, "text-only").trace if one.step == "views"]
    assert len(step.detail["views"]) == 3
    told = answer(asked, room, without(STRATEGIES["text-only"], ["views"]))
    (step,) = [one for one in told.trace if one.step == "views"]
    assert step.detail["views"] == ["the footbridge closed"]
    assert told.trace[0].detail["strategy"] == "text-only without views"


def test_the_page_on_measuring_names_every_stage():
    page = (Path(__file__).parents[2] / "docs" / "evaluating.md").read_text("utf-8")
    missing = {stage for whole in STRATEGIES.values() for stage in stages_of(whole) if f"`{stage}`" not in page}
    assert not missing
