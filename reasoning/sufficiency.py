"""How far quotes suffice for an answer, by a judge."""

from __future__ import annotations

from collections.abc import Sequence

from kg.records import Evidence
from models.judge import SufficiencyJudge
from reasoning.unjudged import UNJUDGED
from traversal.deadline import Deadline


def sufficiency_of(
    question: str, evidence: Sequence[Evidence], judge: SufficiencyJudge, deadline: Deadline | None = None
) -> float:
    """Probability that the quotes suffice as `judged_sufficiency` says; 0 where that cannot be judged."""
    return judged_sufficiency(question, evidence, judge, deadline) or 0.0


def judged_sufficiency(
    question: str, evidence: Sequence[Evidence], judge: SufficiencyJudge, deadline: Deadline | None = None
) -> float | None:
    """Probability that the quotes suffice, together or, where that is too much to read, the best of them; else none.

    Args:
        question: What is asked.
        evidence: The quotes.
        judge: Who judges.
        deadline: Asked before each judgement; none where whoever calls looks at the time.

    Raises:
        DeadlinePassed: the time is used up.
        ModelError: the judge cannot judge at all.
    """
    told = [" ".join(one.quote.split()) for one in evidence]
    for texts in ([" ".join(dict.fromkeys(told))], told):
        found = []
        for text in texts:
            if deadline is not None:
                deadline.check()
            try:
                found += judge.sufficiency([(question, text)])
            except UNJUDGED:
                continue
        if found:
            return round(max(found), 6)
    return None
