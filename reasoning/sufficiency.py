"""How far quotes suffice for an answer, by a judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from causetrail.errors import ModelRefused, OutputCut, OutputInvalid, PassageTooLong, PromptTooLong
from kg.records import Evidence
from models.judge import SufficiencyJudge

_UNJUDGED: Final = (PassageTooLong, PromptTooLong, OutputInvalid, OutputCut, ModelRefused)


def sufficiency_of(question: str, evidence: Sequence[Evidence], judge: SufficiencyJudge) -> float:
    """Probability that the quotes suffice, together or, where that is too much to read, the best of them; else 0.

    Raises:
        ModelError: the judge cannot judge at all.
    """
    told = [" ".join(one.quote.split()) for one in evidence]
    for texts in ([" ".join(dict.fromkeys(told))], told):
        found = []
        for text in texts:
            try:
                found += judge.sufficiency([(question, text)])
            except _UNJUDGED:
                continue
        if found:
            return round(max(found), 6)
    return 0.0
