"""A draft from the graph: the best chains, as the Synthesizer tells them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.records import CAUSAL_RELATIONS, Chain, Mention, Mode, Relation, Stance, Verdict
from kg.store import Direction
from language.beside import Beside, holds_own_cause
from language.kinds import is_event_noun, kind_names
from language.phrases import is_clause
from language.questions import Question, QuestionKind
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.findings import Findings
from reasoning.hop_limit import cut_at_hops
from reasoning.links import Link, LinkReader, Statement, is_late, late_of, strength_of, verdict_of
from reasoning.reliable import doubtful_told
from reasoning.room import Room
from reasoning.ruled_out import ruled_out_causes, ruled_out_told
from reasoning.synthesize import ALL_STAGES, SynthesisStages, Told, is_contested, synthesize
from reasoning.thresholds import thresholds
from reasoning.told_nearby import named_nearby, told_nearby
from reasoning.told_step import ToldStep, evidence_of, once, text_of
from reasoning.wording import cut_told, late_told, may_be_told, missing_cause, part_of
from traversal.chains import chain_of_one, part_of_chain
from traversal.expansion import Cut
from traversal.steps import EdgeKey, edge_key, far_end

_Keys = tuple[EdgeKey, ...]


def draft_from_chains(
    question: Question,
    found: Findings,
    room: Room,
    reader: LinkReader,
    quoter: Quoter,
    stages: SynthesisStages = ALL_STAGES,
) -> Draft | None:
    """The chains of a question why, what followed, or how; none when there is no chain to tell."""
    figures = thresholds()
    ranked, cut_off = _to_tell(question, found.chains, reader)
    if not ranked:
        return None
    best_chain, best = ranked[0]
    contested = _contested(best)
    told = _told_together(ranked)
    dispute = cut_off.get(_keys(best_chain)) or _dispute_behind(question, best_chain, found, room, reader)
    narrated = told if contested else [*told, *dispute]
    links = {edge_key(link.edge): link for _, links in narrated for link in links}.values()
    against = dict.fromkeys(s.claim for link in links for s in link.denials)
    dissent = list(against)[: figures.graph.quotes_a_side]
    excluded = ruled_out_causes(found, reader) if question.kind is QuestionKind.WHY else []
    excluded = [one for one in excluded if one.denial.claim not in against]
    steps = synthesize(question.kind, narrated, room, quoter, stages)
    late = list(dict.fromkeys(late_told(one) for _, links in narrated for one in late_of(links)))
    beside = [ToldStep(one, ()) for one in late]
    beside += [ToldStep(ruled_out_told(one, quoter), one.evidence(quoter)) for one in excluded]
    more = (quoter.claim(claim, Stance.AGAINST) for claim in dissent)
    strength = max(link.p_against for link in best) if contested else strength_of(best)
    return Draft(
        mode=Mode.GRAPH,
        verdict=Verdict.CONTRADICTED if contested else verdict_of(best),
        text=text_of((*steps, *beside)),
        confidence=round(match_of(best_chain, found) * strength, 6),
        chains=tuple(chain for chain, _ in ranked),
        evidence=once((*evidence_of(steps), *more, *evidence_of(beside))),
        late=not contested and is_late(best_chain, best, question.effect_time),
        cut_at_hops=any(cut_at_hops(question, chain, found, room) for chain, _ in told),
        missing=(*late, *_missing(question, best_chain, best, found, room, reader, quoter)),
        steps=(*steps, *beside),
        reasons={
            "told": [[link.best.claim.id for link in links if link.best is not None] for _, links in told],
            "denials": [claim.id for claim in dissent],
            "ruled_out": [one.denial.claim.id for one in excluded],
            "comparable_denial": figures.verdicts.comparable_denial,
            "least_confidence": stages.least_confidence,
        },
    )


def _to_tell(
    question: Question, chains: Sequence[Chain], reader: LinkReader
) -> tuple[list[Told], dict[_Keys, list[Told]]]:
    """The chains whose every link some claim states: facts before possibilities, undisputed before disputed.

    Each is told as far as nobody disputes it; the disputed link that it would go on with is given by the links told.
    """
    figures = thresholds().graph
    read: list[Told] = []
    cut_off: dict[_Keys, list[Told]] = {}
    for whole in chains[: 2 * figures.chains_kept]:
        chain, links, behind = _undisputed(question, whole, reader.chain(whole, question.effect_time))
        if all(_keys(chain) != _keys(other) for other, _ in read):
            read.append((chain, links))
            cut_off[_keys(chain)] = behind
    stated = [(chain, links) for chain, links in read if verdict_of(links) is not Verdict.INSUFFICIENT]
    stated.sort(key=lambda pair: (verdict_of(pair[1]) is not Verdict.SUPPORTED, _contested(pair[1])))
    return stated[: figures.chains_kept], cut_off


def _undisputed(
    question: Question, chain: Chain, links: tuple[Link, ...]
) -> tuple[Chain, tuple[Link, ...], list[Told]]:
    """A chain from what was asked about up to the first disputed link, and that link; else the whole chain."""
    disputed = [place for place, link in enumerate(links) if is_contested(link)]
    if question.kind is QuestionKind.WHY and disputed and disputed[-1] < len(links) - 1:
        place, start, stop = disputed[-1], disputed[-1] + 1, len(links)
    elif question.kind is QuestionKind.EFFECTS and disputed and disputed[0] > 0:
        place, start, stop = disputed[0], 0, disputed[0]
    else:
        return chain, links, []
    behind = part_of_chain(chain, place, place + 1), links[place : place + 1]
    stated = [behind] if behind[1][0].best is not None else []
    return part_of_chain(chain, start, stop), links[start:stop], stated


def _keys(chain: Chain) -> _Keys:
    return tuple(map(edge_key, chain.edges))


def _told_together(ranked: Sequence[Told]) -> list[Told]:
    """The best chain, and those that are nearly as good and as certain."""
    figures = thresholds().graph
    best_chain, best = ranked[0]
    beside = [
        (chain, links)
        for chain, links in ranked[1:]
        if chain.score >= figures.told_share * best_chain.score
        and verdict_of(links) is verdict_of(best)
        and not _contested(links)
        and not _contested(best)
    ]
    return [ranked[0], *beside][: figures.chains_told]


def _dispute_behind(question: Question, chain: Chain, found: Findings, room: Room, reader: LinkReader) -> list[Told]:
    """The link by which the documents would lead on from the best chain if they did not contradict each other there.

    A contested link makes the longer chain so weak that the shorter one is told; what is disputed is told all the same.
    """
    if question.kind not in {QuestionKind.WHY, QuestionKind.EFFECTS}:
        return []
    forward = question.kind is QuestionKind.EFFECTS
    direction = Direction.TO_EFFECTS if forward else Direction.TO_CAUSES
    edges = room.store.edges_at(
        room.collection,
        [chain.events[-1 if forward else 0].id],
        direction,
        tuple(relation for relation in CAUSAL_RELATIONS if relation is not Relation.PREVENTS),
        floor=room.settings.reliability_floor,
        limit_each=room.settings.max_nodes,
    )
    for edge in edges:
        far = found.events.get(far_end(edge, direction))
        if edge.against and far is not None and far not in chain.events:
            behind = chain_of_one(edge, found.events)
            links = reader.chain(behind)
            if links[0].best is not None and is_contested(links[0]):
                return [(behind, links)]
    return []


def _contested(links: Sequence[Link]) -> bool:
    return any(map(is_contested, links))


def match_of(chain: Chain, found: Findings) -> float:
    """How surely the ends of a chain are what was asked about, 0 to 1."""
    searches = (found.focus, found.cause) if found.cause is not None else (found.focus,)
    ends = {chain.events[0].id, chain.events[-1].id}
    matches = [seed.match for search in searches for seed in search.seeds if seed.event.id in ends]
    return min(matches, default=0.0)


def _is_happening(told: Mention, words: str) -> bool:
    """Whether a cause is a happening, which has a cause of its own, and no thing ("because of a cow")."""
    return is_clause(words) or is_event_noun(told.lemma) or told.kind in kind_names()


def _cause_of_root(words: str, root: Statement, link: Link, room: Room, quoter: Quoter) -> Iterator[str]:
    """That no document says why the first cause came, or the sentence near by in which that may be said."""
    at = quoter.claim(root.claim, Stance.CONTEXT)
    near = told_nearby(words, at, room, quoter, forward=False, itself=False)
    if near is not None:
        yield may_be_told(words, place_of(near), near.quote, forward=False)
        return
    if not link.stated_as_fact or not _is_happening(root.cause, words) or holds_own_cause(words):
        return
    named, beside = named_nearby(words, at, room, quoter, forward=False, itself=False)
    if named is Beside.CAUSE:
        yield may_be_told(words, place_of(beside), beside.quote, forward=False)
    elif named is Beside.NOTHING:
        yield missing_cause(words)


def _missing(
    question: Question,
    chain: Chain,
    links: Sequence[Link],
    found: Findings,
    room: Room,
    reader: LinkReader,
    quoter: Quoter,
) -> tuple[str, ...]:
    """The first cause that nothing explains, what was read too uncertainly, and the bounds that ended the search."""
    missing: list[str] = []
    root = links[0].best
    asks_why = question.kind is QuestionKind.WHY and not found.cuts
    if asks_why and root is not None and chain.events[0].id not in found.explained:
        words = part_of(root.cause, root.claim)
        missing += _cause_of_root(words, root, links[0], room, quoter)
    if question.kind is QuestionKind.WHY:
        missing += doubtful_told([e for e in found.doubtful if e.effect == chain.events[0].id], reader, quoter)
    elif question.kind is QuestionKind.EFFECTS:
        missing += doubtful_told([e for e in found.doubtful if e.cause == chain.events[-1].id], reader, quoter)
    met = [cut for cut in found.cuts if cut is not Cut.HOPS]
    if met:
        missing.append(cut_told(met))
    return tuple(missing)
