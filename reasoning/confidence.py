"""How sure an answer is, from what speaks for it: logistic curves, fitted on questions whose answers are known.

Platt scaling (Platt 1999): what is worked out of cues, matches and judges is no probability, and that of a chain and
that of a sentence are not on one scale. The curves lie in `confidence.toml`; `python -m training.answer_confidence`
makes them.
"""

from __future__ import annotations

import math
import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

from kg.records import Verdict
from language.questions import Question, QuestionKind
from reasoning.draft import Draft
from reasoning.thresholds import thresholds

TOLD_KINDS = frozenset({QuestionKind.WHY, QuestionKind.EFFECTS, QuestionKind.HOW})
"""Questions whose answer is told by chains and sentences, and is not yes or no."""


class Curve(BaseModel):
    """The logarithm of the odds that an answer of one kind is right: a sum of what speaks for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    strength: float = Field(ge=0)
    """What each unit of the draft's own figure adds."""
    sufficiency: float = Field(ge=0)
    """What each unit of the judge's probability adds that its quotes suffice."""
    constant: float

    def at(self, strength: float, sufficiency: float) -> float:
        """The probability, 0 to 1."""
        odds = self.strength * strength + self.sufficiency * sufficiency + self.constant
        return round(1.0 / (1.0 + math.exp(-odds)), 6)


@cache
def curves() -> dict[str, Curve]:
    """The packaged curves by the kind of answer: `told` and `unjudged`, `likely`, `fact` and `nothing`."""
    table = tomllib.loads(files("reasoning").joinpath("confidence.toml").read_text("utf-8"))
    return {kind: Curve.model_validate(values) for kind, values in table.items()}


def kind_of(draft: Draft, question: Question, *, judged: bool) -> str | None:
    """Which curve is its own; none where no labelled questions are of its kind: denials, suspicions, yes or no.

    Args:
        draft: What is told.
        question: What was asked.
        judged: Whether it is known how surely its quotes suffice.
    """
    if draft.premises or draft.verdict is Verdict.CONTRADICTED:
        return None
    if draft.verdict is Verdict.INSUFFICIENT:
        return "nothing"
    if draft.verdict is Verdict.HYPOTHESISED:
        return "likely" if "likely" in draft.reasons else None
    if question.kind in TOLD_KINDS:
        return "told" if judged else "unjudged"
    return "fact" if "sufficiency" in draft.reasons else None


def calibrated(draft: Draft, question: Question, sufficiency: float | None = None) -> float:
    """Probability that a draft is right; its own figure where no curve is of its kind.

    Args:
        draft: With the figure that it was made with as its confidence.
        question: What was asked.
        sufficiency: How surely its quotes suffice, of a chain or sentences told as a fact; none where nobody judged.
    """
    kind = kind_of(draft, question, judged=sufficiency is not None)
    if kind is None:
        return draft.confidence
    found = curves()[kind].at(draft.confidence, sufficiency or 0.0)
    if kind == "likely":
        # The share was measured on questions that have an answer: a guess is no surer than its reader beside that.
        return round(min(found, thresholds().likely.right) * draft.confidence, 6)
    return found
