"""The table of figures that decide what is said, read once and checked."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class VerdictThresholds(_Table):
    """When a denial contradicts; each field is explained in the table."""

    comparable_denial: float = Field(ge=0, le=1)
    direct_denial: float = Field(ge=0, le=1)
    denied_premise_coverage: float = Field(ge=0, le=1)


class TextThresholds(_Table):
    """When a sentence answers a question."""

    side_coverage: float = Field(ge=0, le=1)
    side_precision: float = Field(ge=0, le=1)
    denied_share: float = Field(ge=0, le=1)
    plain_coverage: float = Field(ge=0, le=1)
    context_coverage: float = Field(ge=0, le=1)
    passages: int = Field(ge=1)
    sentences: int = Field(ge=1)


class ArbiterThresholds(_Table):
    """Which draft is taken."""

    least_sufficiency: float = Field(ge=0, le=1)
    text_lead: float = Field(ge=0, le=1)


class GraphThresholds(_Table):
    """How much of the graph is told."""

    chains_told: int = Field(ge=1)
    told_share: float = Field(ge=0, le=1)
    chains_kept: int = Field(ge=1)
    seeds: int = Field(ge=1)
    sure_match: float = Field(ge=0, le=1)
    quotes_a_side: int = Field(ge=1)


class SynthesisThresholds(_Table):
    """What a narrative is made of."""

    least_confidence: float = Field(ge=0, le=1)
    entailed: float = Field(ge=0, le=1)


class ChoiceThresholds(_Table):
    """Which of several causes that were offered is chosen."""

    keyword_boost: float = Field(ge=0, le=1)
    candidates: int = Field(ge=1)
    read: int = Field(ge=1)
    sentences: int = Field(ge=1)
    none_below: float = Field(ge=0, le=1)
    least_plausibility: float = Field(ge=0, le=1)


class AccountThresholds(_Table):
    """How near an option stands to what the documents tell of an event."""

    passages: int = Field(ge=1)
    searched: int = Field(ge=1)
    about: float = Field(ge=-1, le=1)
    least: float = Field(ge=-1, le=1)
    none_below: float = Field(ge=-1, le=1)
    slope: float = Field(gt=0)
    constant: float
    sharpness: float = Field(gt=0)


class SearchAgentThresholds(_Table):
    """When another look at the passages is taken."""

    sufficient: float = Field(ge=0, le=1)
    passages: int = Field(ge=1)
    rounds: int = Field(ge=1)
    queries: int = Field(ge=1)


class CausalAgentThresholds(_Table):
    """Which of the causes that sentences tell are told."""

    told: int = Field(ge=1)
    same: float = Field(ge=0, le=1)
    named: float = Field(ge=0, le=1)
    apart: int = Field(ge=0)
    plan: float = Field(ge=0, le=1)


class FactThresholds(_Table):
    """When a sentence answers a question that asks for no cause."""

    candidates: int = Field(ge=1)
    pairs: int = Field(ge=0)
    sufficient: float = Field(ge=0, le=1)
    helpful: float = Field(ge=0, le=1)


class BridgeThresholds(_Table):
    """How far passages are walked on from those that a question finds."""

    starts: int = Field(ge=1)
    names: int = Field(ge=0)
    name_words: int = Field(ge=1)
    found: int = Field(ge=1)
    words_weight: float = Field(ge=0, le=1)
    onward: float = Field(ge=0, le=1)
    step_cost: float = Field(ge=0, le=1)


class SupportThresholds(_Table):
    """When a draft has the support of its facts."""

    least: float = Field(ge=0, le=1)
    facts: int = Field(ge=0)
    entailed: float = Field(ge=0, le=1)
    contradicted: float = Field(ge=0, le=1)


class CounterfactualThresholds(_Table):
    """How counterfactual questions are made, and what evidence for them weighs."""

    questions: int = Field(ge=1)
    likeness: float = Field(ge=-1, le=1)
    div_sem: float = Field(ge=0, le=1)
    div_ans: float = Field(ge=0, le=1)
    rel_dom: float = Field(ge=0, le=1)
    considered: int = Field(ge=1)
    answers: int = Field(ge=1)
    passages: int = Field(ge=1)
    repeat: float = Field(ge=0, le=1)
    clusters: int = Field(ge=1)
    drafts: int = Field(ge=1)
    sample: int = Field(ge=1)
    temperature: float = Field(gt=0)
    contrast_weight: float = Field(ge=0, le=1)
    beside: float = Field(ge=0, le=1)


class GapThresholds(_Table):
    """How much is searched for what is missing."""

    queries: int = Field(ge=1)
    passages: int = Field(ge=1)


class SameHappeningThresholds(_Table):
    """When two sentences tell of one happening."""

    reach: int = Field(ge=0)


class LikelyThresholds(_Table):
    """Which cause is told as likely where none is stated."""

    sentences: int = Field(ge=1)
    least: float = Field(ge=0, le=1)
    right: float = Field(ge=0, le=1)


class AbductionThresholds(_Table):
    """Which premise is assumed where the evidence does not suffice."""

    sufficient: float = Field(ge=0, le=1)
    considered: int = Field(ge=1)
    candidates: int = Field(ge=1)
    precedents: int = Field(ge=1)
    alike: float = Field(ge=0, le=1)
    preconditions: int = Field(ge=1)
    needed: float = Field(ge=0, le=1)
    again: int = Field(ge=1)
    again_under: float = Field(ge=0, le=1)
    written: int = Field(ge=1)
    contradicted: float = Field(ge=0, le=1)
    alpha: float = Field(ge=0, le=1)
    beta: float = Field(ge=0, le=1)
    offered_beta: float = Field(ge=0, le=1)
    right: float = Field(ge=0, le=1)
    least: float = Field(ge=0, le=1)


class Thresholds(_Table):
    """All figures of this room."""

    verdicts: VerdictThresholds
    text: TextThresholds
    arbiter: ArbiterThresholds
    graph: GraphThresholds
    synthesis: SynthesisThresholds
    choice: ChoiceThresholds
    account: AccountThresholds
    search_agent: SearchAgentThresholds
    causal_agent: CausalAgentThresholds
    fact: FactThresholds
    bridges: BridgeThresholds
    likely: LikelyThresholds
    support: SupportThresholds
    counterfactual: CounterfactualThresholds
    same_happening: SameHappeningThresholds
    gaps: GapThresholds
    abduction: AbductionThresholds


@cache
def thresholds() -> Thresholds:
    """The packaged table."""
    return Thresholds.model_validate(tomllib.loads(files("reasoning").joinpath("thresholds.toml").read_text("utf-8")))
