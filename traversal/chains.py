"""Chains out of a subgraph: simple paths of causal edges, cause first, ranked, near-copies collapsed."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, fsum, log

from kg.records import Chain, Edge, Event, Polarity, Relation
from kg.store import Direction
from traversal.likeness import nearly_equal
from traversal.steps import EdgeKey, edge_key, far_end, near_end
from traversal.thresholds import ChainThresholds, thresholds


@dataclass(frozen=True, slots=True)
class Enumeration:
    """Chains that were found.

    Attributes:
        chains: Best first, near-copies collapsed.
        found: Number of chains before they were collapsed.
        capped: True when the cap on partial paths ended the search before all were seen.
    """

    chains: tuple[Chain, ...]
    found: int
    capped: bool


def chain_polarity(edges: Sequence[Edge]) -> Polarity:
    """`negated` when an odd number of links prevent: what prevents a prevention lets happen."""
    prevents = sum(edge.relation is Relation.PREVENTS for edge in edges)
    return Polarity.NEGATED if prevents % 2 else Polarity.AFFIRMED


def build_chains(
    edges: Sequence[Edge],
    events: Mapping[str, Event],
    starts: Mapping[str, float],
    direction: Direction,
    max_links: int,
    figures: ChainThresholds,
    ends: Mapping[str, float] | None = None,
    polarities: Mapping[str, Polarity] | None = None,
) -> Enumeration:
    """All simple paths from the starts, followed one way, the most reliable first, until the cap.

    The result does not depend on the order of the edges. Equal scores are ordered by the ids along the chain.

    Args:
        edges: Causal edges that are not ruled out.
        events: The events at both ends of every edge.
        starts: Seeds with their match, 0 to 1; with `TO_CAUSES` they are the last events of the chains.
        direction: `TO_CAUSES` walks against the arrows; chains are told cause first all the same.
        max_links: Most links of a chain.
        figures: The table of this room.
        ends: When given, only chains that end there are kept; with their match.
        polarities: When given, only chains of the polarity that stands at their start are kept.
    """
    links: dict[str, list[Edge]] = defaultdict(list)
    for edge in sorted(edges, key=edge_key):
        links[near_end(edge, direction)].append(edge)
    to_go = _links_to_go(edges, direction, ends) if ends is not None else None

    # Paths of the same events differ in their relations; edges have no order of their own.
    heap: list[tuple[float, tuple[str, ...], tuple[str, ...], tuple[Edge, ...]]] = []
    for start in sorted(starts):
        heapq.heappush(heap, (-starts[start], (start,), (), ()))
    found: list[Chain] = []
    extended = 0
    while heap and extended < figures.cap:
        _, path, relations, walked = heapq.heappop(heap)
        extended += 1
        if walked and (ends is None or path[-1] in ends):
            if polarities is None or polarities[path[0]] is chain_polarity(walked):
                relevance = starts[path[0]] if ends is None else (starts[path[0]] * ends[path[-1]]) ** 0.5
                found.append(_chain(walked, events, direction, relevance, figures))
            if ends is not None:
                continue
        if len(walked) == max_links:
            continue
        for edge in links[path[-1]]:
            far = far_end(edge, direction)
            if far in path or (to_go is not None and to_go.get(far, max_links) > max_links - len(walked) - 1):
                continue
            longer = (*walked, edge)
            rank = starts[path[0]] * _reliability(longer) * figures.link_factor ** (len(longer) - 1)
            heapq.heappush(heap, (-rank, (*path, far), (*relations, edge.relation.value), longer))
    ranked = sorted(found, key=chain_rank)
    return Enumeration(chains=_collapsed(ranked, figures), found=len(found), capped=bool(heap))


def part_of_chain(chain: Chain, start: int, stop: int) -> Chain:
    """Some links of a chain, scored as if they had been found by themselves.

    Args:
        chain: The whole.
        start: Place of the first link that stays, 0-based.
        stop: One past the place of the last one.
    """
    figures = thresholds().chains
    events = {event.id: event for event in chain.events}
    whole = _chain(chain.edges, events, Direction.TO_EFFECTS, 1.0, figures).score
    relevance = min(1.0, chain.score / whole) if whole else 0.0
    return _chain(chain.edges[start:stop], events, Direction.TO_EFFECTS, relevance, figures)


def chain_of_one(edge: Edge, events: Mapping[str, Event]) -> Chain:
    """A link as a chain of its own, scored by its reliability alone."""
    return _chain((edge,), events, Direction.TO_EFFECTS, 1.0, thresholds().chains)


def _chain(
    walked: tuple[Edge, ...],
    events: Mapping[str, Event],
    direction: Direction,
    relevance: float,
    figures: ChainThresholds,
) -> Chain:
    path = walked[::-1] if direction is Direction.TO_CAUSES else walked
    along = (events[path[0].cause], *(events[edge.effect] for edge in path))
    score = relevance * _reliability(path) * figures.link_factor ** (len(path) - 1)
    score *= figures.inconsistent_factor ** _contradictions_in_time(path, along)
    starts = [event.time_start for event in along if event.time_start is not None]
    ends = [event.time_end for event in along if event.time_end is not None]
    return Chain(
        edges=path,
        events=along,
        score=round(score, 6),
        valid_from=min(starts, default=None),
        valid_to=max(ends, default=None),
        polarity=chain_polarity(path),
    )


def _reliability(edges: Sequence[Edge]) -> float:
    """Geometric mean of the confidences, so that a long chain of good links is not below a short doubtful one."""
    if any(edge.confidence == 0 for edge in edges):
        return 0.0
    return exp(fsum(log(edge.confidence) for edge in edges) / len(edges))


def _contradictions_in_time(path: Sequence[Edge], along: Sequence[Event]) -> int:
    """Links that are inconsistent in themselves, and dated events that begin after a later one has ended."""
    count = sum(not edge.consistent for edge in path)
    dated = [(place, event) for place, event in enumerate(along) if event.time_start and event.time_end]
    for (place, earlier), (next_place, later) in pairwise(dated):
        apart = next_place - place > 1
        count += apart and str(earlier.time_start) >= str(later.time_end)
    return count


def _links_to_go(edges: Sequence[Edge], direction: Direction, ends: Mapping[str, float]) -> dict[str, int]:
    """For each event the least number of links to one of the ends, so that nothing is extended that cannot arrive."""
    back: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        back[far_end(edge, direction)].append(near_end(edge, direction))
    distance = dict.fromkeys(ends, 0)
    frontier = list(ends)
    while frontier:
        beyond = []
        for event in frontier:
            for before in back[event]:
                if before not in distance:
                    distance[before] = distance[event] + 1
                    beyond.append(before)
        frontier = beyond
    return distance


def _collapsed(ranked: Sequence[Chain], figures: ChainThresholds) -> tuple[Chain, ...]:
    """The best chains, without what says again what a better or longer one says."""
    considered = [_Path(chain, tuple(edge_key(edge) for edge in chain.edges)) for chain in ranked[: figures.considered]]
    by_edge: dict[EdgeKey, list[_Path]] = defaultdict(list)
    for path in considered:
        for key in path.keys:
            by_edge[key].append(path)
    kept: list[_Path] = []
    for path in considered:
        if len(kept) == figures.kept:
            break
        told_longer = any(
            len(other.keys) > len(path.keys)
            and other.chain.score >= figures.containment * path.chain.score
            and _contains(other.keys, path.keys)
            for other in by_edge[path.keys[0]]
        )
        if not told_longer and not any(_repeats(other, path, figures) for other in kept):
            kept.append(path)
    return tuple(path.chain for path in kept)


@dataclass(frozen=True, slots=True)
class _Path:
    chain: Chain
    keys: tuple[EdgeKey, ...]


def _repeats(kept: _Path, path: _Path, figures: ChainThresholds) -> bool:
    """Whether a chain says nothing that a better one does not say."""
    if _contains(path.keys, kept.keys) or _contains(kept.keys, path.keys):
        return True
    first, second = kept.chain.events, path.chain.events
    if first[0].id == second[0].id and first[-1].id == second[-1].id:
        ours, theirs = {event.id for event in first}, {event.id for event in second}
        if len(ours & theirs) > figures.same_route * len(ours | theirs):
            return True
    return len(first) == len(second) and all(
        nearly_equal(one, other, figures.near_copy) for one, other in zip(first, second, strict=True)
    )


def _contains(longer: Sequence[EdgeKey], shorter: Sequence[EdgeKey]) -> bool:
    """Whether the shorter run of edges stands whole in the longer one."""
    return any(longer[at : at + len(shorter)] == shorter for at in range(len(longer) - len(shorter) + 1))


def chain_rank(chain: Chain) -> tuple[float, tuple[EdgeKey, ...]]:
    """Sorts the best chain first, equal ones by their ids."""
    return -chain.score, tuple(edge_key(edge) for edge in chain.edges)
