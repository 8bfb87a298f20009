"""Bounded expansion from seeds, level by level, along causal edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kg.records import CAUSAL_RELATIONS, Edge
from kg.store import Direction, GraphStore, by_confidence
from traversal.deadline import Deadline
from traversal.steps import EdgeKey, edge_key, far_end, near_end


class Cut(StrEnum):
    """Why an expansion did not reach everything it could have."""

    HOPS = "hops"
    NODES = "nodes"
    FAN_OUT = "fan_out"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Budget:
    """What an expansion may use.

    Attributes:
        hops: Most links followed from a seed, one way.
        max_nodes: Most events visited, seeds included.
        fan_out: Most edges followed at one event, the most reliable first; and most denied ones told of a seed.
        floor: Least `p_for` of an edge that is followed.
    """

    hops: int
    max_nodes: int
    fan_out: int
    floor: float

    def from_one_end(self) -> Budget:
        """That of one walk which reaches as far as two walks that meet."""
        return replace(self, hops=2 * self.hops)


@dataclass(frozen=True, slots=True)
class Subgraph:
    """What was reached.

    Attributes:
        depth: For each event reached, the number of links to the nearest seed.
        edges: The causal edges between them, sorted by cause, effect and relation.
        ruled_out: Denied edges that touch a seed on the side that was followed, the most reliable, sorted likewise.
        cuts: Which bounds were met, sorted; empty when everything was reached.
    """

    depth: dict[str, int]
    edges: tuple[Edge, ...]
    ruled_out: tuple[Edge, ...]
    cuts: tuple[Cut, ...]


def expand(
    seeds: Sequence[str],
    direction: Direction,
    store: GraphStore,
    collection: str,
    budget: Budget,
    deadline: Deadline,
    assumed: Sequence[Edge] = (),
) -> Subgraph:
    """Walks from the seeds against the arrows (`TO_CAUSES`) or along them (`TO_EFFECTS`), one level at a time.

    The result depends on the set of seeds and the graph alone, whatever the order of either, except when time runs out.
    BEFORE edges, similarity and ruled-out edges are never followed.

    Args:
        seeds: Ids of the events to start from.
        direction: Which way to walk.
        store: Holds the graph.
        collection: The set of documents that is asked.
        budget: Bounds of the walk; its fan-out holds for stated and for assumed links apart.
        deadline: Ends the walk.
        assumed: Links that are no edges of the graph and are followed as if they were.
    """
    depth: dict[str, int] = {}
    edges: dict[EdgeKey, Edge] = {}
    cuts: set[Cut] = set()
    frontier = sorted(set(seeds))
    if len(frontier) > budget.max_nodes:
        cuts.add(Cut.NODES)
        frontier = frontier[: budget.max_nodes]
    depth.update(dict.fromkeys(frontier, 0))
    ruled_out: tuple[Edge, ...] = ()
    for level in range(1, budget.hops + 1):
        if not frontier or _late(deadline, cuts):
            break
        followed = _followed(frontier, direction, store, collection, budget, denied=level == 1)
        ruled_out = followed.denied or ruled_out
        if followed.hub:
            cuts.add(Cut.FAN_OUT)
        walked = [*followed.edges, *_assumed_at(frontier, direction, assumed, budget)]
        beyond = [edge for edge in walked if far_end(edge, direction) not in depth]
        room = budget.max_nodes - len(depth)
        reached = _most_reliable(beyond, direction)
        if len(reached) > room:
            cuts.add(Cut.NODES)
            reached = reached[:room]
        depth.update(dict.fromkeys(reached, level))
        edges.update((edge_key(edge), edge) for edge in walked if far_end(edge, direction) in depth)
        frontier = sorted(reached)
    if frontier and not _late(deadline, cuts):
        back = store.edges_back(
            collection, frontier, direction, CAUSAL_RELATIONS, budget.floor, budget.fan_out, sorted(depth)
        )
        last = _assumed_at(frontier, direction, assumed, budget)
        inside = [edge for edge in last if far_end(edge, direction) in depth]
        edges.update((edge_key(edge), edge) for edge in (*back.edges, *inside))
        leads_on = back.leads_on or len(inside) < len(last)
        cuts.update(cut for cut, met in ((Cut.HOPS, leads_on), (Cut.FAN_OUT, back.more)) if met)
    return Subgraph(
        depth=depth,
        edges=tuple(edges[key] for key in sorted(edges)),
        ruled_out=ruled_out,
        cuts=tuple(sorted(cuts)),
    )


def meet(
    causes: Sequence[str],
    effects: Sequence[str],
    store: GraphStore,
    collection: str,
    budget: Budget,
    deadline: Deadline,
    assumed: Sequence[Edge] = (),
) -> tuple[Subgraph, Subgraph]:
    """Walks forward from the causes and backward from the effects; each side has all hops and half of the nodes.

    The other arguments are those of `expand`.

    Returns:
        What the causes reach, and what reaches the effects. A chain between them lies in the union of the two.
    """
    half = Budget(budget.hops, max(2, budget.max_nodes // 2), budget.fan_out, budget.floor)
    return (
        expand(causes, Direction.TO_EFFECTS, store, collection, half, deadline, assumed),
        expand(effects, Direction.TO_CAUSES, store, collection, half, deadline, assumed),
    )


def joined(parts: Iterable[Subgraph]) -> Subgraph:
    """Several expansions as one; an event has its least depth."""
    depth: dict[str, int] = {}
    edges: dict[EdgeKey, Edge] = {}
    ruled_out: dict[EdgeKey, Edge] = {}
    cuts: set[Cut] = set()
    for part in parts:
        for event, level in part.depth.items():
            depth[event] = min(level, depth.get(event, level))
        edges.update((edge_key(edge), edge) for edge in part.edges)
        ruled_out.update((edge_key(edge), edge) for edge in part.ruled_out)
        cuts.update(part.cuts)
    return Subgraph(
        depth=depth,
        edges=tuple(edges[key] for key in sorted(edges)),
        ruled_out=tuple(ruled_out[key] for key in sorted(ruled_out)),
        cuts=tuple(sorted(cuts)),
    )


@dataclass(frozen=True, slots=True)
class _Followed:
    """What was found from one level.

    Attributes:
        edges: Those that are followed.
        denied: Those ruled out, sorted.
        hub: Whether an event had more than the fan-out allows.
    """

    edges: list[Edge]
    denied: tuple[Edge, ...]
    hub: bool


def _late(deadline: Deadline, cuts: set[Cut]) -> bool:
    if deadline.passed():
        cuts.add(Cut.TIME)
    return Cut.TIME in cuts


def _followed(
    frontier: Sequence[str], direction: Direction, store: GraphStore, collection: str, budget: Budget, *, denied: bool
) -> _Followed:
    """The edges followed from a level, by one question to the store.

    Args:
        denied: Ask for the edges that are ruled out too.
    """
    level = store.edges_at(
        collection,
        frontier,
        direction,
        CAUSAL_RELATIONS,
        floor=budget.floor,
        ruled_out=None if denied else False,
        limit_each=budget.fan_out + 1,
    )
    groups: dict[tuple[bool, str], list[Edge]] = defaultdict(list)
    for edge in level:
        groups[edge.ruled_out, near_end(edge, direction)].append(edge)
    kept = [edge for group in groups.values() for edge in sorted(group, key=by_confidence)[: budget.fan_out]]
    return _Followed(
        edges=[edge for edge in kept if not edge.ruled_out],
        denied=tuple(sorted((edge for edge in kept if edge.ruled_out), key=edge_key)),
        hub=any(len(group) > budget.fan_out for group in groups.values()),
    )


def _assumed_at(frontier: Sequence[str], direction: Direction, assumed: Sequence[Edge], budget: Budget) -> list[Edge]:
    """The assumed links at a level, as many at one event as the fan-out allows, the most reliable first."""
    groups: dict[str, list[Edge]] = {event: [] for event in frontier}
    for edge in sorted(assumed, key=by_confidence):
        if edge.p_for >= budget.floor:
            groups.get(near_end(edge, direction), []).append(edge)
    return [edge for group in groups.values() for edge in group[: budget.fan_out]]


def _most_reliable(edges: Sequence[Edge], direction: Direction) -> list[str]:
    """The events at the far ends, the one with the most reliable edge first, so that a cut drops the least reliable."""
    return list(dict.fromkeys(far_end(edge, direction) for edge in sorted(edges, key=by_confidence)))
