"""Measure the embedded store and a Neo4j server side by side on generated graphs.

    python -m benchmarks.graph_stores --events 10000 100000 --only load point expansion delete memory

Graphs stay loaded in the folder of --work, so that all parts but the load can be measured again without it. What was
measured of one size is kept there too: a later run with another size completes the tables.
"""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.graph_deletes import delete_figures, measure_deletes
from benchmarks.graph_generator import COLLECTION, DIMENSION, GeneratedGraph
from benchmarks.graph_load import embedded_file, loaded, measure_loads, server_home
from benchmarks.graph_reads import measure_expansions, measure_points
from benchmarks.measured_server import (
    HEAP,
    LEASE_SECONDS,
    PAGE_CACHE,
    WAIT_SECONDS,
    folder_size,
    measured_server,
    resident,
    store_on,
)
from benchmarks.results import write_result
from kg.neo4j_store import Neo4jStore
from kg.records import Relation
from kg.sqlite_store import SqliteStore
from kg.store import Direction, GraphStore
from tests.neo4j.process import Neo4jServerProcess

PARTS = ("load", "point", "expansion", "delete", "memory")
BASELINES = {
    "load": "bare UNWIND batches of 10,000 of the very same nodes and relationships, same constraints and indexes;"
    " the store is meant to be at least half as fast",
    "point": "the other store; medians over medians of the same records",
    "expansion": "one Cypher query written by hand that gives the same subgraph; the store is meant to take at most"
    " twice its time, and one query a level",
    "delete": "a document of the same size in the smaller graph: the cost is meant to follow the document and the edges"
    " at its events, and the derivation the mentions of its kinds, of which there are more by the root of the size",
    "memory": "the other store, after the same reads",
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """One graph in both stores."""

    graph: GeneratedGraph
    embedded: SqliteStore
    server: Neo4jStore
    process: Neo4jServerProcess

    @property
    def stores(self) -> dict[str, GraphStore]:
        """Both, by name."""
        return {"embedded": self.embedded, "neo4j": self.server}

    def hub(self) -> str:
        """Id of the event with the most edges by the way it was made."""
        graph = self.graph
        told = next(mention for mention in graph.bundle(0).mentions if mention.text == graph.hub.words)
        event = self.embedded.event_of_mention(COLLECTION, told.id)
        if event is None:
            raise RuntimeError("the graph was not derived")
        return event


@contextlib.contextmanager
def opened(graph: GeneratedGraph, work: Path) -> Iterator[Loaded]:
    """A graph that was loaded before."""
    with (
        SqliteStore(
            embedded_file(work, graph.events), wait_seconds=WAIT_SECONDS, lease_seconds=LEASE_SECONDS, create=False
        ) as embedded,
        measured_server(server_home(work, graph.events)) as process,
        store_on(process) as server,
    ):
        yield Loaded(graph, embedded, server, process)


def measure(part: str, given: Loaded, rounds: int) -> Any:
    """One part on one graph."""
    match part:
        case "point":
            return {"rounds": rounds} | measure_points(given.stores, rounds)
        case "expansion":
            return {"rounds": rounds} | measure_expansions(given.embedded, given.server, given.hub(), rounds)
        case "delete":
            return measure_deletes(given.graph, given.stores, rounds)
        case _:
            return memory(given)


def memory(given: Loaded) -> dict[str, object]:
    """Memory of the server after reading, and the files of both."""
    for store in given.stores.values():
        ids = store.event_ids(COLLECTION)[:1_000]
        store.events(COLLECTION, ids)
        store.edges_at(COLLECTION, ids, Direction.TO_EFFECTS, tuple(Relation))
    now, most = resident(given.process.pid)
    home = server_home(given.embedded.path.parents[1], given.graph.events)
    return {
        "server, MB": round(now / 1e6),
        "server, most since it started, MB": round(most / 1e6),
        "server, limits": f"heap {HEAP}, page cache {PAGE_CACHE}",
        "files embedded, MB": round(folder_size(given.embedded.path.parent) / 1e6),
        "files of the server, MB": round(folder_size(home / "data" / "databases") / 1e6),
        "transaction logs of the server, MB": round(folder_size(home / "data" / "transactions") / 1e6),
    }


def store_results(kept: dict[str, dict[str, Any]], parts: Sequence[str], rounds: int) -> None:
    """Writes a result for each part, over all sizes measured so far.

    Args:
        rounds: As asked for now; what was kept of an earlier run tells its own.
    """
    for part in parts:
        by_size = {int(size): found for size, found in sorted(kept[part].items(), key=lambda item: int(item[0]))}
        if part == "delete":
            figures = delete_figures(by_size)
        else:
            names = dict.fromkeys(name for found in by_size.values() for name in found)
            figures = {name: [found.get(name, "") for found in by_size.values()] for name in names}
        write_result(
            f"graph_{part}",
            command=f"python -m benchmarks.graph_stores --events {' '.join(map(str, by_size))} --only {part}"
            f" --rounds {rounds}",
            data=f"generated graphs of {' and '.join(f'{size:,}' for size in by_size)} events, four claims an event,"
            f" degrees by a power law, a hub with an edge to one event in ten, vectors of {DIMENSION} components",
            baseline=BASELINES[part],
            columns=[f"{size:,} events" for size in by_size],
            figures=figures,
            seed=GeneratedGraph(0).seed,
        )


def main() -> None:
    """Run the parts that were asked for and store their results."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--events", type=int, nargs="+", default=[10_000, 100_000])
    arguments.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    arguments.add_argument("--rounds", type=int, default=3, help="pairs; the load of 100,000 events is done once")
    arguments.add_argument("--work", type=Path, default=Path(".cache/benchmarks/graph"))
    given = arguments.parse_args()
    work: Path = given.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    memo = work / "figures.json"
    kept: dict[str, dict[str, Any]] = json.loads(memo.read_text("utf-8")) if memo.exists() else {}
    for size in given.events:
        graph = GeneratedGraph(size)
        if "load" in given.only or not loaded(work, [size]):
            rounds = given.rounds if size < 100_000 else 1
            kept.setdefault("load", {})[str(size)] = {"rounds": rounds} | measure_loads(graph, work, rounds)
            memo.write_text(json.dumps(kept), "utf-8")
        parts = [part for part in given.only if part != "load"]
        if parts:
            with opened(graph, work) as both:
                for part in parts:
                    kept.setdefault(part, {})[str(size)] = measure(part, both, given.rounds)
                    memo.write_text(json.dumps(kept), "utf-8")
    store_results(kept, given.only, given.rounds)


if __name__ == "__main__":
    main()
