"""How fast single records are read and neighbourhoods are expanded, and how often the server is asked for it."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from statistics import median
from typing import ParamSpec, TypeVar

from benchmarks.bare_expansion import EdgeKey, expand_bare, expansion_query
from benchmarks.graph_generator import COLLECTION
from benchmarks.spread import percentiles, spread
from kg.neo4j_store import Neo4jStore
from kg.records import Relation
from kg.store import Direction, GraphStore
from traversal.deadline import Deadline
from traversal.expansion import Budget, Subgraph, expand, meet
from traversal.steps import edge_key

P = ParamSpec("P")
T = TypeVar("T")

SEED = 11
HOPS = 3
BUDGET = Budget(hops=HOPS, max_nodes=2_000, fan_out=24, floor=0.2)
"""The program's own defaults."""

_DEADLINE_SECONDS = 600.0
_READS = 50
_MEETINGS = 24
_HUB_MEETINGS = 4
_Ends = tuple[list[str], list[str]]
_Keys = tuple[set[str], set[EdgeKey], set[EdgeKey]]


def measure_points(stores: Mapping[str, GraphStore], rounds: int) -> dict[str, object]:
    """Reads single events, claims and mentions of an event in all stores, in alternating order; milliseconds."""
    some = next(iter(stores.values()))
    chance = random.Random(SEED)
    events = chance.sample(some.event_ids(COLLECTION), _READS)
    claims = [edge.claims[0] for edge in some.edges_at(COLLECTION, events, Direction.TO_EFFECTS, tuple(Relation))][
        :_READS
    ]
    reads: dict[str, tuple[Callable[[GraphStore, str], object], Sequence[str]]] = {
        "an event": (lambda store, id_: store.event(COLLECTION, id_), events),
        "a claim": (lambda store, id_: store.claims(COLLECTION, [id_]), claims),
        "the mentions of an event": (lambda store, id_: store.mentions_of_event(COLLECTION, id_), events),
    }
    figures: dict[str, object] = {}
    for what, (read, ids) in reads.items():
        found: dict[str, list[list[float]]] = {name: [] for name in stores}
        for turn in range(rounds + 1):
            for name in _turned(list(stores), turn):
                times = [_milliseconds(read, stores[name], id_)[1] for id_ in ids]
                if turn:
                    found[name].append(times)
        for name, series in found.items():
            figures[f"{what}, {name}, ms"] = percentiles([value for times in series for value in times])
        figures[f"{what}, time on the server over embedded"] = _ratio(found["embedded"], found["neo4j"])
    return figures


def measure_expansions(
    embedded: GraphStore, server: Neo4jStore, hub: str | None, rounds: int, *, bare: bool = True
) -> dict[str, object]:
    """Meets in the middle from pairs of events, in the store embedded, on the server, and by one query written by hand.

    Args:
        hub: The event with the most edges; some meetings start or end there.
        bare: Compare with the query written by hand.

    Raises:
        RuntimeError: the two stores give different subgraphs.
    """
    ids = embedded.event_ids(COLLECTION)
    chance = random.Random(SEED)
    ordinary: list[_Ends] = [([a], [b]) for a, b in (chance.sample(ids, 2) for _ in range(_MEETINGS))]
    figures: dict[str, object] = {}
    for kind, meetings in (("", ordinary), (" at the hub", _at_hub(ids, hub, chance))):
        if meetings:
            found = _measure_meetings(embedded, server, meetings, rounds, bare=bare)
            figures |= {f"{HOPS} hops both ways{kind}, {name}": value for name, value in found.items()}
    return figures


