"""Proposals of a language model in a step: one that cannot be had is told in the trace, and the rule goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from causetrail.errors import (
    BudgetSpent,
    DeadlinePassed,
    ModelRefused,
    ModelSlow,
    OutputCut,
    OutputInvalid,
    PromptTooLong,
)
from models.call_deadline import CallDeadline
from models.proposer import Proposer
from reasoning.material import Material

SHOWN_CHARACTERS: Final = 3_000
"""Most text of documents in one prompt: about 750 tokens, so that it fits into the smallest models."""
_UNUSABLE: Final = (OutputInvalid, OutputCut, ModelRefused, PromptTooLong, ModelSlow, BudgetSpent, DeadlinePassed)
Value = TypeVar("Value")


def proposed(ask: Callable[[Proposer, CallDeadline], Value], step: str, material: Material) -> Value | None:
    """What a language model proposes; none where none is chosen, or where it gives nothing that can be used in time.

    Args:
        ask: Makes the call.
        step: What it is for, in the trace. A failed call is a step `warning` with the code of its error.
        material: The question with its deadline.

    Raises:
        ModelError: the model cannot be asked at all.
    """
    proposer = material.bench.proposer
    if proposer is None:
        return None
    try:
        material.deadline.check()
        return ask(proposer, proposer.deadline(material.deadline.left()))
    except _UNUSABLE as error:
        material.recorder.add(
            "warning", of=step, code=error.code, model=proposer.fingerprint, action="the rule goes on"
        )
        return None


def shown(texts: Sequence[str]) -> str:
    """The texts, each on a line of its own, those in front as far as a prompt has room."""
    lines: list[str] = []
    left = SHOWN_CHARACTERS
    for text in dict.fromkeys(" ".join(one.split()) for one in texts):
        if len(text) > left:
            break
        lines.append(text)
        left -= len(text)
    return "\n".join(lines)
