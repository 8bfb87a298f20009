"""A draft that stands only when its evidence answers the question better than questions like it: CF-RAG (ICLR 2026).

Counterfactual questions are made, evidence is retrieved for all of them, grouped, and read in several drafts; the
arbiter weighs how well the evidence of each answers the question against how much better it does so than it answers
the counterfactual ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kg.fusion import Hit
from kg.records import Evidence, Mode, Stance, Verdict
from kg.records import Passage as PassageRecord
from language.content_words import content_keys
from language.questions import Question
from reasoning.counterfactual_questions import CounterfactualQuestion
from reasoning.draft import Draft
from reasoning.evidence_clusters import clusters, sample
from reasoning.material import Material
from reasoning.passages import UNDECIDED, ChosenPassages
from reasoning.question_makers import question_maker
from reasoning.sufficiency import sufficiency_of
from reasoning.text_draft import draft_from_text
from reasoning.thresholds import thresholds
from reasoning.unjudged import UNJUDGED
from reasoning.wording import say

_SEED: Final = 0


@dataclass(frozen=True, slots=True)
class CounterfactualStages:
    """Which stages run; all of them but in an ablation.

    Attributes:
        questions: Counterfactual questions are made; without them no contrast is known.
        clusters: Evidence is grouped, and drafts are read from samples across the groups; else only the first draft.
        contrast: The causal contrast counts; else coherence alone.
    """

    questions: bool = True
    clusters: bool = True
    contrast: bool = True


ALL_STAGES: Final = CounterfactualStages()


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A draft with its scores: coherence 0 to 1, contrast -1 to 1 (none where nothing was contrasted), Ψ."""

    draft: Draft
    coherence: float
    contrast: float | None
    psi: float


def weigh_counterfactually(draft: Draft, material: Material, stages: CounterfactualStages = ALL_STAGES) -> Draft:
    """The best of the draft and of others from samples of the evidence, or that the documents do not say.

    Args:
        draft: What the arbiter picked, from chains or from text.
        material: The question, what was found and read, and the judges.
        stages: Which stages run.

    Raises:
        DeadlinePassed: the time is used up before all drafts are weighed.
        ModelError: a judge cannot judge at all.
    """
    figures = thresholds().counterfactual
    relevance = material.bench.judges.relevance
    trace: dict[str, object] = {"judges": [relevance.fingerprint, material.bench.judges.sufficiency.fingerprint]}
    final, action = draft, "there is nothing to weigh"
    if draft.verdict is not Verdict.INSUFFICIENT and _proof(draft):
        asked = _questions(draft, material) if stages.questions else []
        pool = _retrieved(asked, material)
        trace["questions"] = [
            {
                "question": one.text,
                "change": one.change,
                "was": one.was,
                "now": one.now,
                "texts": one.places,
                "from": one.origin,
            }
            for one in asked
        ]
        drafts = [draft, *(_others(pool, asked, material, trace) if stages.clusters else ())]
        helps = _Helps(material)
        weighed = [_weighed(one, asked if stages.contrast else [], material, helps) for one in drafts]
        trace["drafts"] = [
            {
                "text": one.draft.text,
                "mode": one.draft.mode.value,
                "coherence": one.coherence,
                "contrast": one.contrast,
                "psi": one.psi,
            }
            for one in weighed
        ]
        final, action = _arbitrated(weighed)
        final = replace(final, counterfactuals=tuple(one.text for one in asked))
    material.recorder.add("counterfactual", **trace, weight=figures.contrast_weight, action=action, answer=final.text)
    return final


def _questions(draft: Draft, material: Material) -> list[CounterfactualQuestion]:
    texts = [" ".join(one.quote.split()) for one in _proof(draft)]
    texts += [_text(passage, material) for passage in _in_order(material.read)]
    return [one for one in question_maker(material).questions(texts, material) if _is_asked_about(one, material.asked)]


