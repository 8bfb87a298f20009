"""A draft that is not given: what is missing is said in its place, and its quotes are shown as the nearest."""

from __future__ import annotations

from collections.abc import Sequence

from kg.records import Evidence, Stance, Verdict
from reasoning.draft import Draft
from reasoning.wording import say


def withheld(draft: Draft, why: Sequence[str], confidence: float) -> Draft:
    """That the documents do not answer, with the words of the draft for the trace.

    Args:
        draft: What would have been told.
        why: What it lacks, one sentence each; what was missing before comes behind.
        confidence: How surely it is no answer.
    """
    missing = tuple(dict.fromkeys((*why, *draft.missing)))
    return Draft(
        mode=draft.mode,
        verdict=Verdict.INSUFFICIENT,
        text=unanswered(missing),
        confidence=round(min(1.0, confidence), 6),
        evidence=as_context(draft.evidence),
        missing=missing,
        reasons={**draft.reasons, "withheld": draft.text},
    )


def unanswered(missing: Sequence[str]) -> str:
    """That the documents do not answer, and what is missing."""
    return say("answers", "insufficient", missing=" ".join(missing))


def as_context(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Quotes as what merely comes near."""
    return tuple(one.model_copy(update={"stance": Stance.CONTEXT}) for one in evidence)
