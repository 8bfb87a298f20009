"""A draft that is given only as far as the facts support it: PAVE (ICLR 2026 workshop on logical reasoning).

The evidence becomes facts for the question, how well they support the draft is judged apart from drafting, and below a
bound the draft is revised: what is not supported is left out, and where nothing is, the answer is withheld.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kg.records import Stance, Verdict
from reasoning.atomic_facts import AtomicFact, atomic_facts
from reasoning.draft import Draft
from reasoning.fact_draft import asks_for_fact
from reasoning.material import Material
from reasoning.revisers import revisers
from reasoning.sufficiency import sufficiency_of
from reasoning.thresholds import thresholds
from reasoning.unsaid import names_among, unsaid
from reasoning.withheld import withheld
from reasoning.wording import say


@dataclass(frozen=True, slots=True)
class SupportStages:
    """Which stages run; all of them but in an ablation.

    Attributes:
        apart: Conditions and exceptions stand apart from what they limit, and are told.
        score: Support is judged; else every draft stands.
        revise: A draft with too little support is revised; else it stands, with its score as confidence.
    """

    apart: bool = True
    score: bool = True
    revise: bool = True


ALL_STAGES: Final = SupportStages()


def check_support(draft: Draft, material: Material, stages: SupportStages = ALL_STAGES) -> Draft:
    """The draft, a revision of it, or that the documents do not say.

    A contradiction is never withheld: it takes a verified quote of a denial, and its support is only told.

    Args:
        draft: What the arbiter picked: a0.
        material: The question, what was found and read, and the judges.
        stages: Which stages run.

    Returns:
        The answer that stands: a*. The trace gets T = (F, a0, r0, s, a*).

    Raises:
        DeadlinePassed: the time is used up.
        ModelError: the judge cannot judge at all.
    """
    figures = thresholds().support
    proof = [one for one in draft.evidence if one.stance is not Stance.CONTEXT]
    facts = atomic_facts(
        material.asked, proof, material.read, figures.facts, material.room, material.quoter, apart=stages.apart
    )
    judge = material.bench.judges.sufficiency
    trace: dict[str, object] = {
        "facts": [fact.told() for fact in facts],
        "draft": draft.text,
        "judge": judge.fingerprint,
    }
    final, action = draft, "there is nothing to check"
    if proof and draft.verdict is not Verdict.INSUFFICIENT:
        if not stages.score:
            final, action = _with_conditions(draft, facts), "it stands unjudged"
        else:
            score = sufficiency_of(material.asked.text, proof, judge, material.deadline)
            without = unsaid(proof, material)
            trace |= {"rationale": [[one.document_id, one.start, one.end] for one in proof], "score": score}
            trace["unsaid"] = without
            # The judges of facts have read the sentence already, and one before it often names what it is about.
            counting = [] if asks_for_fact(material.asked) else without
            final, action = _checked(draft, facts, score, counting, material, stages)
    material.recorder.add("support", **trace, least=figures.least, action=action, answer=final.text)
    return final


def _checked(
    draft: Draft,
    facts: Sequence[AtomicFact],
    score: float,
    without: Sequence[str],
    material: Material,
    stages: SupportStages,
) -> tuple[Draft, str]:
    least = thresholds().support.least
    named = names_among(without)
    if score >= least and not without:
        return _with_conditions(draft, facts), "it is supported"
    if draft.verdict is Verdict.CONTRADICTED:
        return draft, "a denial is told whatever supports it"
    if not stages.revise:
        return replace(draft, confidence=round(min(draft.confidence, score), 6)), "it stands unrevised"
    if named:
        return withheld(draft, [say("missing", "unsaid", words=_listed(named))], 1.0 - score), "it is withheld"
    if score >= least:
        softened = say("answers", "unsaid", words=_listed(without))
        told = _with_conditions(draft, facts)
        return replace(told, text=f"{told.text} {softened}"), "what no quote speaks of is told"
    for reviser in revisers(material):
        revision = reviser.revise(draft, facts, score, material)
        if revision is not None:
            return _with_conditions(revision.draft, revision.facts), revision.action
    return withheld(draft, [say("missing", "unsupported")], 1.0 - score), "it is withheld"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def _with_conditions(draft: Draft, facts: Sequence[AtomicFact]) -> Draft:
    """The draft, with the conditions and exceptions of its facts where its words leave them out."""
    limits = [part for fact in facts if fact.drafted for part in (fact.condition, fact.exception) if part]
    told = [say("answers", "limit", limit=limit) for limit in dict.fromkeys(limits) if limit not in draft.text]
    return replace(draft, text=" ".join((draft.text, *told))) if told else draft