def _is_asked_about(one: CounterfactualQuestion, asked: Question) -> bool:
    """Whether what it exchanges is part of what is asked about, not of how it is: “lead” in “Did A lead to B?”.

    Names, numbers and months always are; those of the time that is asked about stand in no other part of the question.
    """
    told = content_keys(" ".join((asked.focus, asked.cause or "", asked.effect or "")))
    return one.change != "scope" or not one.was.islower() or content_keys(one.was) <= told


def _retrieved(asked: Sequence[CounterfactualQuestion], material: Material) -> ChosenPassages:
    """The passages of the question and of the counterfactual ones, near-repeats left out."""
    figures = thresholds().counterfactual
    read = material.read
    hits, passages = list(read.hits), dict(read.passages)
    for one in asked:
        more = [
            hit
            for hit in material.room.index.search_passages(one.text, figures.passages)
            if hit.id not in {known.id for known in hits}
        ]
        passages |= material.room.store.passages(material.room.collection, [hit.id for hit in more])
        hits += [hit for hit in more if hit.id in passages]
    kept: list[Hit] = []
    seen: list[frozenset[str]] = []
    for hit in hits:
        keys = content_keys(_text(passages[hit.id], material))
        if not any(len(keys & other) > figures.repeat * len(keys | other) for other in seen):
            kept.append(hit)
            seen.append(keys)
    return ChosenPassages(kept, {hit.id: passages[hit.id] for hit in kept}, None)


def _others(
    pool: ChosenPassages, asked: Sequence[CounterfactualQuestion], material: Material, trace: dict[str, object]
) -> list[Draft]:
    """Drafts from samples of the passages, those apart that rest on different quotes."""
    figures = thresholds().counterfactual
    texts = [_text(passage, material) for passage in _in_order(pool)]
    groups = clusters(texts, figures.clusters)
    weights = [hit.score / max(pool.hits[0].score, 1e-12) for hit in pool.hits] if pool.hits else []
    trace["clusters"] = [[hit.id, group] for hit, group in zip(pool.hits, groups, strict=True)]
    found: dict[tuple[tuple[str, int, int], ...], Draft] = {}
    for number in range(figures.drafts):
        drawn = sample(weights, groups, figures.sample, figures.temperature, _SEED + number)
        hits = [pool.hits[place] for place in drawn]
        part = ChosenPassages(hits, {hit.id: pool.passages[hit.id] for hit in hits}, None)
        one = draft_from_text(material.asked, part, material.room, material.quoter).draft
        if one is not None:
            found.setdefault(tuple((e.document_id, e.start, e.end) for e in one.evidence), one)
    return list(found.values())


def _weighed(draft: Draft, asked: Sequence[CounterfactualQuestion], material: Material, helps: _Helps) -> _Weighed:
    """Ψ = (1 - λ) φ_coh + λ φ_causal, as published; without counterfactual questions φ_coh alone."""
    weight = thresholds().counterfactual.contrast_weight
    judges = material.bench.judges
    proof = _proof(draft)
    coherence = sufficiency_of(material.asked.text, proof, judges.sufficiency, material.deadline)
    if not asked:
        return _Weighed(draft, coherence, None, coherence)
    differences = [
        one for one in (_contrast(evidence, asked, material, helps) for evidence in proof) if one is not None
    ]
    if not differences:
        # As good as one that answers both alike, and not to be withheld for it: nothing is known of its contrast.
        return _Weighed(draft, coherence, None, round((1 - weight) * coherence, 6))
    contrast = round(sum(differences) / len(differences), 6)
    return _Weighed(draft, coherence, contrast, round((1 - weight) * coherence + weight * contrast, 6))


def _contrast(
    evidence: Evidence, asked: Sequence[CounterfactualQuestion], material: Material, helps: _Helps
) -> float | None:
    """How much better a quote answers the real question than the best answered counterfactual one.

    A quote that has neither of two exchanged words tells nothing of their difference. One that has the real word alone
    answers no counterfactual question: judges overlook such words, numbers above all.

    Returns:
        -1 to 1; none where the quote tells nothing of any difference.
    """
    quote = " ".join(evidence.quote.split())
    keys = content_keys(quote)
    rivals = []
    for one in asked:
        real, other = content_keys(one.was) <= keys, content_keys(one.now) <= keys
        if other:
            rivals.append(helps.probability(one.text, quote))
        elif real:
            rivals.append(0.0)
    return None if not rivals else helps.probability(material.asked.text, quote) - max(rivals)


