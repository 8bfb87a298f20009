"""A draft from the graph: the best chains told in the words of their claims."""

from __future__ import annotations

from collections.abc import Sequence

from kg.records import Chain, Evidence, Mode, Stance, Verdict
from language.questions import Question, QuestionKind
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.findings import Findings
from reasoning.links import Link, LinkReader, Statement, verdict_of
from reasoning.thresholds import thresholds
from reasoning.wording import as_sentence, missing_cause, part_of, say, steps_told, why_told
from traversal.expansion import Cut


def draft_from_chains(question: Question, found: Findings, reader: LinkReader, quoter: Quoter) -> Draft | None:
    """The chains of a question why, what followed, or how; none when there is no chain to tell."""
    figures = thresholds()
    told = _to_tell(found.chains, reader)
    if not told:
        return None
    best_chain, best = told[0]
    verdict = _verdict(best)
    dissent = [s for link in best for s in link.denials]
    evidence = _evidence(question, told, quoter)
    against = [quoter.claim(s.claim, Stance.AGAINST) for s in dissent[: figures.graph.quotes_a_side]]
    ruled_out = _ruled_out(found, reader) if question.kind is QuestionKind.WHY else []
    excluded = [quoter.claim(s.claim, Stance.AGAINST) for s in ruled_out[: figures.graph.quotes_a_side]]
    confidence = _confidence(best_chain, found)
    if verdict is Verdict.CONTRADICTED:
        confidence = _match(best_chain, found) * max(link.edge.p_against for link in best)
    return Draft(
        mode=Mode.GRAPH,
        verdict=verdict,
        text=_text(question, told, verdict, evidence, against),
        confidence=round(confidence, 6),
        chains=tuple(chain for chain, _ in told[: figures.graph.chains_kept]),
        evidence=_once((*evidence, *against, *excluded)),
        missing=_missing(question, best_chain, best, found),
        reasons={
            "told": [[link.best.claim.id for link in links if link.best is not None] for _, links in told],
            "denials": [s.claim.id for s in dissent],
            "ruled_out": [s.claim.id for s in ruled_out],
            "comparable_denial": figures.verdicts.comparable_denial,
        },
    )


def _to_tell(chains: Sequence[Chain], reader: LinkReader) -> list[tuple[Chain, tuple[Link, ...]]]:
    """The chains whose every link some claim states; those stated as facts before those that are only possible."""
    figures = thresholds().graph
    read = [(chain, reader.chain(chain)) for chain in chains[: 2 * figures.chains_kept]]
    stated = [(chain, links) for chain, links in read if verdict_of(links) is not Verdict.INSUFFICIENT]
    stated.sort(key=lambda pair: verdict_of(pair[1]) is not Verdict.SUPPORTED)
    return stated[: figures.chains_kept]


def _verdict(links: Sequence[Link]) -> Verdict:
    comparable = thresholds().verdicts.comparable_denial
    if any(link.denials and link.edge.p_against >= comparable * link.edge.p_for for link in links):
        return Verdict.CONTRADICTED
    return verdict_of(links)


def _text(
    question: Question,
    told: Sequence[tuple[Chain, tuple[Link, ...]]],
    verdict: Verdict,
    evidence: Sequence[Evidence],
    against: Sequence[Evidence],
) -> str:
    figures = thresholds().graph
    best_chain, best = told[0]
    if verdict is Verdict.CONTRADICTED:
        return say(
            "answers",
            "disputed",
            for_place=place_of(evidence[0]),
            for_quote=evidence[0].quote,
            place=place_of(against[0]),
            quote=against[0].quote,
        )
    tell = why_told if question.kind is QuestionKind.WHY else steps_told
    sentences = [as_sentence(tell(best))]
    for chain, links in told[1 : figures.chains_told]:
        if chain.score >= figures.told_share * best_chain.score and verdict_of(links) is verdict_of(best):
            sentences.append(as_sentence(tell(links)))
    if against:
        sentences.append(say("answers", "dissent", place=place_of(against[0]), quote=against[0].quote))
    return " ".join(dict.fromkeys(sentences))


def _evidence(question: Question, told: Sequence[tuple[Chain, tuple[Link, ...]]], quoter: Quoter) -> list[Evidence]:
    """One quote a link, for each chain told: contested links first, then in the order of the telling."""
    quotes: list[Evidence] = []
    for chain, links in told[: thresholds().graph.chains_told]:
        if chain.score < thresholds().graph.told_share * told[0][0].score:
            break
        in_order = links[::-1] if question.kind is QuestionKind.WHY else links
        for link in sorted(in_order, key=lambda link: not link.denials):
            if link.best is not None:
                quotes.append(quoter.claim(link.best.claim, Stance.FOR))
    return quotes


def _once(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Without repeats of a quote on the same side."""
    return tuple({(e.document_id, e.start, e.end, e.stance): e for e in reversed(evidence)}.values())[::-1]


def _confidence(chain: Chain, found: Findings) -> float:
    product = _match(chain, found)
    for edge in chain.edges:
        product *= edge.confidence
    return product


def _match(chain: Chain, found: Findings) -> float:
    searches = (found.focus, found.cause) if found.cause is not None else (found.focus,)
    ends = {chain.events[0].id, chain.events[-1].id}
    matches = [seed.match for search in searches for seed in search.seeds if seed.event.id in ends]
    return min(matches, default=0.0)


def _ruled_out(found: Findings, reader: LinkReader) -> list[Statement]:
    seeds = {seed.event.id for seed in found.focus.seeds}
    edges = [edge for edge in found.ruled_out if edge.effect in seeds]
    return [link.denials[0] for link in reader.links(edges) if link.denials]


def _missing(question: Question, chain: Chain, links: Sequence[Link], found: Findings) -> tuple[str, ...]:
    if question.kind is not QuestionKind.WHY or Cut.HOPS in found.cuts:
        return ()
    root = links[0].best
    if root is None or chain.events[0].id in found.explained:
        return ()
    return (missing_cause(part_of(root.cause)),)
