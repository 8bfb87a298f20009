"""What of the graph hangs on an event or a link: what would lose every cause that is told, and what would keep one.

An event that several causes are told of counts as held by each of them: the documents seldom say which of them were
needed together. That is the reading of a truth-maintenance system (Doyle 1979): what is told stands while one of its
justifications stands, and what only holds itself up in a circle does not. A happening that is told twice and was not
made one event has the causes of both tellings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import networkx as nx

from kg.records import Edge, Relation
from kg.store import Direction, GraphStore
from traversal.deadline import Deadline
from traversal.expansion import Budget, Cut, expand
from traversal.steps import edge_key
from traversal.told_alike import Alike

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
        lost: The links that each of both loses, sorted by cause and relation, then those of what is told like it.
        kept: The links that each standing event keeps, sorted likewise.
        unprevented: The links by which something prevented something that are removed, or whose cause is removed or
            fallen, sorted.
        still_prevented: The links by which something else prevents the same, sorted.
        freed: Links from what nothing prevents any more, by the events that it would hold up.
        taken: The direct links that were removed, sorted; none where events were.
        cuts: Which bounds were met: what lies beyond them counts as standing.
    """

    fallen: dict[str, int]
    standing: dict[str, int]
    lost: dict[str, tuple[Edge, ...]]
    kept: dict[str, tuple[Edge, ...]]
    unprevented: tuple[Edge, ...]
    still_prevented: tuple[Edge, ...]
    freed: dict[str, int]
    taken: tuple[Edge, ...]
    cuts: tuple[Cut, ...]


def without_events(
    events: Collection[str],
    store: GraphStore,
    collection: str,
    budget: Budget,
    deadline: Deadline,
    alike: Alike | None = None,
) -> Removal:
    """What would fall if events had not happened.

    Args:
        events: Their ids.
        store: The graph.
        collection: The set of documents.
        budget: How far is looked.
        deadline: How long.
        alike: Which events are told in nearly the same words and count as one; none do when not given.
    """
    ahead = expand(sorted(events), Direction.TO_EFFECTS, store, collection, budget, deadline)
    links = _Links(store, collection, budget, ahead.edges, set(ahead.cuts))
    affected = _reached(events, ahead.edges)
    for event in events:
        affected.pop(event)
    twins = _Twins.of(affected, events, alike)
    held = links.leading_to(twins.every - set(events), HOLDING)
    removed = [edge for edge in held if edge.cause in events]
    return _removal(twins, held, removed, frozenset(events), links)


def without_links(
    causes: Collection[str],
    effects: Collection[str],
    store: GraphStore,
    collection: str,
    budget: Budget,
    deadline: Deadline,
    alike: Alike | None = None,
) -> Removal:
    """What would fall if the direct links from causes to effects did not hold; arguments as `without_events`.

    Links by which a cause led to an effect are removed, and those by which it prevented one.
    """
    ahead = expand(sorted(effects), Direction.TO_EFFECTS, store, collection, budget, deadline)
    links = _Links(store, collection, budget, ahead.edges, set(ahead.cuts))
    twins = _Twins.of(_reached(effects, ahead.edges), (), alike)
    held = links.leading_to(twins.every, HOLDING)
    into = [*held, *links.leading_to(effects, (Relation.PREVENTS,))]
    taken = sorted((edge for edge in into if edge.cause in causes and edge.effect in effects), key=edge_key)
    affected = _reached({edge.effect for edge in taken if edge.relation in HOLDING}, ahead.edges)
    affected = {event: far + 1 for event, far in affected.items()}
    twins = replace(twins, affected=affected)
    return replace(_removal(twins, held, taken, frozenset(), links), taken=tuple(taken))


@dataclass(frozen=True, slots=True)
class _Twins:
    """What a removal touches, with what is told in nearly the same words.

    Attributes:
        affected: Links to each event that what is removed holds up.
        like: The events told like each of them, sorted; the removed ones are none.
    """

    affected: Mapping[str, int]
    like: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, affected: Mapping[str, int], gone: Collection[str], alike: Alike | None) -> _Twins:
        """Those of some events."""
        found = alike(affected) if alike is not None else {}
        return cls(affected, {event: tuple(sorted(same - {*gone})) for event, same in found.items()})

    @property
    def every(self) -> set[str]:
        """All of both."""
        return {*self.affected, *(one for same in self.like.values() for one in same)}

    def hanging(self) -> dict[str, set[str]]:
        """The affected events that decide whether an event stands, by event: itself, or else those it is told like."""
        found: dict[str, set[str]] = defaultdict(set)
        for event in self.affected:
            for one in self.like.get(event, ()):
                if one not in self.affected:
                    found[one].add(event)
            found[event] = {event}
        return found


