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
from kg.records import Passage as PassageRecord
from kg.records import Verdict
from language.content_words import content_keys
from language.questions import Question
from reasoning.counterfactual_questions import CounterfactualQuestion
from reasoning.draft import Draft
from reasoning.draft_contrast import arbitrated, proof_of, weigh
from reasoning.evidence_clusters import clusters, sample
from reasoning.informative_questions import (
    InformativeQuestion,
    InformedChoice,
    informative_questions,
)
from reasoning.judged_help import JudgedHelp
from reasoning.material import Material
from reasoning.passages import ChosenPassages
from reasoning.question_makers import question_maker
from reasoning.sentence_draft import draft_of_sentences
from reasoning.thresholds import thresholds

NOT_CONTRASTED: Final = "nothing was contrasted: no counterfactual question"
_SEED: Final = 0


@dataclass(frozen=True, slots=True)
class CounterfactualStages:
    """Which stages run; all of them but in an ablation.

    Attributes:
        questions: Counterfactual questions are made; without them no contrast is known.
        validity: Those that are unlike, that nothing told answers or that have the same answer are left out.
        ranking: The most informative are asked; else the first ones.
        repeats: Passages that repeat another are left out.
        clusters: Evidence is grouped, and the samples reach across the groups; else they are drawn from all of it.
        drafts: Drafts are read from samples of the evidence; else only the first draft is weighed.
        contrast: The causal contrast counts; else coherence alone.
    """

    questions: bool = True
    validity: bool = True
    ranking: bool = True
    repeats: bool = True
    clusters: bool = True
    drafts: bool = True
    contrast: bool = True


ALL_STAGES: Final = CounterfactualStages()


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
    judges = material.bench.judges
    trace: dict[str, object] = {}
    final, action = draft, "there is nothing to weigh"
    if draft.verdict is not Verdict.INSUFFICIENT and proof_of(draft):
        helps = JudgedHelp(material)
        chosen = _questions(draft, material, helps, stages) if stages.questions else InformedChoice()
        trace["judges"] = {
            "coherence": judges.sufficiency.fingerprint,
            "contrast": judges.relevance.fingerprint,
            "likeness": material.room.index.encoder.fingerprint,
        }
        trace["questions"] = [one.traced() for one in chosen.asked]
        trace["rejected"] = list(chosen.rejected)
        drafts = [draft]
        if stages.drafts:
            drafts += _others(_retrieved(chosen.asked, material, stages), chosen.asked, material, helps, stages, trace)
        contrasted = [one.question for one in chosen.asked] if stages.contrast else []
        weighed = weigh(drafts, contrasted, material, helps)
        trace["drafts"] = [one.traced() for one in weighed]
        final, action = arbitrated(weighed)
        if not chosen.asked:
            trace["contrast"] = NOT_CONTRASTED
        final = replace(final, counterfactuals=tuple(one.question.text for one in chosen.asked))
    material.recorder.add("counterfactual", **trace, weight=figures.contrast_weight, action=action, answer=final.text)
    return final


def _questions(draft: Draft, material: Material, helps: JudgedHelp, stages: CounterfactualStages) -> InformedChoice:
    texts = [" ".join(one.quote.split()) for one in proof_of(draft)]
    texts += [material.quoter.passage(passage) for passage in _in_order(material.read)]
    made = question_maker(material).questions(texts, material)
    about = [one for one in made if _is_asked_about(one, material.asked)]
    return informative_questions(about, material, helps, validity=stages.validity, ranking=stages.ranking)


def _is_asked_about(one: CounterfactualQuestion, asked: Question) -> bool:
    """Whether what it exchanges is part of what is asked about, not of how it is: “lead” in “Did A lead to B?”.

    Names, numbers and months always are; those of the time that is asked about stand in no other part of the question.
    """
    told = content_keys(" ".join((asked.focus, asked.cause or "", asked.effect or "")))
    return one.change != "scope" or not one.was.islower() or content_keys(one.was) <= told


def _retrieved(
    asked: Sequence[InformativeQuestion], material: Material, stages: CounterfactualStages
) -> ChosenPassages:
    """The passages of the question and of the counterfactual ones, near-repeats left out."""
    figures = thresholds().counterfactual
    read = material.read
    hits, passages = list(read.hits), dict(read.passages)
    for one in asked:
        known = {hit.id for hit in hits}
        more = [hit for hit in one.hits if hit.id not in known]
        passages |= material.room.store.passages(material.room.collection, [hit.id for hit in more])
        hits += [hit for hit in more if hit.id in passages]
    kept: list[Hit] = []
    seen: list[frozenset[str]] = []
    for hit in hits:
        keys = content_keys(material.quoter.passage(passages[hit.id]))
        if not (stages.repeats and any(len(keys & other) > figures.repeat * len(keys | other) for other in seen)):
            kept.append(hit)
            seen.append(keys)
    return ChosenPassages(kept, {hit.id: passages[hit.id] for hit in kept}, None)


def _weights(
    pool: ChosenPassages, asked: Sequence[InformativeQuestion], material: Material, helps: JudgedHelp
) -> list[float]:
    """How much each passage helps to answer that of the questions which it helps most: max over {q} ∪ Qcf of s(·, e).

    The hits of different searches bear scores on different scales, and none of them is compared with another. A passage
    without the exchanged word of a counterfactual question answers the real one at best, and is not judged for it.
    """
    pairs: list[list[tuple[str, str]]] = []
    for passage in _in_order(pool):
        text = material.quoter.passage(passage)
        keys = content_keys(text)
        told = [one.question.text for one in asked if content_keys(one.question.now) <= keys]
        pairs.append([(question, text) for question in (material.asked.text, *told)])
    helps.judge(pair for some in pairs for pair in some)
    return [max(helps.probability(*pair) for pair in some) for some in pairs]


def _others(
    pool: ChosenPassages,
    asked: Sequence[InformativeQuestion],
    material: Material,
    helps: JudgedHelp,
    stages: CounterfactualStages,
    trace: dict[str, object],
) -> list[Draft]:
    """Drafts from samples of the passages, those apart that rest on different quotes."""
    figures = thresholds().counterfactual
    texts = [material.quoter.passage(passage) for passage in _in_order(pool)]
    groups = clusters(texts, figures.clusters) if stages.clusters else [0 for _ in texts]
    helped = _weights(pool, asked, material, helps)
    most = max(helped, default=0.0) or 1.0
    weights = [one / most for one in helped]
    trace["evidence"] = [[hit.id, round(one, 6)] for hit, one in zip(pool.hits, helped, strict=True)]
    if stages.clusters:
        trace["clusters"] = [[hit.id, group] for hit, group in zip(pool.hits, groups, strict=True)]
    samples: list[list[str]] = []
    found: dict[tuple[tuple[str, int, int], ...], Draft] = {}
    for number in range(figures.drafts):
        drawn = sample(weights, groups, figures.sample, figures.temperature, _SEED + number)
        hits = [pool.hits[place] for place in drawn]
        samples.append([hit.id for hit in hits])
        known = {hit.id: pool.passages[hit.id] for hit in hits}
        part = ChosenPassages(hits, known, None, material.read.bridges)
        one = draft_of_sentences(material.asked, part, material.room, material.quoter)
        if one is not None:
            found.setdefault(tuple((e.document_id, e.start, e.end) for e in one.evidence), one)
    trace["samples"] = samples
    return list(found.values())


def _in_order(read: ChosenPassages) -> list[PassageRecord]:
    return [read.passages[hit.id] for hit in read.hits]
