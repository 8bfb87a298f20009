"""What of the graph hangs on an event or a link: what would lose every cause that is told, and what would keep one.

An event that several causes are told of counts as held by each of them: the documents seldom say which of them were
needed together. That is the reading of a truth-maintenance system (Doyle 1979): what is told stands while one of its
justifications stands, and what only holds itself up in a circle does not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import networkx as nx

from kg.records import Edge, Relation
from kg.store import Direction, GraphStore
from traversal.deadline import Deadline
from traversal.expansion import Budget, Cut, expand
from traversal.steps import EdgeKey, edge_key

HOLDING: Final = (Relation.CAUSES, Relation.ENABLES)
"""The relations by which one event holds another up."""
_LINK: Final = 1_000_000
"""Weight of a link in a cut, beside which that of its reliability is small: a cut has the fewest links first."""
_RELIABILITY: Final = 1_000


@dataclass(frozen=True, slots=True)
class Removal:
    """What a removal does.

    Attributes:
        fallen: Links from what was removed, by the events that keep no cause.
        standing: As many, by the events that lose a cause and keep one.
        lost: The links that each of both loses, sorted by cause and relation.
        kept: The links that each standing event keeps, sorted likewise.
        unprevented: The links by which something removed or fallen prevented something, sorted.
        cuts: Which bounds were met: what lies beyond them counts as standing.
    """

    fallen: dict[str, int]
    standing: dict[str, int]
    lost: dict[str, tuple[Edge, ...]]
    kept: dict[str, tuple[Edge, ...]]
    unprevented: tuple[Edge, ...]
    cuts: tuple[Cut, ...]


def without_events(
    events: Collection[str], store: GraphStore, collection: str, budget: Budget, deadline: Deadline
) -> Removal:
    """What would fall if events had not happened.

    Args:
        events: Their ids.
        store: The graph.
        collection: The set of documents.
        budget: How far is looked.
        deadline: How long.
    """
    ahead = expand(sorted(events), Direction.TO_EFFECTS, store, collection, budget, deadline)
    affected = _reached(events, ahead.edges)
    for event in events:
        affected.pop(event)
    held, cuts = _holding(sorted(affected), store, collection, budget)
    removed = {edge_key(edge) for edge in held if edge.cause in events}
    return _removal(affected, held, removed, frozenset(events), ahead.edges, {*ahead.cuts, *cuts})


def without_links(
    causes: Collection[str],
    effects: Collection[str],
    store: GraphStore,
    collection: str,
    budget: Budget,
    deadline: Deadline,
) -> Removal:
    """What would fall if the direct links from causes to effects did not hold; arguments as `without_events`."""
    ahead = expand(sorted(effects), Direction.TO_EFFECTS, store, collection, budget, deadline)
    held, cuts = _holding(sorted(_reached(effects, ahead.edges)), store, collection, budget)
    removed = {edge_key(edge): edge.effect for edge in held if edge.cause in causes and edge.effect in effects}
    affected = _reached(set(removed.values()), ahead.edges)
    affected = {event: links + 1 for event, links in affected.items()}
    return _removal(affected, held, removed.keys(), frozenset(), ahead.edges, {*ahead.cuts, *cuts})


def _removal(
    affected: Mapping[str, int],
    held: Sequence[Edge],
    removed: Collection[EdgeKey],
    gone: frozenset[str],
    ahead: Sequence[Edge],
    cuts: Collection[Cut],
) -> Removal:
    """What stands of the affected events.

    Args:
        affected: Links to each event that what is removed holds up.
        held: The links that hold them up, and others.
        removed: The links that are removed, those of the removed events among them.
        gone: The removed events.
        ahead: All links that were followed.
        cuts: Which bounds were met.
    """
    into: dict[str, list[Edge]] = defaultdict(list)
    for edge in held:
        into[edge.effect].append(edge)
    stands: set[str] = set()
    waiting = {event: [edge for edge in into[event] if edge_key(edge) not in removed] for event in affected}
    # From outside in: events that only hold each other up never get there.
    while found := {
        event
        for event, links in waiting.items()
        if any(edge.cause in stands or edge.cause not in affected for edge in links)
    }:
        stands |= found
        waiting = {event: links for event, links in waiting.items() if event not in found}
    fallen = affected.keys() - stands
    lost = {event: tuple(e for e in into[event] if edge_key(e) in removed or e.cause in fallen) for event in affected}
    return Removal(
        fallen={event: affected[event] for event in sorted(fallen)},
        standing={event: affected[event] for event in sorted(stands) if lost[event]},
        lost={event: links for event, links in lost.items() if links},
        kept={event: tuple(e for e in into[event] if e not in lost[event]) for event in sorted(stands)},
        unprevented=tuple(e for e in ahead if e.relation is Relation.PREVENTS and e.cause in {*gone, *fallen}),
        cuts=tuple(sorted(cuts)),
    )


def _reached(starts: Collection[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The events that the starts hold up, themselves included, with the links to the nearest start."""
    graph: nx.DiGraph[str] = nx.DiGraph((e.cause, e.effect) for e in edges if e.relation in HOLDING)
    graph.add_nodes_from(starts)
    return dict(sorted(nx.multi_source_dijkstra_path_length(graph, set(starts)).items())) if starts else {}


def _holding(
    events: Sequence[str], store: GraphStore, collection: str, budget: Budget
) -> tuple[list[Edge], Collection[Cut]]:
    """The links that hold events up, sorted, and the bound that was met where one has too many."""
    edges = store.edges_at(
        collection, events, Direction.TO_CAUSES, HOLDING, floor=budget.floor, limit_each=budget.max_nodes
    )
    full = max(Counter(edge.effect for edge in edges).values(), default=0) >= budget.max_nodes
    return sorted(edges, key=edge_key), (Cut.FAN_OUT,) if full else ()


def least_cut(causes: Collection[str], effects: Collection[str], edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """The fewest links without which no way leads from causes to effects; of as many, the least reliable ones.

    By the maximal flow (Ford and Fulkerson 1956). Events that are cause and effect at once cannot be cut apart.

    Args:
        causes: Ids of events.
        effects: As `causes`; none is among them.
        edges: The links that count.

    Returns:
        Sorted; none where no way leads there.
    """
    links = [edge for edge in sorted(edges, key=edge_key) if edge.relation in HOLDING]
    graph: nx.DiGraph[object] = nx.DiGraph()
    for edge in links:
        weight = _LINK + round(_RELIABILITY * edge.p_for)
        if graph.has_edge(edge.cause, edge.effect):
            weight += graph[edge.cause][edge.effect]["capacity"]
        graph.add_edge(edge.cause, edge.effect, capacity=weight)
    source, sink = ("source",), ("sink",)
    graph.add_edges_from((source, cause) for cause in sorted(causes))
    graph.add_edges_from((effect, sink) for effect in sorted(effects))
    if not nx.has_path(graph, source, sink):
        return ()
    _, (here, _) = nx.minimum_cut(graph, source, sink)
    return tuple(edge for edge in links if edge.cause in here and edge.effect not in here)


def leads(
    causes: Collection[str], effects: Collection[str], edges: Sequence[Edge], relations: Sequence[Relation]
) -> bool:
    """Whether a way of links of these relations leads from one of the causes to one of the effects."""
    return bool(set(_reached(causes, [edge for edge in edges if edge.relation in relations])) & set(effects))
