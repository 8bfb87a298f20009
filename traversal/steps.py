"""One edge seen by someone who walks along it or against it."""

from __future__ import annotations

from kg.records import Edge
from kg.store import Direction

EdgeKey = tuple[str, str, str]
"""Cause, effect and relation: unique among the edges of a collection."""


def edge_key(edge: Edge) -> EdgeKey:
    """What sorts edges and tells them apart."""
    return edge.cause, edge.effect, edge.relation.value


def near_end(edge: Edge, direction: Direction) -> str:
    """The event that the walker stands at."""
    return edge.effect if direction is Direction.TO_CAUSES else edge.cause


def far_end(edge: Edge, direction: Direction) -> str:
    """The event that the walker comes to."""
    return edge.cause if direction is Direction.TO_CAUSES else edge.effect
