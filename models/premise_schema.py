"""What a language model may answer when it is asked for a missing statement, and how it is shown what is there."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict


class PremiseAnswer(BaseModel):
    """One statement that would complete an explanation."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    premise: str
    """A general statement, in one sentence."""


def cause_and_effect(cause: str, effect: str) -> str:
    """Both as the prompt shows them, each on a line of its own, so that neither can begin the other's."""
    return f"Cause: {_on_one_line(cause)}\nEffect: {_on_one_line(effect)}"


def evidence_and_conclusion(evidence: Sequence[str], conclusion: str) -> str:
    """Statements, and what is to follow from them and the missing one, as the prompt shows them: one a line."""
    lines = [f"Evidence: {_on_one_line(one)}" for one in evidence]
    return "\n".join([*lines, f"Conclusion: {_on_one_line(conclusion)}"])


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
