"""Each draft judged by itself, alike, before the arbiter compares them: what it says, its quotes have to answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from causetrail.errors import DeadlinePassed
from kg.records import Evidence, Stance, Verdict
from language.questions import Question, QuestionKind
from models.judge import SufficiencyJudge
from reasoning.confidence import TOLD_KINDS, calibrated
from reasoning.draft import Draft
from reasoning.room import Room
from reasoning.sufficiency import judged_sufficiency, sufficiency_of
from reasoning.thresholds import thresholds
from reasoning.told_nearby import states_what_is_asked
from reasoning.told_step import once
from reasoning.withheld import as_context, unanswered
from reasoning.wording import say
from traversal.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Validated:
    """A draft with what was made of it.

    Attributes:
        draft: With the probability that it is right as its confidence; none where it was withheld.
        shown: Its quotes as the nearest that the documents come to an answer, where it was withheld.
        trace: The figures, as plain JSON values.
    """

    draft: Draft | None
    shown: tuple[Evidence, ...]
    trace: dict[str, object]


def validate_draft(draft: Draft, question: Question, room: Room, deadline: Deadline) -> Validated:
    """A draft with its calibrated confidence, or withheld.

    A chain or a sentence told as a fact is withheld when the judge of sufficiency says that its quotes do not answer
    the question: it may be of another happening. One that states what led to just what is asked about, or what followed
    from it, stands all the same: the judge hardly sees that "the strike was caused by low pay" tells that. A denial is
    never withheld, nor what cannot be judged.

    What was found before the time was used up is given as it is: the trace then has the code of the deadline under
    `unjudged`.

    Args:
        draft: What the graph or the passages tell.
        question: What was asked.
        room: Has the judges; without any, nothing is withheld.
        deadline: Asked before each judgement.

    Raises:
        ModelError: the judge cannot judge at all.
    """
    trace: dict[str, object] = {"strength": draft.confidence}
    enough: float | None = None
    if draft.verdict is Verdict.SUPPORTED and question.kind in TOLD_KINDS and room.bench is not None:
        least = thresholds().arbiter.least_sufficiency
        proof = [one for one in draft.evidence if one.stance is Stance.FOR]
        judge, asked = room.bench.judges.sufficiency, _in_same_words(question)
        try:
            enough = _sufficiency(asked, proof, judge, deadline)
        except DeadlinePassed as error:
            trace["unjudged"] = error.code
        trace |= {"asked": asked, "sufficiency": enough}
        if enough is not None and enough < least and not states_what_is_asked(question, proof):
            return Validated(None, as_context(proof), {**trace, "withheld": True})
    confidence = calibrated(draft, question, enough)
    return Validated(replace(draft, confidence=confidence), (), {**trace, "confidence": confidence})


def _sufficiency(asked: str, proof: Sequence[Evidence], judge: SufficiencyJudge, deadline: Deadline) -> float | None:
    """How surely quotes suffice, together or the first of them alone where that is what saves the draft."""
    enough = judged_sufficiency(asked, proof, judge, deadline)
    if enough is not None and enough < thresholds().arbiter.least_sufficiency and len(proof) > 1:
        # The judge loses sight of the answer in a long chain; the first quote is that of the nearest link.
        return max(enough, sufficiency_of(asked, proof[:1], judge, deadline))
    return enough


def _in_same_words(question: Question) -> str:
    """The question as the judge is asked it: whatever words a happening is asked about in, it is judged alike."""
    if question.kind is QuestionKind.WHY and not question.negated:
        return f"What led to {question.focus}?"
    if question.kind is QuestionKind.EFFECTS:
        return f"What followed from {question.focus}?"
    return question.text


def with_withheld(lack: Draft, shown: Sequence[Evidence]) -> Draft:
    """What is missing, with the quotes of withheld drafts as the nearest that the documents come to an answer."""
    if not shown:
        return lack
    missing = (say("missing", "unsupported"), *lack.missing)
    return replace(
        lack,
        text=unanswered(missing),
        missing=missing,
        evidence=once((*shown, *lack.evidence)),
    )
