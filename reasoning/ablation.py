"""Strategies without some of their stages, as an ablation compares them with the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, fields, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Final, Protocol

from causetrail.errors import StageUnknown
from reasoning.abduction import AbductionStages, abduce
from reasoning.causal_agent import CausalStages, choose_causes
from reasoning.counterfactual import CounterfactualStages, weigh_counterfactually
from reasoning.gap_filling import GapStages, fill_gaps
from reasoning.option_validation import fill_link, weigh_premise
from reasoning.strategies import Strategy, find_strategy
from reasoning.support_check import SupportStages, check_support

APART: Final = "+"
"""Stands between stages that are left out together."""
_WITHOUT: Final = " without "


class _Switches(Protocol):
    """A frozen dataclass of switches that are all on."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


_OF_RECIPE: Final = ("graph", "text", "likely", "bridges", "validates_drafts", "search_on")
_OF_VALIDATION: Final[Mapping[Callable[..., object], Callable[[], _Switches]]] = MappingProxyType(
    {
        abduce: AbductionStages,
        weigh_premise: AbductionStages,
        choose_causes: CausalStages,
        weigh_counterfactually: CounterfactualStages,
        fill_gaps: GapStages,
        fill_link: GapStages,
        check_support: SupportStages,
    }
)
"""What can be left out of each step that judges a draft or an offered cause."""


def stages_of(strategy: Strategy) -> tuple[str, ...]:
    """The names of what can be left out of a strategy, each without the others.

    Chains and passages can, where it tells both; of what makes a narrative of chains, and of the search for passages,
    what serves a strategy that tells these; and the stages of the step that judges the draft.
    """
    both = strategy.graph and strategy.text
    named = [name for name in _OF_RECIPE if getattr(strategy, name) and (both or name not in {"graph", "text"})]
    if strategy.validate is not None:
        named += _switched_on(_stages_in(strategy.validate))
    if strategy.graph:
        named += _switched_on(strategy.synthesis)
    if strategy.text:
        named += _switched_on(strategy.retrieval)
    return tuple(named)


def without(strategy: Strategy, stages: Iterable[str]) -> Strategy:
    """The strategy without some of its stages, named after what it lacks, in whatever order that is given.

    Raises:
        StageUnknown: it has no such stage.
    """
    known, wanted = stages_of(strategy), set(stages)
    for stage in sorted(wanted - {*known}):
        raise StageUnknown(strategy=strategy.title, stage=stage, stages=", ".join(known) or "none")
    left_out = [stage for stage in known if stage in wanted]
    if not left_out:
        return strategy
    variant = strategy
    for stage in left_out:
        variant = _without(variant, stage)
    return replace(variant, title=f"{strategy.title}{_WITHOUT}{APART.join(left_out)}")


def variant_named(title: str) -> Strategy:
    """The recipe that a trace names: whole, or without the stages that stand behind its name.

    Raises:
        ArgumentInvalid: there is no such strategy.
        StageUnknown: it has no such stage.
    """
    whole, _, left_out = title.partition(_WITHOUT)
    return without(find_strategy(whole), left_out.split(APART)) if left_out else find_strategy(whole)


def _without(strategy: Strategy, stage: str) -> Strategy:
    off: dict[str, Any] = {stage: False}
    if stage in _OF_RECIPE:
        return replace(strategy, **off)
    if stage in _switched_on(strategy.synthesis):
        return replace(strategy, synthesis=replace(strategy.synthesis, **off))
    if stage in _switched_on(strategy.retrieval):
        return replace(strategy, retrieval=replace(strategy.retrieval, **off))
    judged = {"validate": strategy.validate, "validate_option": strategy.validate_option}
    stepped: dict[str, Any] = {
        name: partial(_step_of(step), stages=replace(_stages_in(step), **off))
        for name, step in judged.items()
        if step is not None
    }
    return replace(strategy, **stepped)


def _step_of(step: Callable[..., Any]) -> Callable[..., Any]:
    return step.func if isinstance(step, partial) else step


def _stages_in(step: Callable[..., Any]) -> Any:
    """Which stages of a step are there; none of one that has none to leave out."""
    if isinstance(step, partial) and "stages" in step.keywords:
        return step.keywords["stages"]
    kind = _OF_VALIDATION.get(_step_of(step))
    return None if kind is None else kind()


def _switched_on(stages: _Switches | None) -> list[str]:
    return [] if stages is None else [one.name for one in fields(stages) if getattr(stages, one.name) is True]
