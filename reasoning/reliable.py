"""Chains of reliable links alone: what no claim states reliably is taken out before anything is told.

Columbaro et al. report that spurious edges misled the summary of their causal graph, so that it scored below plain
retrieval. Here a chain is cut at a link that no claim states reliably; where nothing is left, the passages answer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import Enum, auto

from kg.records import Chain, Edge
from language.questions import Question, QuestionKind
from reasoning.evidence import Quoter
from reasoning.findings import Findings
from reasoning.links import Link, LinkReader
from reasoning.thresholds import thresholds
from reasoning.wording import say
from traversal.chains import chain_rank, part_of_chain
from traversal.steps import EdgeKey, edge_key


class _Kept(Enum):
    """Which part of a chain still tells something of what was asked."""

    TO_EFFECT = auto()
    FROM_CAUSE = auto()
    WHOLE = auto()


_PART = {QuestionKind.WHY: _Kept.TO_EFFECT, QuestionKind.EFFECTS: _Kept.FROM_CAUSE}


def reliable_findings(
    question: Question, found: Findings, reader: LinkReader, least: float, assumed: Collection[EdgeKey] = ()
) -> Findings:
    """What was found, its chains cut where no claim states a link reliably; what was left out becomes a step.

    Asked why, the part that leads to the effect stays; asked what followed, the part from the cause on. A chain that is
    to link two events stays whole or not at all.

    Args:
        question: What was asked.
        found: What the graph holds.
        reader: Gives each link the claims that are reliable enough.
        least: The bound of the reader, for the trace.
        assumed: Links that stay though no claim states them.
    """
    chains, onward, backward = (
        _reliable(chains, kept, reader, assumed)
        for chains, kept in (
            (found.chains, _PART.get(question.kind, _Kept.WHOLE)),
            (found.onward, _Kept.FROM_CAUSE),
            (found.backward, _Kept.TO_EFFECT),
        )
    )
    every = [edge for chain in (*found.chains, *found.onward, *found.backward) for edge in chain.edges]
    left_out = [link for link in reader.links(_once(every)) if not _stays(link, assumed)]
    if not left_out:
        return found
    step = {"least_confidence": least, "count": len(left_out), "left_out": [_told(link) for link in left_out]}
    return replace(
        found,
        chains=chains,
        onward=onward,
        backward=backward,
        steps=(*found.steps, ("reliability", step)),
        doubtful=tuple(link.edge for link in left_out),
    )


def doubtful_told(edges: Sequence[Edge], reader: LinkReader, quoter: Quoter) -> list[str]:
    """Where something may be said that was read too uncertainly to be told: a sentence, or none."""
    links = reader.links(edges)
    places = dict.fromkeys(quoter.place(link.doubtful[0].claim) for link in links if link.doubtful)
    told = list(places)[: thresholds().graph.quotes_a_side]
    return [say("missing", "doubtful", places=", ".join(told))] if told else []


def _stays(link: Link, assumed: Collection[EdgeKey]) -> bool:
    return link.best is not None or edge_key(link.edge) in assumed


def _reliable(
    chains: Sequence[Chain], kept: _Kept, reader: LinkReader, assumed: Collection[EdgeKey]
) -> tuple[Chain, ...]:
    """The chains and what is left of those that are cut, best first, none that is a part of another one."""
    whole, parts = [], []
    for chain in chains:
        start, stop = _span([_stays(link, assumed) for link in reader.links(chain.edges)], kept)
        if stop - start == len(chain.edges):
            whole.append(chain)
        elif start < stop:
            part = part_of_chain(chain, start, stop)
            # What is left may say the opposite: a prevention that was cut off no longer turns it round.
            if part.polarity is chain.polarity or kept is not _Kept.TO_EFFECT:
                parts.append(part)
    known = [_keys(chain) for chain in whole]
    for part in sorted(parts, key=lambda part: (-len(part.edges), chain_rank(part))):
        if not any(_keys(part) <= longer for longer in known):
            whole.append(part)
            known.append(_keys(part))
    return tuple(sorted(whole, key=chain_rank)) if len(whole) != len(chains) or parts else tuple(chains)


def _span(reliable: Sequence[bool], kept: _Kept) -> tuple[int, int]:
    """The first link that stays, and one past the last."""
    if all(reliable):
        return 0, len(reliable)
    if kept is _Kept.WHOLE:
        return 0, 0
    if kept is _Kept.FROM_CAUSE:
        return 0, reliable.index(False)
    return len(reliable) - reliable[::-1].index(False), len(reliable)


def _keys(chain: Chain) -> frozenset[EdgeKey]:
    return frozenset(map(edge_key, chain.edges))


def _once(edges: Sequence[Edge]) -> list[Edge]:
    found = {edge_key(edge): edge for edge in edges}
    return [found[key] for key in sorted(found)]


def _told(link: Link) -> dict[str, object]:
    edge = link.edge
    return {
        "cause": edge.cause,
        "effect": edge.effect,
        "relation": edge.relation.value,
        "claims": [{"id": s.claim.id, "confidence": s.claim.confidence, "quote": s.claim.quote} for s in link.doubtful],
    }
