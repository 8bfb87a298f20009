"""Chains over hypotheses that were written, where a question asks for them and nothing stated answers it.

A hypothesis never looks like a fact: such an answer is `hypothesised` at best, each assumed link is a sentence of its
own that says so, and no language model words it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from kg.records import CAUSAL_RELATIONS, Chain, Edge, Evidence, Hypothesis, Mode, Polarity, Relation, Stance, Verdict
from kg.rejections import open_hypotheses
from kg.store import Direction
from language.questions import QuestionKind
from reasoning.draft import Draft
from reasoning.findings import Findings, explore_assuming
from reasoning.graph_draft import match_of
from reasoning.hop_limit import cut_at_hops
from reasoning.links import Link, late_of, strength_of
from reasoning.material import Material
from reasoning.reliable import reliable_findings
from reasoning.synthesize import ALL_STAGES, SynthesisStages, Told, is_contested, synthesize
from reasoning.thresholds import thresholds
from reasoning.told_step import ToldStep, evidence_of, once, text_of
from reasoning.wording import late_told, say
from traversal.chains import chain_of_one
from traversal.steps import EdgeKey, edge_key

_KINDS: Final = frozenset({QuestionKind.WHY, QuestionKind.EFFECTS, QuestionKind.HOW, QuestionKind.DID})

Assumed = dict[EdgeKey, Hypothesis]
"""The hypotheses by the links that they would be."""


def over_hypotheses(chosen: Draft, lack: Draft, material: Material, stages: SynthesisStages = ALL_STAGES) -> Draft:
    """The draft where documents state it, else the best chains over hypotheses that nobody decided on, if any.

    What was only guessed gives way: a person asked for these hypotheses.

    Args:
        chosen: What the strategy came to.
        lack: What is missing for an answer from what is stated.
        material: The question, what was found and read, and its deadline.
        stages: How chains are told.

    Raises:
        StoreDamaged: a quote is not what its document says.
    """
    add = material.recorder.add
    if material.asked.kind not in _KINDS:
        add("hypotheses", used=[], action="not for a question of this kind")
        return chosen
    if _is_stated(chosen):
        add("hypotheses", used=[], action="what is stated answers it")
        return chosen
    assumed, left_out = _links(material)
    found = _found(assumed, material, stages)
    while denied := _denied(found, assumed, material):
        left_out += [assumed.pop(key).id for key in denied]
        found = _found(assumed, material, stages)
    for step, detail in found.steps:
        if step != "seeds":
            add(step, **detail)
    trace = {"followed": sorted(one.id for one in assumed.values()), "stated_or_denied": sorted(left_out)}
    told = _to_tell(found, assumed, material)
    if not told:
        add("hypotheses", **trace, used=[], action="no chain goes over one")
        return chosen
    draft = _draft(told, assumed, chosen if chosen.verdict is Verdict.INSUFFICIENT else lack, found, material, stages)
    used = [{"hypothesis": one.id, "premise": one.premise, "score": one.score} for one in draft.premises]
    narrative = [step.traced() for step in draft.steps]
    add("hypotheses", **trace, used=used, action="a chain goes over them", narrative=narrative, answer=draft.text)
    return draft


def _is_stated(draft: Draft) -> bool:
    """Whether documents state the answer, as a fact or as possible, or deny it; a guess is not stated."""
    if draft.verdict is not Verdict.HYPOTHESISED:
        return draft.verdict is not Verdict.INSUFFICIENT
    return "likely" not in draft.reasons and any(one.stance is Stance.FOR for one in draft.evidence)


def _links(material: Material) -> tuple[Assumed, list[str]]:
    """The open hypotheses by the links that they would be, of several the best; and those that are stated or denied."""
    room = material.room
    written = open_hypotheses(room.store, room.collection)
    causes = sorted({cause for _, cause, _ in written})
    edges = room.store.edges_at(
        room.collection, causes, Direction.TO_EFFECTS, CAUSAL_RELATIONS, ruled_out=None, limit_each=None
    )
    told = {(edge.cause, edge.effect) for edge in edges}
    assumed: Assumed = {}
    for one, cause, effect in sorted(written, key=lambda link: (-link[0].score, link[0].id)):
        if (cause, effect) not in told:
            assumed.setdefault((cause, effect, Relation.CAUSES.value), one)
    return assumed, [one.id for one, cause, effect in written if (cause, effect) in told]


def _edge(key: EdgeKey, one: Hypothesis) -> Edge:
    """The link as it is traversed: no claim states it, so nothing supports it."""
    cause, effect, relation = key
    return Edge(
        collection=one.collection,
        cause=cause,
        effect=effect,
        relation=Relation(relation),
        ruled_out=False,
        confidence=one.score,
        p_for=one.score,
        p_against=0.0,
        support=0,
        against=0,
        consistent=True,
        claims=(),
    )


def _found(assumed: Assumed, material: Material, stages: SynthesisStages) -> Findings:
    """What the graph holds with these links; chains without any of them are left out, as they answered nothing."""
    edges = [_edge(key, one) for key, one in sorted(assumed.items())]
    explored = explore_assuming(material.asked, material.found, edges, material.room, material.deadline)
    found = reliable_findings(material.asked, explored, material.reader, stages.least_confidence, assumed)
    over = [chain for chain in found.chains if any(edge_key(edge) in assumed for edge in chain.edges)]
    return replace(found, chains=tuple(over))


def _denied(found: Findings, assumed: Assumed, material: Material) -> list[EdgeKey]:
    """The links of chains found that like events are told against, or that the times of their events speak against."""
    keys = sorted({edge_key(edge) for chain in found.chains for edge in chain.edges} & assumed.keys())
    denied = []
    for key in keys:
        material.deadline.check()
        (link,) = material.reader.chain(chain_of_one(_edge(key, assumed[key]), found.events))
        if link.denials or link.late is not None:
            denied.append(key)
    return denied


def _to_tell(found: Findings, assumed: Assumed, material: Material) -> list[Told]:
    """The chain with the fewest assumptions, the best of them, and those that are nearly as good; none disputed."""
    figures = thresholds().graph
    told = [(chain, material.reader.chain(chain)) for chain in found.chains[: 2 * figures.chains_kept]]
    told = [(chain, links) for chain, links in told if not any(map(is_contested, links))]
    if material.asked.kind is QuestionKind.DID:
        told = [(chain, links) for chain, links in told if chain.polarity is Polarity.AFFIRMED]
    told.sort(key=lambda one: len(_used(one[0], assumed)))
    return [
        (chain, links)
        for chain, links in told[: figures.chains_told]
        if len(_used(chain, assumed)) == len(_used(told[0][0], assumed))
        and chain.score >= figures.told_share * told[0][0].score
    ]


def _used(chain: Chain, assumed: Assumed) -> list[Hypothesis]:
    return [assumed[edge_key(edge)] for edge in chain.edges if edge_key(edge) in assumed]


def _draft(
    told: Sequence[Told],
    assumed: Assumed,
    lack: Draft,
    found: Findings,
    material: Material,
    stages: SynthesisStages,
) -> Draft:
    premises = tuple({one.id: one for chain, _ in told for one in _used(chain, assumed)}.values())
    opening = "maybe_assumed" if material.asked.kind is QuestionKind.DID else "on_hypotheses"
    told_steps = {step.text: step for chain, links in told for step in _steps(chain, links, assumed, material, stages)}
    late = dict.fromkeys(late_told(one) for _, links in told for one in late_of(links))
    steps = (*told_steps.values(), *(ToldStep(one, ()) for one in late))
    best, links = told[0]
    most = thresholds().abduction.right
    return Draft(
        mode=Mode.GRAPH,
        verdict=Verdict.HYPOTHESISED,
        text=f"{say('answers', opening)} {text_of(steps)}",
        confidence=round(min(match_of(best, found) * strength_of(links), *(one.score for one in premises), most), 6),
        chains=tuple(_marked(chain, assumed) for chain, _ in told),
        evidence=_quotes((*evidence_of(steps), *lack.evidence)),
        cut_at_hops=any(cut_at_hops(material.asked, chain, found, material.room) for chain, _ in told),
        missing=(*late, *lack.missing),
        premises=premises,
        steps=steps,
        reasons={"hypotheses": [one.id for one in premises], "instead_of": lack.text},
    )


def _steps(
    chain: Chain, links: Sequence[Link], assumed: Assumed, material: Material, stages: SynthesisStages
) -> Iterator[ToldStep]:
    """The runs of stated links as the Synthesizer tells them, and between them each assumed link by itself."""
    kind, quoter = material.asked.kind, material.quoter
    runs = [tuple(run) for _, run in groupby(links, key=lambda link: assumed.get(edge_key(link.edge)))]
    for run in reversed(runs) if kind is QuestionKind.WHY else runs:
        edge = run[0].edge
        one = assumed.get(edge_key(edge))
        if one is None:
            yield from synthesize(kind, [(chain, run)], material.room, quoter, stages)
        else:
            ends = (quoter.telling(edge.cause), quoter.telling(edge.effect))
            yield ToldStep(say("answers", "hypothesis", id=one.id, premise=one.premise), once(ends))


def _quotes(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The quotes, each once; as context only what proves nothing."""
    proof = {(one.document_id, one.start, one.end) for one in evidence if one.stance is not Stance.CONTEXT}
    return once([e for e in evidence if e.stance is not Stance.CONTEXT or (e.document_id, e.start, e.end) not in proof])


def _marked(chain: Chain, assumed: Assumed) -> Chain:
    """The chain, which says of each link whether a hypothesis assumes it."""
    ids = (assumed.get(edge_key(edge)) for edge in chain.edges)
    return chain.model_copy(update={"assumed": tuple(None if one is None else one.id for one in ids)})
