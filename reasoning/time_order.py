"""Chains in the order of time, as far as times or words of the documents tell it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kg.records import Chain, Edge, Event, Relation
from kg.store import Direction
from reasoning.room import Room

Before = frozenset[tuple[str, str]]
"""Pairs of event ids, the earlier one first, that the documents order in words."""


def orders(ids: Sequence[str], direction: Direction, room: Room) -> list[Edge]:
    """What the documents say in words to have come before events, or after them.

    Args:
        ids: The events.
        direction: `TO_EFFECTS` for what came after them, `TO_CAUSES` for what came before.
        room: Store and settings.
    """
    return list(
        room.store.edges_at(
            room.collection,
            sorted(ids),
            direction,
            (Relation.BEFORE,),
            floor=room.settings.reliability_floor,
            limit_each=room.settings.max_nodes,
        )
    )


def told_before(chains: Sequence[Chain], room: Room) -> Before:
    """Which events of the chains the documents order in words; pairs that they order both ways are left out."""
    ids = sorted({event.id for chain in chains for event in chain.events})
    told = {(edge.cause, edge.effect) for edge in orders(ids, Direction.TO_EFFECTS, room) if edge.effect in ids}
    return frozenset((first, then) for first, then in told if (then, first) not in told)


def in_order_of_time(chains: Sequence[Chain], before: Collection[tuple[str, str]]) -> list[int]:
    """Places of the chains, the one whose own events came first before the others.

    Two chains are compared by the first event that each has and the other has not. Where nothing orders them they stay
    as they are, and where the order goes in a circle the first of them goes first.

    Args:
        chains: In the order of their rank.
        before: Pairs of event ids, the earlier one first.
    """
    left = list(range(len(chains)))
    ordered = []
    while left:
        free = (one for one in left if not any(_earlier(chains[other], chains[one], before) for other in left))
        first = next(free, left[0])
        ordered.append(first)
        left.remove(first)
    return ordered


def _earlier(chain: Chain, other: Chain, before: Collection[tuple[str, str]]) -> bool:
    """Whether what is told of one chain alone came before what is told of the other alone."""
    own, others = _own(chain, other), _own(other, chain)
    if own is None or others is None:
        return False
    if (own.id, others.id) in before:
        return True
    if (others.id, own.id) in before or own.time_end is None or others.time_start is None:
        return False
    return own.time_end <= others.time_start


def _own(chain: Chain, other: Chain) -> Event | None:
    shared = {event.id for event in other.events}
    return next((event for event in chain.events if event.id not in shared), None)
