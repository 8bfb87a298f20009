"""A draft from the graph for "did A cause B?": what asserts the link, what denies it, and the chains between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kg.records import Chain, Claim, Edge, Evidence, Modality, Mode, Polarity, Relation, Stance, Verdict
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.findings import Findings
from reasoning.links import Link, LinkReader, is_late, late_of, strength_of, verdict_of
from reasoning.thresholds import thresholds
from reasoning.wording import as_sentence, late_told, say, why_told


def draft_of_link(found: Findings, reader: LinkReader, quoter: Quoter) -> Draft | None:
    """Whether the cause led to the effect; none when nothing links them and nothing denies it.

    Direct statements about the two come first. A prevention is a denial: what prevents a thing does not cause it.
    """
    direct = reader.links(found.direct)
    assertions = [
        (link.edge, s.claim) for link in direct if link.edge.relation is not Relation.PREVENTS for s in link.assertions
    ]
    denials = [
        (link.edge, s.claim) for link in direct if link.edge.relation is not Relation.PREVENTS for s in link.denials
    ]
    denials += [
        (link.edge, s.claim)
        for link in direct
        if link.edge.relation is Relation.PREVENTS
        for s in link.assertions
        if s.claim.modality is Modality.ACTUAL
    ]
    p_for = max((edge.p_for for edge, _ in assertions), default=0.0)
    p_against = max((_weight_against(edge) for edge, _ in denials), default=0.0)
    match = _match(found)
    figures = thresholds()
    reasons: dict[str, object] = {
        "p_for": p_for,
        "p_against": p_against,
        "direct_denial": figures.verdicts.direct_denial,
        "assertions": [claim.id for _, claim in assertions],
        "denials": [claim.id for _, claim in denials],
    }
    if denials and p_against >= figures.verdicts.direct_denial * p_for:
        return _contradicted(assertions, denials, match, p_against, quoter, reasons)
    if found.chains:
        return _connected(found, reader, quoter, match, denials, reasons)
    return None


def _contradicted(
    assertions: Sequence[tuple[Edge, Claim]],
    denials: Sequence[tuple[Edge, Claim]],
    match: float,
    p_against: float,
    quoter: Quoter,
    reasons: dict[str, object],
) -> Draft:
    pro = _quotes(assertions, Stance.FOR, quoter)
    con = _quotes(denials, Stance.AGAINST, quoter)
    words = {"place": place_of(con[0]), "quote": con[0].quote}
    if not pro:
        text = say("answers", "no", **words)
    else:
        fact = any(claim.modality is Modality.ACTUAL for _, claim in assertions)
        entry = "disputed" if fact else "suspected"
        text = say("answers", entry, for_place=place_of(pro[0]), for_quote=pro[0].quote, **words)
    return Draft(
        mode=Mode.GRAPH,
        verdict=Verdict.CONTRADICTED,
        text=text,
        confidence=round(match * p_against, 6),
        evidence=(*pro, *con),
        reasons=reasons,
    )


def _connected(
    found: Findings,
    reader: LinkReader,
    quoter: Quoter,
    match: float,
    denials: Sequence[tuple[Edge, Claim]],
    reasons: dict[str, object],
) -> Draft | None:
    told = _best(found.chains, reader)
    if told is None:
        return None
    chain, links = told
    con = _quotes(denials, Stance.AGAINST, quoter)
    pro = [quoter.claim(link.best.claim, Stance.FOR) for link in links if link.best is not None]
    confidence = round(match * strength_of(links), 6)
    common: dict[str, Any] = {"confidence": confidence, "chains": (chain,), "reasons": reasons}
    if chain.polarity is Polarity.NEGATED:
        against = [quote.model_copy(update={"stance": Stance.AGAINST}) for quote in pro]
        text = say("answers", "no", place=place_of(against[-1]), quote=against[-1].quote)
        return Draft(mode=Mode.GRAPH, verdict=Verdict.CONTRADICTED, text=text, evidence=(*against, *con), **common)
    contested = [link for link in links if link.denials and _comparable(link)]
    if contested:
        con += [quoter.claim(link.denials[0].claim, Stance.AGAINST) for link in contested]
        shown = quoter.claim(contested[0].assertions[0].claim, Stance.FOR)
        text = say(
            "answers",
            "disputed",
            for_place=place_of(shown),
            for_quote=shown.quote,
            place=place_of(con[-1]),
            quote=con[-1].quote,
        )
        return Draft(mode=Mode.GRAPH, verdict=Verdict.CONTRADICTED, text=text, evidence=(*pro, *con), **common)
    verdict = verdict_of(links)
    late = tuple(late_told(one) for one in late_of(links))
    entry = "yes" if verdict is Verdict.SUPPORTED else "late" if _dates_alone_doubt(links) else "maybe"
    text = " ".join((say("answers", entry, telling=as_sentence(why_told(links))), *late))
    if con:
        text += " " + say("answers", "dissent", place=place_of(con[0]), quote=con[0].quote)
    common |= {"late": is_late(chain, links), "missing": late}
    return Draft(mode=Mode.GRAPH, verdict=verdict, text=text, evidence=(*pro, *con), **common)


def _dates_alone_doubt(links: Sequence[Link]) -> bool:
    return all(link.stated_as_fact for link in links)


def _best(chains: Sequence[Chain], reader: LinkReader) -> tuple[Chain, tuple[Link, ...]] | None:
    """The best chain stated as a fact; else the best one that is stated at all."""
    read = [(chain, reader.chain(chain)) for chain in chains[: thresholds().graph.chains_kept]]
    for wanted in (Verdict.SUPPORTED, Verdict.HYPOTHESISED):
        for chain, links in read:
            if verdict_of(links) is wanted:
                return chain, links
    return None


def _comparable(link: Link) -> bool:
    return link.p_against >= thresholds().verdicts.comparable_denial * link.edge.p_for


def _weight_against(edge: Edge) -> float:
    return edge.p_for if edge.relation is Relation.PREVENTS else edge.p_against


def _quotes(statements: Sequence[tuple[Edge, Claim]], stance: Stance, quoter: Quoter) -> list[Evidence]:
    ranked = sorted((claim for _, claim in statements), key=lambda claim: (-claim.confidence, claim.id))
    quotes = {(c.document_id, c.start, c.end): c for c in reversed(ranked)}
    best = sorted(quotes.values(), key=lambda claim: (-claim.confidence, claim.id))
    return [quoter.claim(claim, stance) for claim in best[: thresholds().graph.quotes_a_side]]


def _match(found: Findings) -> float:
    searches = (found.focus, found.cause) if found.cause is not None else (found.focus,)
    return min((search.seeds[0].match if search.seeds else 0.0) for search in searches)
