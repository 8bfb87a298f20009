"""What the steps of a strategy make of one cause that is offered, after the graph and the passages were read for it.

What judges the draft of an answer judges that of an option likewise, with “did it lead to the event?” as the question.
Two steps do more for an option that nothing states: a gap is what links it to the event, and is searched for once more;
and it is itself the premise that abduction looks for, discarded or scored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kg.records import Evidence, Stance, Verdict
from language.content_words import content_keys
from language.phrases import as_part
from reasoning.abduction import ALL_STAGES as ALL_ABDUCTION
from reasoning.abduction import AbductionStages
from reasoning.draft import Draft
from reasoning.evidence import place_of
from reasoning.gap_filling import ALL_STAGES as ALL_GAPS
from reasoning.gap_filling import GapStages, fill_gaps
from reasoning.gaps import Gap
from reasoning.material import Material
from reasoning.premise_retrieval import retrieved
from reasoning.quotable import told_sentences
from reasoning.sufficiency import sufficiency_of
from reasoning.thresholds import thresholds
from reasoning.unjudged import UNJUDGED
from reasoning.wording import link_told, named, say


@dataclass(frozen=True, slots=True)
class Offered:
    """A cause that is offered.

    Attributes:
        option: The cause, in words.
        event: What it may have led to, in words.
        plausibility: What the judge of causes makes of it, 0 to 1.
    """

    option: str
    event: str
    plausibility: float


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands of an option.

    Attributes:
        draft: What the documents make of it; where a draft is withheld, it says as much as that they do not.
        score: What it is ranked by where nothing states it, 0 to 1; none leaves that to its plausibility.
        discarded: Whether the evidence contradicts it.
        instead: What is said of it in place of that no document states it; empty where just that is so.
    """

    draft: Draft
    score: float | None = None
    discarded: bool = False
    instead: str = ""


OptionValidator = Callable[[Draft, Material, Offered], Standing]
"""Takes what the arbiter picked for an option, and gives what stands of it.

Raises:
    DeadlinePassed: the time of the option is used up.
    ModelError: a judge cannot judge at all.
"""


def by_draft(validate: Callable[[Draft, Material], Draft]) -> OptionValidator:
    """Judges an option by its draft alone: where that is withheld, the option is as one that nothing states."""

    def validated(draft: Draft, material: Material, offered: Offered) -> Standing:
        final = validate(draft, material)
        withheld = draft.verdict is not Verdict.INSUFFICIENT and final.verdict is Verdict.INSUFFICIENT
        instead = _said("withheld", offered, why=" ".join(final.missing[:1])) if withheld else ""
        return Standing(final, instead=instead)

    return validated


def fill_link(draft: Draft, material: Material, offered: Offered, stages: GapStages = ALL_GAPS) -> Standing:
    """The draft, with what a second search finds of what it lacks: first of all what links the option to the event."""
    lacks = []
    if stages.reasoning and draft.verdict is Verdict.INSUFFICIENT:
        missing = _said("unstated", offered)
        lacks.append(Gap("link", missing, f"{named(offered.option)} {named(offered.event)}", material.asked))
    return Standing(fill_gaps(draft, material, stages, lacks))


def weigh_premise(
    draft: Draft, material: Material, offered: Offered, stages: AbductionStages = ALL_ABDUCTION
) -> Standing:
    """The draft where its evidence suffices; else the option as a premise, discarded or scored.

    Score(p) = α · plausibility(p) + β · Retrieve(p), as in `abduction`. A draft whose evidence does not suffice is told
    together with the premise that completes it, as a hypothesis, if that is worth assuming. Precedents propose
    premises, and here the premise is what is offered: that stage changes nothing.
    """
    figures = thresholds().abduction
    judges = material.bench.judges
    proof = [one for one in draft.evidence if one.stance is not Stance.CONTEXT]
    told = bool(proof) and draft.verdict is not Verdict.INSUFFICIENT
    enough = (
        sufficiency_of(material.asked.text, proof, judges.sufficiency, material.deadline)
        if told and stages.detection
        else 0.0
    )
    trace: dict[str, object] = {
        "sufficiency": enough,
        "least": figures.sufficient,
        "judges": dict(judges.fingerprints),
    }
    if told and stages.detection and enough >= figures.sufficient:
        material.recorder.add("abduction", **trace, action="the evidence suffices", answer=draft.text)
        return Standing(draft)
    if not stages.generation:
        material.recorder.add("abduction", **trace, action="nothing is assumed", answer=draft.text)
        return Standing(draft)
    premise = link_told(_within(offered.option), _within(offered.event))
    against, contradiction = _contradiction(premise, draft, material, offered)
    near = retrieved(premise, material) if stages.plausibility else 0.0
    beta = figures.offered_beta if stages.plausibility else 0.0
    score = round((1.0 - beta) * offered.plausibility + beta * near, 6)
    stands = not stages.consistency or contradiction < figures.contradicted
    if told:
        completes = stands and score >= figures.least
        action = "it completes the draft" if completes else "the draft stands without it"
        final = Standing(_completed(draft, premise, score) if completes else draft)
    elif stands or against is None:
        action, final = "it may be assumed", Standing(draft, score=score)
    else:
        action, final = "it is discarded", _discarded(draft, against, offered)
    material.recorder.add(
        "abduction",
        **trace,
        premise=premise,
        plausibility=offered.plausibility,
        retrieval=near,
        contradiction=contradiction,
        score=score,
        action=action,
        answer=final.instead or final.draft.text,
    )
    return final


def _discarded(draft: Draft, against: Evidence, offered: Offered) -> Standing:
    quote = " ".join(against.quote.split())
    said = _said("discarded", offered, place=place_of(against), quote=quote)
    return Standing(replace(draft, evidence=(*draft.evidence, against)), discarded=True, instead=said)


def _completed(draft: Draft, premise: str, score: float) -> Draft:
    return replace(
        draft,
        verdict=Verdict.HYPOTHESISED,
        text=f"{draft.text} {say('answers', 'completed', premise=premise)}",
        confidence=score,
        reasons={**draft.reasons, "instead_of": draft.text},
    )


def _contradiction(premise: str, draft: Draft, material: Material, offered: Offered) -> tuple[Evidence | None, float]:
    """The sentence that contradicts a premise most, and how surely; none where nothing was read.

    Those are asked of which have the most words of the option and the event. One that cannot be judged contradicts
    nothing: it would rule an option out.
    """
    keys = content_keys(f"{offered.option} {offered.event}")
    spans = {(one.document_id, one.start, one.end) for one in draft.evidence}
    for hit in material.read.hits:
        passage = material.read.passages[hit.id]
        for sentence in told_sentences(passage, material.quoter):
            spans.add((passage.document_id, sentence.start, sentence.end))
    quotes = [material.quoter.span(*span, Stance.CONTEXT) for span in sorted(spans)]
    quotes.sort(key=lambda one: -len(keys & content_keys(one.quote)))
    contradiction, against = 0.0, None
    for quote in quotes[: thresholds().choice.sentences]:
        material.deadline.check()
        pair = (" ".join(quote.quote.split()), premise)
        try:
            (inference,) = material.bench.judges.entailment.inferences([pair])
        except UNJUDGED:
            continue
        if inference.contradicted > contradiction:
            contradiction, against = inference.contradicted, quote
    return against, round(contradiction, 6)


def _said(entry: str, offered: Offered, **words: str) -> str:
    return say("choice", entry, option=named(offered.option), event=named(offered.event), **words)


def _within(text: str) -> str:
    """As it reads in the middle of a sentence."""
    return as_part(named(text), opened_sentence=True)
