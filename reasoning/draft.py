"""One candidate answer, before it is decided which one is given."""

from __future__ import annotations

from dataclasses import dataclass, field

from kg.records import Chain, Evidence, Hypothesis, Mode, Verdict
from reasoning.told_step import ToldStep
from reasoning.trace import BY_RULE


@dataclass(frozen=True, slots=True)
class Draft:
    """What one way of answering came to.

    Attributes:
        mode: Where it came from.
        verdict: What it says of the proposition asked.
        text: The answer in words, made of the words of its evidence.
        confidence: Confidence in the verdict, 0 to 1; when it was judged by itself, the probability that it is right
            (`reasoning.confidence`). Before, for a chain: the product of the confidences of its links and the match of
            its seeds. For sentences: the confidence of the cue and the share of the question they cover. For a
            contradiction: the strength of the denial and the match. For `insufficient`: one minus half of the best
            match of what was found and not good enough.
        chains: The chains it tells, best first.
        evidence: In the order the text uses it.
        late: Whether what it tells to have led to its effect came after it by their dates.
        cut_at_hops: Whether a chain it tells ends at the setting `hops` while an edge leads on.
        missing: What would have to be known, one sentence each.
        premises: Assumptions it needs; none unless it is `hypothesised`.
        counterfactuals: Counterfactual questions that were tested for it.
        steps: The text step by step, where it is a narrative of the graph.
        reasons: How it was made, as plain JSON values for the trace.
    """

    mode: Mode
    verdict: Verdict
    text: str
    confidence: float
    chains: tuple[Chain, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    late: bool = False
    cut_at_hops: bool = False
    missing: tuple[str, ...] = ()
    premises: tuple[Hypothesis, ...] = ()
    counterfactuals: tuple[str, ...] = ()
    steps: tuple[ToldStep, ...] = ()
    reasons: dict[str, object] = field(default_factory=dict)

    def traced(self) -> dict[str, object]:
        """What it says and by which quotes, as plain JSON values for the trace."""
        return {
            "verdict": self.verdict.value,
            "confidence": self.confidence,
            "text": self.text,
            "quotes": [[one.document_id, one.start, one.end, one.stance.value] for one in self.evidence],
            "reasons": self.reasons,
            **({"narrative": [step.traced() for step in self.steps]} if self.steps else {}),
        }


def traced_draft(draft: Draft | None) -> dict[str, object]:
    """Whether a draft was made, and what it says, as plain JSON values for the trace."""
    return {"made": False} if draft is None else {"made": True, "judge": BY_RULE, **draft.traced()}
