"""Which of the causes that sentences tell stand: the causal agent, on questions without options.

The causal agent of Columbaro et al., "Iterative Evidence Retrieval and Abductive Reasoning", chooses among options by
temporal precedence, mechanism and counterfactual validity. Here the options are what the sentences tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from causetrail.errors import QuestionError
from kg.records import Evidence, Mode, Stance, Verdict
from language.content_words import content_keys
from language.questions import QuestionKind, why_question
from reasoning.causal_candidates import ASKING_OF_CAUSES, Candidate, candidates_of
from reasoning.causal_tests import CausalTests, Place, Tested
from reasoning.draft import Draft
from reasoning.evidence import place_of
from reasoning.material import Material
from reasoning.quotable import word_cover
from reasoning.same_happening import tells_of_same
from reasoning.thresholds import thresholds
from reasoning.withheld import as_context, withheld
from reasoning.wording import say

_TRACED: Final = 10
"""Most candidates in the trace."""


@dataclass(frozen=True, slots=True)
class CausalStages:
    """Which stages run; all of them but in an ablation.

    Attributes:
        precedence: What came later is no cause.
        counterfactual: What the effect is said to happen without is no cause.
        archival: What was planned is told as possible.
        behind: What led to the best cause is told behind it.
    """

    precedence: bool = True
    counterfactual: bool = True
    archival: bool = True
    behind: bool = True


ALL_STAGES: Final = CausalStages()


def choose_causes(draft: Draft, material: Material, stages: CausalStages = ALL_STAGES) -> Draft:
    """The causes that pass all tests, in the order of time; a draft that denies, or was asked for none, stands.

    Where no stated cause is left, what was planned is told as possible, and never as supported; else the answer is
    withheld, with the sentences that speak against what was told.

    Args:
        draft: What the arbiter picked.
        material: The question, and what was read.
        stages: Which stages run.
    """
    if material.asked.kind not in ASKING_OF_CAUSES or draft.verdict is Verdict.CONTRADICTED:
        material.recorder.add("causal agent", candidates=[], action="the draft stands", answer=draft.text)
        return draft
    candidates, sentences = candidates_of(material.asked, material.read, material.room, material.quoter)
    tests = CausalTests(material.asked, candidates, sentences)
    tried = [(one, _tested(one, tests, stages)) for one in candidates if not one.denied]
    stated = [one for one, results in tried if not one.planned and _passes(results)]
    plans = [one for one, results in tried if one.planned and _passes(results) and stages.archival]
    lost = [(one, results) for one, results in tried if not one.planned and not _passes(results)]
    behind = None
    if stated and draft.verdict is Verdict.SUPPORTED:
        behind = _behind(stated[0], material, stages) if stages.behind else None
        action, final = "what passes all tests is told", _stated(draft, stated, plans, behind, tests, material)
    elif plans and not stated:
        action, final = "what was planned is told as possible", _planned(draft, plans, material)
    elif lost and draft.verdict is Verdict.SUPPORTED:
        action, final = "nothing passes all tests", _withheld(draft, lost, material)
    else:
        action, final = "the draft stands", draft
    material.recorder.add(
        "causal agent",
        candidates=[_traced(one, results) for one, results in tried[:_TRACED]],
        behind=None if behind is None else list(behind.place),
        action=action,
        answer=final.text,
    )
    return final


def _tested(candidate: Candidate, tests: CausalTests, stages: CausalStages) -> list[Tested]:
    found = [tests.precedence(candidate)] if stages.precedence else []
    found.append(tests.mechanism(candidate))
    return [*found, tests.counterfactual(candidate)] if stages.counterfactual else found


def _passes(results: Sequence[Tested]) -> bool:
    """Whether all tests passed; a plan of the very thing that was asked about needs no cue."""
    return all(one.passed for one in results if one.test != "mechanism")


def _behind(candidate: Candidate, material: Material, stages: CausalStages) -> Candidate | None:
    """What led to a cause, one step further back; none where the passages do not tell it, or it turns in a circle."""
    asked = material.asked
    if asked.kind is not QuestionKind.WHY or asked.negated:
        return None
    try:
        further = why_question(candidate.cause, material.room.settings.max_question_characters)
    except QuestionError:
        return None
    candidates, sentences = candidates_of(further, material.read, material.room, material.quoter)
    tests = CausalTests(further, candidates, sentences)
    same = thresholds().causal_agent.same
    told = material.quoter.span(*candidate.place, Stance.FOR)
    for one in candidates:
        # A sentence that tells of the asked happening as well, such as a copy, is not behind it.
        quoted = material.quoter.span(*one.place, Stance.FOR)
        if one.planned or one.denied or word_cover(asked.focus, quoted.quote, frozenset()) >= same:
            continue
        if not tells_of_same(candidate.cause, told, quoted, material.quoter):
            continue
        if _passes(_tested(one, tests, stages)) and not tests.denials(one):
            return one
    return None


def _stated(
    draft: Draft,
    stated: Sequence[Candidate],
    plans: Sequence[Candidate],
    behind: Candidate | None,
    tests: CausalTests,
    material: Material,
) -> Draft:
    told = _in_time(_distinct(stated)[: thresholds().causal_agent.told], tests)
    shown = _quotes([one.place for one in told], Stance.FOR, material)
    texts = [" ".join(dict.fromkeys(_said(one) for one in shown))]
    confidence = stated[0].score
    against = _quotes([place for one in told for place in tests.denials(one)], Stance.AGAINST, material)
    texts += [say("answers", "dissent", place=place_of(one), quote=_said(one)) for one in against]
    possible = _quotes([one.place for one in plans if one.cue][:1], Stance.CONTEXT, material)
    texts += [say("causal_agent", "planned_beside", place=place_of(one), quote=_said(one)) for one in possible]
    further: list[Evidence] = []
    if behind is not None:
        further = _quotes([behind.place], Stance.FOR, material)
        texts += [say("causal_agent", "behind", telling=_said(one)) for one in further]
        confidence *= behind.score
    return replace(
        draft,
        text=" ".join(texts),
        confidence=round(confidence, 6),
        evidence=tuple(dict.fromkeys((*shown, *against, *possible, *further))),
        reasons={**draft.reasons, "instead_of": draft.text},
    )


def _planned(draft: Draft, plans: Sequence[Candidate], material: Material) -> Draft:
    shown = _quotes([one.place for one in plans[: thresholds().causal_agent.told]], Stance.FOR, material)
    telling = [say("causal_agent", "planned", place=place_of(shown[0]), quote=_said(shown[0]))]
    telling += [say("causal_agent", "planned_beside", place=place_of(one), quote=_said(one)) for one in shown[1:]]
    places = {(one.document_id, one.start, one.end) for one in shown}
    beside = [one for one in draft.evidence if (one.document_id, one.start, one.end) not in places]
    return replace(
        draft,
        mode=Mode.TEXT,
        verdict=Verdict.HYPOTHESISED,
        text=" ".join(telling),
        confidence=plans[0].score,
        evidence=(*shown, *as_context(beside)),
        reasons={**draft.reasons, "instead_of": draft.text},
    )


def _withheld(draft: Draft, lost: Sequence[tuple[Candidate, list[Tested]]], material: Material) -> Draft:
    """What was told, and why none of it is a cause."""
    missing, shown, against = [], [], []
    for one, results in lost[: thresholds().causal_agent.told]:
        failed = next(result for result in results if not result.passed)
        proof = _quotes(failed.evidence, Stance.AGAINST, material)
        entry = "later" if failed.test == "precedence" else "anyway"
        words = {"cause": one.cause, "effect": one.effect, "place": place_of(proof[-1])}
        missing.append(say("causal_agent", entry, **words))
        shown += _quotes([one.place], Stance.CONTEXT, material)
        against += [quote for quote in proof if (quote.document_id, quote.start, quote.end) != one.place]
    told = withheld(draft, missing, 1.0 - lost[0][0].score / 2)
    return replace(told, evidence=tuple(dict.fromkeys((*shown, *against))))


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those that tell another cause or effect first, and then those that tell one of these once more."""
    first: list[Candidate] = []
    known: set[frozenset[str]] = set()
    for one in candidates:
        keys = content_keys(f"{one.cause} {one.effect}")
        if keys not in known:
            first.append(one)
        known.add(keys)
    return [*first, *(one for one in candidates if one not in first)]


def _in_time(candidates: Sequence[Candidate], tests: CausalTests) -> list[Candidate]:
    """Each before the first one that is told, or dated, as later than it; the others in their rank."""
    ordered: list[Candidate] = []
    for one in candidates:
        place = next((i for i, other in enumerate(ordered) if tests.earlier(one, other)), len(ordered))
        ordered.insert(place, one)
    return ordered


def _quotes(places: Sequence[Place], stance: Stance, material: Material) -> list[Evidence]:
    return [material.quoter.span(*place, stance) for place in dict.fromkeys(places)]


def _said(evidence: Evidence) -> str:
    return " ".join(evidence.quote.split())


def _traced(candidate: Candidate, results: Sequence[Tested]) -> dict[str, object]:
    return {
        "cause": candidate.cause,
        "effect": candidate.effect,
        "sentence": list(candidate.place),
        "planned": candidate.planned,
        "score": candidate.score,
        "tests": [one.traced() for one in results],
    }
