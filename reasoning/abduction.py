"""A premise that no document states, where what they state does not suffice: abductive retrieval-augmented generation.

The Abductive-RAG paper looks for a premise P such that evidence E and P together give the answer: sufficiency is judged
first, candidates are proposed, one that the evidence contradicts is discarded, the others are scored, and the best one
is named as an assumption.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from causetrail.errors import PassageTooLong
from kg.records import CAUSAL_RELATIONS, Event, Evidence, Hypothesis, Modality, Mode, Passage, Polarity, Stance, Verdict
from kg.rejections import rejected_links
from kg.store import Direction
from language.content_words import content_keys
from language.questions import QuestionKind
from models.judge import CauseJudge
from reasoning.draft import Draft
from reasoning.evidence import place_of, span_of
from reasoning.findings import budget_of
from reasoning.knowledge import knowledge_of, search_bases
from reasoning.late_causes import Dated, late_cause
from reasoning.material import Material
from reasoning.passages import UNDECIDED
from reasoning.precedents import precedents, told_beside
from reasoning.preconditions import preconditions
from reasoning.premise_retrieval import retrieved
from reasoning.premise_sources import Premise, premise_source
from reasoning.sufficiency import sufficiency_of
from reasoning.thresholds import thresholds
from reasoning.time_order import orders
from reasoning.unjudged import UNJUDGED
from reasoning.wording import as_sentence, say
from traversal.expansion import expand


@dataclass(frozen=True, slots=True)
class AbductionStages:
    """Which stages run; all of them but in an ablation.

    Attributes:
        detection: Sufficiency is judged first; else premises are looked for always.
        generation: Candidates are proposed; else the draft stands whatever suffices.
        consistency: Candidates that the evidence contradicts are discarded.
        plausibility: Candidates are scored by how near the documents come to them, too.
        precedents: Candidates are also proposed after what the graph states of other happenings.
        preconditions: And after what documents tell that such a happening takes.
        regeneration: Where none stands, more are proposed from the passages near the best of those rejected.
    """

    detection: bool = True
    generation: bool = True
    consistency: bool = True
    plausibility: bool = True
    precedents: bool = True
    preconditions: bool = True
    regeneration: bool = True


ALL_STAGES: Final = AbductionStages()

Judged = tuple[Premise, Hypothesis]
"""A premise with its scores."""


def abduce(draft: Draft, material: Material, stages: AbductionStages = ALL_STAGES) -> Draft:
    """The draft where its evidence suffices, else the best premise that would complete it, as a hypothesis.

    Nothing is written: the premise is part of the answer alone, and no edge.

    Args:
        draft: What the arbiter picked.
        material: The question, what was found and read, and the judges.
        stages: Which stages run.

    Raises:
        ModelError: a judge cannot judge at all.
    """
    figures = thresholds().abduction
    judges = material.bench.judges
    proof = [one for one in draft.evidence if one.stance is not Stance.CONTEXT]
    enough = (
        sufficiency_of(material.asked.text, proof, judges.sufficiency, material.deadline)
        if proof and stages.detection
        else 0.0
    )
    trace: dict[str, object] = {
        "rationale": [span_of(one) for one in proof],
        "sufficiency": enough,
        "least": figures.sufficient,
        "judges": dict(judges.fingerprints),
    }
    suffices = proof and draft.verdict is not Verdict.INSUFFICIENT and enough >= figures.sufficient
    if draft.verdict is Verdict.CONTRADICTED or (suffices and stages.detection):
        material.recorder.add("abduction", **trace, action="the evidence suffices", answer=draft.text)
        return draft
    rejected = rejected_links(material.room.store, material.room.collection)
    named = list(_candidates(material, stages)) if stages.generation else []
    candidates = [one for one in named if (one.cause.id, one.effect.id) not in rejected]
    if len(candidates) < len(named):
        trace["rejected_by_a_person"] = len(named) - len(candidates)
    candidates = candidates[: figures.candidates]
    candidates += premise_source(material).premises(candidates, material)
    judged = [(one, _judged(one, draft, material, stages)) for one in candidates]
    trace["candidates"] = [_traced(one, found, draft) for one, found in judged]
    best = _best(judged, stages)
    if stages.regeneration and judged and (best is None or best[1].score < figures.again_under):
        nearest = best or max(judged, key=lambda pair: pair[1].score)
        query, passages = nearest[1].premise, _near(nearest[1].premise, material)
        known = {(one.cause.id, one.effect.id) for one in named} | rejected
        more = [one for one in _again(passages, material, stages) if (one.cause.id, one.effect.id) not in known]
        again = [(one, _judged(one, draft, material, stages)) for one in more[: figures.candidates]]
        trace["again"] = {
            "query": query,
            "passages": [[one.document_id, one.start, one.end] for one in passages],
            "candidates": [_traced(one, found, draft) for one, found in again],
        }
        best = _best([*judged, *again], stages)
    if best is None:
        action = "no premise stands"
        final = draft
    else:
        action = "the best premise is assumed"
        final = _assumed(draft, *best)
    material.recorder.add("abduction", **trace, action=action, answer=final.text)
    return final


def _traced(one: Premise, found: Hypothesis, draft: Draft) -> dict[str, object]:
    return {
        "premise": found.premise,
        "from": one.origin,
        "plausibility": found.plausibility,
        "retrieval": found.retrieval,
        "contradiction": found.contradiction,
        "score": found.score,
        "rationale": [span_of(evidence) for evidence in dict.fromkeys(_quotes(one, draft))],
    }


def _best(judged: Sequence[Judged], stages: AbductionStages) -> Judged | None:
    """The best one of those that stand."""
    figures = thresholds().abduction
    standing = [
        (one, found)
        for one, found in judged
        if found.plausibility >= figures.least
        and (not stages.consistency or found.contradiction < figures.contradicted)
    ]
    return max(standing, key=lambda pair: pair[1].score, default=None)


def _candidates(material: Material, stages: AbductionStages) -> Iterator[Premise]:
    """Links that would complete the answer, each once.

    They lie between chains that do not meet, or begin at what is told in the documents of the effect: first what the
    graph gives a precedent for, then what the same passages tell.
    """
    found, asked = material.found, material.asked
    if asked.kind in {QuestionKind.HOW, QuestionKind.DID}:
        starts = [found.onward[0].events[-1]] if found.onward else _focus(material, of_cause=True)
        ends = [found.backward[0].events[0]] if found.backward else _focus(material)
        apart = starts and ends and (found.onward or found.backward) and _is_open(starts[0], ends[0], material)
        if apart and _may_lead(starts[0], ends[0]) and starts[0].id not in _later(ends[:1], material):
            yield _candidate(starts[0], ends[0], "chains that do not meet", material)
    elif asked.kind is QuestionKind.WHY:
        effects = _focus(material)
        if effects:
            left_out = _later(effects, material)
            after = _after_precedents(effects, material) if stages.precedents else []
            after = [one for one in after if one.cause.id not in left_out]
            yield from after[: thresholds().abduction.precedents]
            left_out |= {one.cause.id for one in after}
            if stages.preconditions:
                read = (
                    material.read.passages[hit.id] for hit in material.read.hits if hit.id in material.read.passages
                )
                needed = [one for one in _needed(effects, read, material) if one.cause.id not in left_out]
                needed = needed[: thresholds().abduction.preconditions]
                yield from needed
                left_out |= {one.cause.id for one in needed}
            for cause in _beside(effects, [hit.id for hit in material.read.hits], material):
                if cause.id not in left_out:
                    yield _candidate(cause, effects[0], "told in the same passages", material)


def _again(passages: Sequence[Passage], material: Material, stages: AbductionStages) -> Iterator[Premise]:
    """Links that more passages give, where the question asks why: what they tell that it takes, and what happened.

    Only what the documents of the effect tell may have led to it: another document may be of another happening.
    """
    effects = _focus(material)
    if material.asked.kind is not QuestionKind.WHY or not effects:
        return
    left_out = _later(effects, material)
    if stages.preconditions:
        needed = [one for one in _needed(effects, passages, material) if one.cause.id not in left_out]
        yield from needed
        left_out |= {one.cause.id for one in needed}
    of_effect = told_beside(effects[0], material)
    for cause in _beside(effects, [one.id for one in passages], material, of_effect):
        if cause.id not in left_out:
            yield _candidate(cause, effects[0], "told in passages near a premise that was rejected", material)


def _near(premise: str, material: Material) -> list[Passage]:
    """The passages nearest to a premise that were not read yet, best first; none where the premise is too long."""
    room, read = material.room, [hit.id for hit in material.read.hits]
    bases, most = knowledge_of(room).later, thresholds().abduction.again
    try:
        hits = search_bases(room, premise, most, bases, material.quoter, read)
    except PassageTooLong:
        return []
    found = room.store.passages(room.collection, [hit.id for hit in hits])
    return [found[hit.id] for hit in hits]


def _needed(effects: Sequence[Event], passages: Iterable[Passage], material: Material) -> Iterator[Premise]:
    """What such a happening takes and is told to have been so, each with what tells that it takes it."""
    for one in preconditions(effects, passages, material):
        if _may_lead(one.cause, effects[0], absent=True) and _is_open(one.cause, effects[0], material):
            made = _candidate(one.cause, effects[0], "a precondition", material)
            yield replace(made, precedent=one.shown, rule=True)


def _focus(material: Material, *, of_cause: bool = False) -> list[Event]:
    """The events that are surely meant."""
    search = material.found.cause if of_cause else material.found.focus
    least = thresholds().graph.sure_match
    seeds = () if search is None else search.seeds
    return [seed.event for seed in seeds if seed.match >= least and not seed.opposite]


def _after_precedents(effects: Sequence[Event], material: Material) -> list[Premise]:
    """The best of them, each with a statement of another happening that it follows."""
    effect, found = effects[0], []
    for one in precedents(effect, [one.id for one in effects], material):
        (link,) = material.reader.links(one.edges[:1])
        fits = _may_lead(one.cause, effect) and _is_open(one.cause, effect, material)
        if fits and link.edge.consistent and link.best is not None and link.stated_as_fact:
            origin = f"after {len(one.edges)} stated of other happenings"
            shown = material.quoter.claim(link.best.claim, Stance.CONTEXT)
            found.append(replace(_candidate(one.cause, effect, origin, material), precedent=shown))
    return found


def _later(effects: Sequence[Event], material: Material) -> set[str]:
    """Ids of the events that follow from the effects, or are told to come after them: none of them led to these."""
    room, ids = material.room, [one.id for one in effects]
    part = expand(ids, Direction.TO_EFFECTS, room.store, room.collection, budget_of(room), material.deadline)
    after = (edge.effect for edge in orders(ids, Direction.TO_EFFECTS, room))
    return {*part.depth, *after} - {*ids}


def _beside(
    effects: Sequence[Event], passages: Sequence[str], material: Material, among: Collection[str] | None = None
) -> list[Event]:
    """The events that passages tell and that may have led to the effect, the most plausible first.

    Args:
        effects: All events that the question may mean, the best first.
        passages: Their ids.
        material: The question, its store and its judges.
        among: Ids of the events that may be taken; those told in a passage with the effect when not given.
    """
    room, effect = material.room, effects[0]
    by_passage = room.store.events_of_passages(room.collection, list(passages))
    meant = {one.id for one in effects}
    told = {id_ for ids in by_passage.values() if among is not None or meant & {*ids} for id_ in ids} - meant
    told = told if among is None else told & {*among}
    events = room.store.events(room.collection, sorted(told))
    fitting = [one for _, one in sorted(events.items()) if _may_lead(one, effect)]
    judge = material.bench.judges.cause
    likely = []
    for one in fitting[: thresholds().abduction.considered]:
        material.deadline.check()
        if _is_open(one, effect, material):
            likely.append((_plausibility(one, effect, judge), one))
    likely.sort(key=lambda pair: (-pair[0], pair[1].id))
    return [one for _, one in likely]


def _is_open(cause: Event, effect: Event, material: Material) -> bool:
    """Whether the documents neither state nor rule out that one led to the other."""
    if cause.id == effect.id:
        return False
    room = material.room
    edges = room.store.edges_at(
        room.collection, [cause.id], Direction.TO_EFFECTS, CAUSAL_RELATIONS, ruled_out=None, limit_each=None
    )
    return not any(edge.effect == effect.id for edge in edges)


def _may_lead(cause: Event, effect: Event, *, absent: bool = False) -> bool:
    """Whether the cause happened, is another event and no later, and the effect is a happening or a plan.

    A plan may well have led to something, but nothing here tells the plan from its being carried out.

    Args:
        cause: What may have led to the effect.
        effect: What is to be explained.
        absent: Whether what is told not to have happened may have led to it too.
    """
    happened = (absent or cause.polarity is Polarity.AFFIRMED) and cause.modality is Modality.ACTUAL
    told = effect.modality in {Modality.ACTUAL, Modality.PLANNED}
    return (
        happened and told and not _may_be_one(cause, effect) and late_cause(Dated.of(cause), Dated.of(effect)) is None
    )


def _may_be_one(cause: Event, effect: Event) -> bool:
    """Whether both are of one kind, and one is told with no other word than the other: a fire, the fire at the mill."""
    first, second = content_keys(cause.description), content_keys(effect.description)
    return cause.kind == effect.kind and (first <= second or second <= first)


def _plausibility(cause: Event, effect: Event, judge: CauseJudge, reason: str = "") -> float:
    told_of = f"{as_sentence(cause.description)} {reason}" if reason else cause.description
    try:
        (told,) = judge.causes([(told_of, effect.description)])
    except UNJUDGED:
        return UNDECIDED
    return round(told, 6)


def _candidate(cause: Event, effect: Event, origin: str, material: Material) -> Premise:
    evidence = [material.quoter.telling(event.id) for event in (cause, effect)]
    return Premise(cause, effect, origin, tuple(dict.fromkeys(evidence)))


def _judged(one: Premise, draft: Draft, material: Material, stages: AbductionStages) -> Hypothesis:
    """The candidate with its scores; one of which nobody can say whether it is contradicted counts as undecided.

    Score(p) = α · plausibility(p) + β · Retrieve(p). The publication weighs Entail(E, p) with α; by that, right and
    wrong causes are told apart no better than by chance here, so the judge of causes stands in its place.
    """
    figures = thresholds().abduction
    judges = material.bench.judges
    quotes = [" ".join(evidence.quote.split()) for evidence in _quotes(one, draft)]
    material.deadline.check()
    entailed, contradicted = 0.0, 0.0
    for quote in dict.fromkeys((" ".join(quotes[:2]), *quotes)):
        try:
            (inference,) = judges.entailment.inferences([(quote, one.text)])
        except UNJUDGED:
            contradicted = max(contradicted, UNDECIDED)
        else:
            entailed, contradicted = max(entailed, inference.entailed), max(contradicted, inference.contradicted)
    plausible = _plausibility(one.cause, one.effect, judges.cause, one.reason)
    near = retrieved(one.text, material) if stages.plausibility else 0.0
    weights = (figures.alpha, figures.beta) if stages.plausibility else (1.0, 0.0)
    return Hypothesis(
        id=Hypothesis.id_of(one.cause.id, one.effect.id, one.text),
        collection=material.room.collection,
        cause=one.cause.id,
        effect=one.effect.id,
        premise=one.text,
        entailment=round(entailed, 6),
        plausibility=plausible,
        retrieval=near,
        contradiction=round(contradicted, 6),
        score=round(weights[0] * plausible + weights[1] * near, 6),
        model=f"{one.origin}, {judges.cause.fingerprint}" if one.reason else judges.cause.fingerprint,
        created_at=None,
    )


def _quotes(one: Premise, draft: Draft) -> tuple[Evidence, ...]:
    """What may contradict a premise: the sentences of its ends, what it is told to take, then those of the draft."""
    rule = (one.precedent,) if one.rule and one.precedent is not None else ()
    return (*one.evidence, *rule, *draft.evidence)


def _assumed(draft: Draft, one: Premise, found: Hypothesis) -> Draft:
    """The premise as a hypothesis: what the documents state is shown, and that they do not state the premise."""
    shown = {(e.document_id, e.start, e.end) for e in draft.evidence}
    quotes = one.evidence if one.precedent is None else (*one.evidence, one.precedent)
    added = [e for e in quotes if (e.document_id, e.start, e.end) not in shown]
    nothing = draft.verdict is Verdict.INSUFFICIENT
    assumption = say("answers", "assumed" if nothing else "completed", premise=found.premise)
    text = assumption if nothing else f"{draft.text} {assumption}"
    if one.precedent is not None:
        quote = " ".join(one.precedent.quote.split())
        entry = "rule" if one.rule else "precedent"
        text = f"{text} {say('answers', entry, place=place_of(one.precedent), quote=quote)}"
    return replace(
        draft,
        mode=Mode.GRAPH if draft.mode is Mode.GRAPH else Mode.MIXED,
        verdict=Verdict.HYPOTHESISED,
        text=text,
        confidence=min(found.score, thresholds().abduction.right),
        evidence=(*draft.evidence, *added),
        premises=(found,),
        reasons={**draft.reasons, "instead_of": draft.text},
    )
