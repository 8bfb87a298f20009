"""Named recipes: which drafts are made, what judges them, and so which one may be given as the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from causetrail.errors import ArgumentInvalid
from reasoning.abduction import abduce
from reasoning.causal_agent import choose_causes
from reasoning.counterfactual import weigh_counterfactually
from reasoning.draft import Draft
from reasoning.gap_filling import fill_gaps
from reasoning.material import Material
from reasoning.option_validation import OptionValidator, by_draft, fill_link, weigh_premise
from reasoning.question_views import ALL_RETRIEVAL, RetrievalStages
from reasoning.support_check import check_support
from reasoning.synthesize import ALL_STAGES, SynthesisStages

Validator = Callable[[Draft, Material], Draft]
"""Takes the draft that the arbiter picked, and gives the one that stands."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """One recipe.

    Attributes:
        graph: Whether chains of the graph are told.
        text: Whether sentences of the best passages are told.
        likely: Whether a cause that no document states, but a sentence seems to tell, is given where there is no other.
        bridges: Whether, for a question that asks for no cause, passages are read that a name of a nearer one leads to.
        validates_drafts: Whether each draft is judged by itself before one is picked. Needs judges.
        search_on: Whether passages that do not suffice are searched once more. Needs judges.
        retrieval: Which parts of the search for passages are there; all of them but in an ablation.
        seed_views: Whether the events of a question are searched by three views of it and its words too.
        seed_rerank: Whether the events of a question are put in order by the judge of relevance, where there is one.
        synthesis: Which stages make the narrative of the chains; all of them but in an ablation.
        validate: Judges the draft that was picked; none lets it stand. Needs judges.
        validate_option: Judges what was found of a cause that is offered; none leaves that to `validate`. Needs judges.
    """

    title: str
    graph: bool
    text: bool
    likely: bool = False
    bridges: bool = False
    validates_drafts: bool = False
    search_on: bool = False
    validate: Validator | None = None
    validate_option: OptionValidator | None = None
    synthesis: SynthesisStages = ALL_STAGES
    retrieval: RetrievalStages = ALL_RETRIEVAL
    seed_views: bool = False
    seed_rerank: bool = False

    @property
    def judged(self) -> bool:
        """Whether it needs judges."""
        return self.validates_drafts or self.search_on or self.option_validator is not None

    @property
    def option_validator(self) -> OptionValidator | None:
        """What judges an offered cause; none lets stand what was found of it."""
        if self.validate_option is None and self.validate is not None:
            return by_draft(self.validate)
        return self.validate_option


STRATEGIES: dict[str, Strategy] = {
    strategy.title: strategy
    for strategy in (
        Strategy("default", graph=True, text=True, likely=True, bridges=True, validates_drafts=True),
        Strategy(
            "abductive",
            graph=True,
            text=True,
            likely=True,
            bridges=True,
            validate=abduce,
            validate_option=weigh_premise,
        ),
        Strategy("causal-graph", graph=True, text=False),
        Strategy("text-only", graph=False, text=True),
        Strategy("dual-agent", graph=False, text=True, bridges=True, search_on=True, validate=choose_causes),
        Strategy("counterfactual", graph=True, text=True, likely=True, bridges=True, validate=weigh_counterfactually),
        Strategy(
            "gap-filling",
            graph=True,
            text=True,
            likely=True,
            bridges=True,
            validate=fill_gaps,
            validate_option=fill_link,
        ),
        Strategy("support-checked", graph=True, text=True, likely=True, bridges=True, validate=check_support),
    )
}
"""All recipes by name."""


def find_strategy(title: str | Strategy) -> Strategy:
    """The recipe of this name; a recipe is itself.

    Raises:
        ArgumentInvalid: there is none.
    """
    if isinstance(title, Strategy):
        return title
    if title not in STRATEGIES:
        known = ", ".join(sorted(STRATEGIES))
        raise ArgumentInvalid(argument="strategy", value=repr(title), reason=f"known strategies are {known}")
    return STRATEGIES[title]
