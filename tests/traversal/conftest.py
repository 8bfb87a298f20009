"""Graphs made by hand: edges by the names of their events, and a store that serves them as the contract says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from kg.records import Edge, Event, Modality, Polarity, Relation
from kg.store import Direction, EdgesBack


def make_edge(
    cause: str,
    effect: str,
    confidence: float = 0.8,
    relation: Relation = Relation.CAUSES,
    *,
    ruled_out: bool = False,
    p_for: float | None = None,
    consistent: bool = True,
) -> Edge:
    return Edge(
        collection="main",
        cause=cause,
        effect=effect,
        relation=relation,
        ruled_out=ruled_out,
        confidence=confidence,
        p_for=(0.0 if ruled_out else confidence) if p_for is None else p_for,
        p_against=confidence if ruled_out else 0.0,
        support=0 if ruled_out else 1,
        against=1 if ruled_out else 0,
        consistent=consistent,
        claims=(f"c-{cause}-{effect}",),
    )


def make_event(name: str, description: str | None = None, time: tuple[str, str] | None = None) -> Event:
    return Event(
        id=name,
        collection="main",
        description=description or f"thing {name} number{name}",
        kind=f"kind-{name}",
        polarity=Polarity.AFFIRMED,
        modality=Modality.ACTUAL,
        time_start=time[0] if time else None,
        time_end=time[1] if time else None,
        time_resolution=None,
        mention_count=1,
        document_count=1,
    )


@dataclass
class EdgeStore:
    """Serves `edges_at` over a list of edges, in the order the contract asks for, and counts the questions."""

    all_edges: Sequence[Edge]
    asked: list[list[str]] = field(default_factory=list)

    def edges_at(
        self,
        collection: str,
        event_ids: Sequence[str],
        direction: Direction,
        relations: Sequence[Relation],
        floor: float = 0.0,
        ruled_out: bool | None = False,
        limit_each: int | None = None,
    ) -> list[Edge]:
        self.asked.append(list(event_ids))
        found = [
            edge
            for edge in self.all_edges
            if (edge.effect if direction is Direction.TO_CAUSES else edge.cause) in event_ids
            and edge.relation in relations
            and (edge.ruled_out or edge.p_for >= floor)
            and (ruled_out is None or edge.ruled_out is ruled_out)
        ]
        found.sort(key=lambda e: (-e.confidence, e.cause, e.effect, e.relation.value))
        at: dict[tuple[bool, str], list[Edge]] = defaultdict(list)
        for edge in found:
            at[edge.ruled_out, edge.effect if direction is Direction.TO_CAUSES else edge.cause].append(edge)
        first = {id(edge) for edges in at.values() for edge in edges[:limit_each]}
        return [edge for edge in found if id(edge) in first]

    def edges_back(
        self,
        collection: str,
        event_ids: Sequence[str],
        direction: Direction,
        relations: Sequence[Relation],
        floor: float,
        limit_each: int,
        reached: Sequence[str],
    ) -> EdgesBack:
        found = self.edges_at(collection, event_ids, direction, relations, floor)
        first = [
            edge
            for id_ in event_ids
            for edge in [e for e in found if (e.effect if direction is Direction.TO_CAUSES else e.cause) == id_][
                :limit_each
            ]
        ]
        back = [e for e in first if (e.cause if direction is Direction.TO_CAUSES else e.effect) in reached]
        return EdgesBack(back, leads_on=len(back) < len(first), more=len(first) < len(found))


@pytest.fixture
def edge():
    return make_edge


@pytest.fixture
def event():
    return make_event


@pytest.fixture
def edge_store():
    return EdgeStore