def _arbitrated(weighed: Sequence[_Weighed]) -> tuple[Draft, str]:
    """The first draft where others agree with it, with those beside it that rest on other quotes and are as good.

    Nothing is given where the evidence of the best one answers a counterfactual question as well; a denial always is.
    """
    first = weighed[0]
    if first.draft.verdict is Verdict.CONTRADICTED:
        return first.draft, "a denial is told whatever its contrast"
    leads = [first, *(one for one in weighed[1:] if not _places(one) & _places(first))]
    best = max(leads, key=lambda one: one.psi)
    if best.contrast is not None and best.contrast <= 0:
        return _withheld(best), "its evidence answers a counterfactual question as well"
    told, beside = _places(best), list[Evidence]()
    for one in sorted(weighed, key=lambda one: -one.psi)[: thresholds().counterfactual.drafts]:
        answers_another = one.contrast is not None and one.contrast <= 0
        as_good = one.psi >= thresholds().counterfactual.beside * best.psi and not answers_another
        if as_good and one.draft.verdict is best.draft.verdict:
            beside += [e for e in _proof(one.draft) if (e.document_id, e.start, e.end) not in told]
            told |= _places(one)
    if not beside:
        return best.draft, "the drafts agree"
    mode = best.draft.mode if best.draft.mode is Mode.TEXT else Mode.MIXED
    joined = replace(best.draft, mode=mode, evidence=(*best.draft.evidence, *beside))
    quotes = dict.fromkeys(" ".join(one.quote.split()) for one in beside)
    telling = " ".join(quote for quote in quotes if quote not in best.draft.text)
    if not telling:
        return joined, "the drafts agree, and rest on several quotes"
    text = f"{best.draft.text} {say('answers', 'beside', telling=telling)}"
    return replace(joined, text=text), "drafts that differ stand side by side"


def _places(one: _Weighed) -> set[tuple[str, int, int]]:
    return {(e.document_id, e.start, e.end) for e in one.draft.evidence}


def _withheld(best: _Weighed) -> Draft:
    draft = best.draft
    missing = (say("missing", "counterfactual"), *draft.missing)
    return Draft(
        mode=draft.mode,
        verdict=Verdict.INSUFFICIENT,
        text=say("answers", "insufficient", missing=" ".join(missing)),
        confidence=round(min(1.0, 1.0 - best.psi), 6),
        evidence=tuple(one.model_copy(update={"stance": Stance.CONTEXT}) for one in draft.evidence),
        missing=missing,
        reasons={**draft.reasons, "withheld": draft.text},
    )


class _Helps:
    """How well quotes answer questions; no pair is judged twice, since drafts share quotes."""

    def __init__(self, material: Material) -> None:
        self._judge = material.bench.judges.relevance
        self._deadline = material.deadline
        self._known: dict[tuple[str, str], float] = {}

    def probability(self, question: str, quote: str) -> float:
        """Probability that a quote helps; one that cannot be judged counts as undecided for every question.

        Raises:
            DeadlinePassed: the time is used up.
        """
        if (question, quote) not in self._known:
            self._deadline.check()
            try:
                (told,) = self._judge.relevance(question, [quote])
            except UNJUDGED:
                told = UNDECIDED
            self._known[question, quote] = told
        return self._known[question, quote]


def _proof(draft: Draft) -> list[Evidence]:
    return [one for one in draft.evidence if one.stance is not Stance.CONTEXT]


def _in_order(read: ChosenPassages) -> list[PassageRecord]:
    return [read.passages[hit.id] for hit in read.hits]


def _text(passage: PassageRecord, material: Material) -> str:
    return material.quoter.text(passage.document_id)[passage.start : passage.end]