def _measure_meetings(
    embedded: GraphStore, server: Neo4jStore, meetings: Sequence[_Ends], rounds: int, *, bare: bool
) -> dict[str, object]:
    queries = {direction: expansion_query(direction, HOPS) for direction in Direction}
    half = Budget(HOPS, BUDGET.max_nodes // 2, BUDGET.fan_out, BUDGET.floor)

    def by_hand(ends: _Ends) -> tuple[_Keys, _Keys]:
        with server.server.session() as session:
            return (
                expand_bare(session, queries[Direction.TO_EFFECTS], COLLECTION, ends[0], half),
                expand_bare(session, queries[Direction.TO_CAUSES], COLLECTION, ends[1], half),
            )

    ways: dict[str, Callable[[_Ends], object]] = {
        "embedded": lambda ends: _meet(embedded, ends),
        "neo4j": lambda ends: _meet(server, ends),
    }
    if bare:
        ways["by hand"] = by_hand
    times: dict[str, list[list[float]]] = {name: [[] for _ in meetings] for name in ways}
    same = 0
    sizes: list[int] = []
    for turn in range(rounds + 1):
        for at, ends in enumerate(meetings):
            gave: dict[str, object] = {}
            for name in _turned(list(ways), turn):
                gave[name], spent = _milliseconds(ways[name], ends)
                if turn:
                    times[name][at].append(spent)
            if not turn:
                parts = _meet(server, ends)
                if gave["embedded"] != parts:
                    raise RuntimeError(f"the stores give different subgraphs for {ends}")
                sizes.append(sum(len(part.depth) for part in parts))
                same += bare and gave["by hand"] == (_keys(parts[0]), _keys(parts[1]))
    figures: dict[str, object] = {
        "meetings": len(meetings),
        "events reached": spread(sizes),
    }
    for name, series in times.items():
        figures[f"{name}, ms"] = percentiles([value for found in series for value in found])
    figures["time on the server over embedded"] = _ratio(times["embedded"], times["neo4j"])
    if bare:
        figures["the query by hand gives the same subgraph"] = f"{same} of {len(meetings)}"
        figures["time on the server over the query by hand"] = _ratio(times["by hand"], times["neo4j"])
    return figures | _round_trips(server, meetings)


def _round_trips(server: Neo4jStore, meetings: Sequence[_Ends]) -> dict[str, object]:
    """How often the server is asked for a level of an expansion; not timed, because the driver's log slows it down."""
    queries: list[float] = []
    trips: list[float] = []
    half = Budget(HOPS, BUDGET.max_nodes // 2, BUDGET.fan_out, BUDGET.floor)
    for causes, _ in meetings:
        with _wire() as wire:
            part = expand(causes, Direction.TO_EFFECTS, server, COLLECTION, half, Deadline(_DEADLINE_SECONDS))
        levels = min(HOPS, max(part.depth.values(), default=0)) + 1
        queries.append(wire.queries / levels)
        trips.append(wire.trips / levels)
    return {"queries a level": spread(queries), "round trips a level, with those of transactions": spread(trips)}


class _Wire(logging.Handler):
    """Counts what goes over the wire from the driver's own log of its messages.

    Attributes:
        queries: Statements sent.
        trips: Times that the client waited for the server: an answer after something was sent.
    """

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.queries = 0
        self.trips = 0
        self._sent = False

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if "C: " in message:
            self._sent = True
            self.queries += "C: RUN " in message
        elif "S: " in message and self._sent:
            self._sent = False
            self.trips += 1


@contextmanager
def _wire() -> Iterator[_Wire]:
    log = logging.getLogger("neo4j.io")
    level, spreads = log.level, log.propagate
    handler = _Wire()
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    try:
        yield handler
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = spreads


def _at_hub(ids: Sequence[str], hub: str | None, chance: random.Random) -> list[_Ends]:
    if hub is None:
        return []
    others = [chance.choice(ids) for _ in range(_HUB_MEETINGS)]
    return [([hub], [other]) if at % 2 else ([other], [hub]) for at, other in enumerate(others)]


def _meet(store: GraphStore, ends: _Ends) -> tuple[Subgraph, Subgraph]:
    return meet(*ends, store, COLLECTION, BUDGET, Deadline(_DEADLINE_SECONDS))


def _keys(part: Subgraph) -> _Keys:
    return set(part.depth), set(map(edge_key, part.edges)), set(map(edge_key, part.ruled_out))


def _milliseconds(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> tuple[T, float]:
    started = time.perf_counter()
    found = work(*given, **named)
    return found, (time.perf_counter() - started) * 1e3


def _turned(names: list[str], turn: int) -> list[str]:
    return names if turn % 2 == 0 else names[::-1]


def _ratio(below: Sequence[Sequence[float]], above: Sequence[Sequence[float]]) -> str:
    """The medians of one series over those of the other, pair by pair."""
    return spread([median(b) / median(a) for a, b in zip(below, above, strict=True)])