@dataclass(frozen=True, slots=True)
class _Links:
    """The links that were followed, and those into events, as the store tells them.

    Attributes:
        ahead: All links that were followed.
        cuts: Which bounds were met so far.
    """

    store: GraphStore
    collection: str
    budget: Budget
    ahead: Sequence[Edge]
    cuts: set[Cut]

    def leading_to(self, events: Collection[str], relations: Sequence[Relation]) -> list[Edge]:
        """The links of these relations into events, sorted."""
        most = self.budget.max_nodes
        edges = self.store.edges_at(
            self.collection, sorted(events), Direction.TO_CAUSES, relations, floor=self.budget.floor, limit_each=most
        )
        if max(Counter(edge.effect for edge in edges).values(), default=0) >= most:
            self.cuts.add(Cut.FAN_OUT)
        return sorted(edges, key=edge_key)


def _removal(
    twins: _Twins,
    held: Sequence[Edge],
    taken: Sequence[Edge],
    gone: frozenset[str],
    links: _Links,
) -> Removal:
    """What stands of the affected events.

    Args:
        twins: The events that what is removed holds up.
        held: The links that hold them up, and others.
        taken: The links that are removed, those of the removed events among them.
        gone: The removed events.
        links: The links beyond.
    """
    affected, hanging = twins.affected, twins.hanging()
    removed = {edge_key(edge) for edge in taken}
    leading: dict[str, list[Edge]] = defaultdict(list)
    for edge in held:
        leading[edge.effect].append(edge)
    into = {event: [e for one in (event, *twins.like.get(event, ())) for e in leading[one]] for event in affected}
    stands: set[str] = set()
    waiting = {event: [edge for edge in into[event] if edge_key(edge) not in removed] for event in affected}
    # From outside in: events that only hold each other up never get there.
    while found := {
        event
        for event, links_into in waiting.items()
        if any(edge.cause not in hanging or hanging[edge.cause] & stands for edge in links_into)
    }:
        stands |= found
        waiting = {event: links_into for event, links_into in waiting.items() if event not in found}
    fallen = affected.keys() - stands
    lost = {
        event: tuple(
            e for e in into[event] if edge_key(e) in removed or (e.cause in hanging and not hanging[e.cause] & stands)
        )
        for event in affected
    }
    unprevented = _unprevented(taken, {*gone, *fallen}, links.ahead)
    others = links.leading_to({edge.effect for edge in unprevented}, (Relation.PREVENTS,)) if unprevented else []
    still = tuple(edge for edge in others if edge not in unprevented)
    free = {edge.effect for edge in unprevented} - {edge.effect for edge in still}
    return Removal(
        fallen={event: affected[event] for event in sorted(fallen)},
        standing={event: affected[event] for event in sorted(stands) if lost[event]},
        lost={event: lost_there for event, lost_there in lost.items() if lost_there},
        kept={event: tuple(e for e in into[event] if e not in lost[event]) for event in sorted(stands)},
        unprevented=unprevented,
        still_prevented=still,
        freed={event: far for event, far in _reached(free, links.ahead).items() if far and event not in affected},
        taken=(),
        cuts=tuple(sorted(links.cuts)),
    )


def _unprevented(taken: Sequence[Edge], gone: Collection[str], ahead: Sequence[Edge]) -> tuple[Edge, ...]:
    """The links of prevention that are removed, or whose cause is gone, sorted."""
    found = [*taken, *(edge for edge in ahead if edge.cause in gone)]
    prevented = {edge_key(edge): edge for edge in found if edge.relation is Relation.PREVENTS}
    return tuple(prevented[key] for key in sorted(prevented))


def _reached(starts: Collection[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The events that the starts hold up, themselves included, with the links to the nearest start."""
    graph: nx.DiGraph[str] = nx.DiGraph((e.cause, e.effect) for e in edges if e.relation in HOLDING)
    graph.add_nodes_from(starts)
    return dict(sorted(nx.multi_source_dijkstra_path_length(graph, set(starts)).items())) if starts else {}


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
