"""A draft from the graph: the best chains told in the words of their claims."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from kg.records import Chain, Evidence, Mode, Stance, Verdict
from language.questions import Question, QuestionKind
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.findings import Findings
from reasoning.hop_limit import cut_at_hops
from reasoning.links import Link, LinkReader, verdict_of
from reasoning.room import Room
from reasoning.ruled_out import ruled_out_causes, ruled_out_told
from reasoning.thresholds import thresholds
from reasoning.wording import as_sentence, cut_told, missing_cause, part_of, say, steps_told, why_told
from traversal.expansion import Cut

Told = tuple[Chain, tuple[Link, ...]]


def draft_from_chains(
    question: Question, found: Findings, room: Room, reader: LinkReader, quoter: Quoter
) -> Draft | None:
    """The chains of a question why, what followed, or how; none when there is no chain to tell."""
    figures = thresholds()
    ranked = _to_tell(found.chains, reader)
    if not ranked:
        return None
    best_chain, best = ranked[0]
    contested = _contested(best)
    told = _told_together(ranked)
    dissent = [s.claim for link in best for s in link.denials][: figures.graph.quotes_a_side]
    against = [quoter.claim(claim, Stance.AGAINST) for claim in dissent]
    excluded = ruled_out_causes(found, reader) if question.kind is QuestionKind.WHY else []
    excluded = [statement for statement in excluded if statement.claim not in dissent]
    quotes = _evidence(question, told, quoter)
    match = _match(best_chain, found)
    strength = max(link.p_against for link in best) if contested else prod(e.confidence for e in best_chain.edges)
    sentences = [_disputed(quotes[0], against[0])] if contested else _sentences(question, told, against)
    return Draft(
        mode=Mode.GRAPH,
        verdict=Verdict.CONTRADICTED if contested else verdict_of(best),
        text=" ".join((*sentences, *(ruled_out_told(denial, quoter) for denial in excluded))),
        confidence=round(match * strength, 6),
        chains=tuple(chain for chain, _ in ranked),
        evidence=_once((*quotes, *against, *(quoter.claim(s.claim, Stance.AGAINST) for s in excluded))),
        cut_at_hops=any(cut_at_hops(question, chain, found, room) for chain, _ in told),
        missing=_missing(question, best_chain, best, found),
        reasons={
            "told": [[link.best.claim.id for link in links if link.best is not None] for _, links in told],
            "denials": [claim.id for claim in dissent],
            "ruled_out": [s.claim.id for s in excluded],
            "comparable_denial": figures.verdicts.comparable_denial,
        },
    )


def _to_tell(chains: Sequence[Chain], reader: LinkReader) -> list[Told]:
    """The chains whose every link some claim states: facts before possibilities, undisputed before disputed."""
    figures = thresholds().graph
    read = [(chain, reader.chain(chain)) for chain in chains[: 2 * figures.chains_kept]]
    stated = [(chain, links) for chain, links in read if verdict_of(links) is not Verdict.INSUFFICIENT]
    stated.sort(key=lambda pair: (verdict_of(pair[1]) is not Verdict.SUPPORTED, _contested(pair[1])))
    return stated[: figures.chains_kept]


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


def _contested(links: Sequence[Link]) -> bool:
    """Whether a denial of a link is comparably strong."""
    comparable = thresholds().verdicts.comparable_denial
    return any(link.denials and link.p_against >= comparable * link.edge.p_for for link in links)


def _disputed(quote: Evidence, denial: Evidence) -> str:
    return say(
        "answers",
        "disputed",
        for_place=place_of(quote),
        for_quote=quote.quote,
        place=place_of(denial),
        quote=denial.quote,
    )


def _sentences(question: Question, told: Sequence[Told], against: Sequence[Evidence]) -> list[str]:
    tell = why_told if question.kind is QuestionKind.WHY else steps_told
    sentences = [as_sentence(tell(links)) for _, links in told]
    if against:
        sentences.append(say("answers", "dissent", place=place_of(against[0]), quote=against[0].quote))
    return list(dict.fromkeys(sentences))


def _evidence(question: Question, told: Sequence[Told], quoter: Quoter) -> list[Evidence]:
    """One quote a link, for each chain told: contested links first, then in the order of the telling."""
    quotes: list[Evidence] = []
    for _, links in told:
        in_order = links[::-1] if question.kind is QuestionKind.WHY else links
        for link in sorted(in_order, key=lambda link: not link.denials):
            if link.best is not None:
                quotes.append(quoter.claim(link.best.claim, Stance.FOR))
    return quotes


def _once(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Without repeats of a quote on the same side."""
    return tuple({(e.document_id, e.start, e.end, e.stance): e for e in reversed(evidence)}.values())[::-1]


def _match(chain: Chain, found: Findings) -> float:
    searches = (found.focus, found.cause) if found.cause is not None else (found.focus,)
    ends = {chain.events[0].id, chain.events[-1].id}
    matches = [seed.match for search in searches for seed in search.seeds if seed.event.id in ends]
    return min(matches, default=0.0)


def _missing(question: Question, chain: Chain, links: Sequence[Link], found: Findings) -> tuple[str, ...]:
    """The first cause that nothing explains, and the bounds that kept other chains from being found."""
    missing = []
    root = links[0].best
    asks_why = question.kind is QuestionKind.WHY and not found.cuts
    if asks_why and root is not None and chain.events[0].id not in found.explained:
        missing.append(missing_cause(part_of(root.cause)))
    met = [cut for cut in found.cuts if cut is not Cut.HOPS]
    if met:
        missing.append(cut_told(met))
    return tuple(missing)
