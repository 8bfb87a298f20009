"""Ablations: a variant for each stage that a strategy has, and what counts as a contradiction."""

from dataclasses import fields

import pytest

from benchmarks.ablations import FAMILIES, is_contradicted, variants
from kg.records import Answer, Evidence, Hypothesis, Mode, Stance, Usage, Verdict
from models.judges import Inference
from reasoning.abduction import AbductionStages
from reasoning.causal_agent import CausalStages
from reasoning.counterfactual import CounterfactualStages
from reasoning.gap_filling import GapStages
from reasoning.strategies import STRATEGIES, Strategy
from reasoning.support_check import SupportStages
from reasoning.synthesize import SynthesisStages

NO_SWITCHES = {"title", "validate", "synthesis", "knowledge", "check"}
"""What is no stage; `check` only where a language model writes."""
KINDS = {
    "default": SynthesisStages,
    "causal-graph": SynthesisStages,
    "dual-agent": CausalStages,
    "abductive": AbductionStages,
    "counterfactual": CounterfactualStages,
    "support-checked": SupportStages,
    "gap-filling": GapStages,
}

SWITCHES = {
    "default": {"graph", "text", "likely", "bridges", "validates_drafts"},
    "causal-graph": set(),
    "dual-agent": {"search_on", "bridges"},
    "abductive": {"likely", "bridges"},
    "counterfactual": {"likely", "bridges"},
    "support-checked": {"graph", "text", "likely", "bridges"},
    "gap-filling": {"graph", "text", "likely", "bridges"},
}
"""Of the recipe itself."""


@pytest.mark.parametrize("family", FAMILIES)
def test_each_stage_is_left_out_once_and_no_two_variants_are_the_same(family):
    found = variants(family)
    names = {name.removeprefix("without ") for name in found if name.startswith("without ")}
    own = {one.name for one in fields(KINDS[family])}
    searched = {"views", "keyword_boost", "views and keyword_boost"} if family != "causal-graph" else set()
    assert names == (own | SWITCHES[family] | searched) - NO_SWITCHES
    assert len({one.title for one in found.values()}) == len(found)
    whole = STRATEGIES[family]
    for name, one in found.items():
        changed = {f.name for f in fields(Strategy) if getattr(one, f.name) != getattr(whole, f.name)} - {"title"}
        # The step that judges a draft judges an offered cause likewise.
        assert len(changed - {"validate_option"}) == (name != "whole"), name


def test_all_strategies_that_have_stages_are_there():
    assert {one.title for one in STRATEGIES.values() if one.judged} < set(FAMILIES)


class Against:
    """Finds that a premise which speaks of a storm contradicts quotes of calm weather."""

    fingerprint = "scripted"
    prompts: dict[str, str] = {}  # noqa: RUF012

    def inferences(self, pairs):
        return [Inference(0, 0.5, 0.5) if "calm" in a and "storm" in b else Inference(0, 1, 0) for a, b in pairs]


def _told(verdict=Verdict.HYPOTHESISED, premise="The storm led to the flood."):
    shown = Evidence(
        document_id="d" + 24 * "0", source="a.txt", start=0, end=16, quote="The sea was calm", page=None, line=1,
        claim_id=None, stance=Stance.CONTEXT,
    )  # fmt: skip
    assumed = Hypothesis(
        id="h" + 24 * "0", collection="main", cause="e" + 24 * "0", effect="e" + 24 * "1", premise=premise,
        entailment=0, plausibility=0.7, retrieval=0.5, contradiction=0, score=0.6, model="m", created_at=None,
    )  # fmt: skip
    return Answer(
        question="Why?", text="No document says it, not even of a storm.", verdict=verdict, mode=Mode.GRAPH,
        confidence=0.6, chains=(), evidence=(shown,), premises=(assumed,) if premise else (), counterfactuals=(),
        cut_at_hops=False, missing=(), generation=1, trace=(), usage=Usage(seconds={}, tokens=0, models={}),
    )  # fmt: skip


def test_an_assumption_is_contradicted_by_a_quote_of_its_own_answer():
    assert is_contradicted(_told(), Against())
    assert not is_contradicted(_told(premise="The rain led to the flood."), Against())
    assert is_contradicted(_told(premise=""), Against())
    assert not is_contradicted(_told(Verdict.CONTRADICTED), Against())
