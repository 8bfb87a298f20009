"""Measure how expansions, memory and files grow from 100,000 events to 1,000,000: events and edges only.

    python -m benchmarks.graph_growth

There are no documents, so the two stores' own doors for writing cannot be used. The embedded file gets its rows by the
statements and digests of its own tables; the server gets the events and edges of that file, by the statements of its
own store and in batches of 10,000. Both are generated and read as a stream. The hub has a tenth of the events at it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

from benchmarks.graph_generator import COLLECTION, GeneratedGraph, event_id
from benchmarks.graph_reads import measure_expansions
from benchmarks.measured_server import LEASE_SECONDS, WAIT_SECONDS, folder_size, measured_server, resident, store_on
from benchmarks.results import write_result
from kg import neo4j_graph_queries as queries
from kg.graph_schema import Label, edge_properties, edge_type
from kg.neo4j_rows import DIGEST, NODES
from kg.neo4j_store import Neo4jStore
from kg.record_tables import EDGES, EVENTS
from kg.records import Edge, Event
from kg.sqlite_connection import StoreFile
from kg.sqlite_store import SqliteStore

T = TypeVar("T")

BATCH = 10_000


def load_embedded(graph: GeneratedGraph, path: Path) -> None:
    """Writes events and edges into the tables of an embedded store; an edge that comes twice is written once."""
    shutil.rmtree(path.parent, ignore_errors=True)
    path.parent.mkdir(parents=True)
    SqliteStore(path, wait_seconds=WAIT_SECONDS, lease_seconds=LEASE_SECONDS).close()
    file = StoreFile(path, str(path), wait_seconds=WAIT_SECONDS, read_only=False, create=False)
    insert_edge = EDGES.insert.replace("INSERT", "INSERT OR IGNORE", 1)
    for events in _batches(graph.event_records()):
        with file.writing():
            file.run_many(EVENTS.insert, map(_event_row, events))
    for edges in _batches(graph.edge_records()):
        with file.writing():
            file.run_many(insert_edge, map(EDGES.to_row, edges))
    file.close()


def load_server(embedded: SqliteStore, graph: GeneratedGraph, server: Neo4jStore) -> None:
    """Writes the events and edges of the embedded store to an empty server."""
    with server.server.driver.session(database="neo4j") as session:
        for events in _batches(graph.event_records()):
            rows = [NODES[Label.EVENT].properties(_event_row(event)) for event in events]
            session.run("UNWIND $rows AS row CREATE (e:Event) SET e = row", rows=rows).consume()
        for edges in _batches(embedded.edges(COLLECTION)):
            by_type: dict[str, list[dict[str, object]]] = {}
            for edge in edges:
                by_type.setdefault(edge_type(edge), []).append(_edge_parameters(edge))
            for type_, rows in by_type.items():
                session.run(queries.INSERT_EDGES[type_], collection=COLLECTION, rows=rows).consume()


def measure(graph: GeneratedGraph, work: Path, rounds: int) -> dict[str, object]:
    """Loads a graph unless it is there, and measures what grows."""
    path, home = work / f"edges-embedded-{graph.events}" / "graph.db", work / f"edges-neo4j-{graph.events}"
    done = work / f"edges-{graph.events}.loaded"
    figures: dict[str, object] = json.loads(done.read_text("utf-8")) if done.exists() else {}
    if not done.exists():
        started = time.perf_counter()
        load_embedded(graph, path)
        figures["load embedded, s"] = round(time.perf_counter() - started)
        shutil.rmtree(home, ignore_errors=True)
    with (
        SqliteStore(path, wait_seconds=WAIT_SECONDS, lease_seconds=LEASE_SECONDS) as embedded,
        measured_server(home) as process,
        store_on(process) as server,
    ):
        if not done.exists():
            started = time.perf_counter()
            load_server(embedded, graph, server)
            figures["load on the server, s"] = round(time.perf_counter() - started)
            done.write_text(json.dumps(figures), "utf-8")
        figures["rounds"] = rounds
        figures |= measure_expansions(embedded, server, event_id(graph.hub.number), rounds)
        now, most = resident(process.pid)
        figures["memory of the server, MB"] = round(now / 1e6)
        figures["most memory of the server, MB"] = round(most / 1e6)
    figures["files embedded, MB"] = round(folder_size(path.parent) / 1e6)
    figures["files of the server, MB"] = round(folder_size(home / "data" / "databases") / 1e6)
    figures["transaction logs of the server, MB"] = round(folder_size(home / "data" / "transactions") / 1e6)
    figures["most memory of the client, MB"] = round(resident(os.getpid())[1] / 1e6)
    return figures


def _event_row(event: Event) -> tuple[object, ...]:
    return EVENTS.to_row(event, described_by=Event.mention_id_of(event.id), reasons="[]")


def _edge_parameters(edge: Edge) -> dict[str, object]:
    properties = edge_properties(edge, [""] * len(edge.claims), [""] * len(edge.claims))
    digest = EDGES.to_row(edge)[-1]
    assert isinstance(digest, bytes)
    properties[DIGEST] = digest.hex()
    return {"cause": edge.cause, "effect": edge.effect, "properties": properties}


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    source = iter(items)
    while batch := list(islice(source, BATCH)):
        yield batch


def main() -> None:
    """Measure the sizes and store the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--events", type=int, nargs="+", default=[100_000, 1_000_000])
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--work", type=Path, default=Path(".cache/benchmarks/graph"))
    given = arguments.parse_args()
    work: Path = given.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    rows = [measure(GeneratedGraph(size), work, given.rounds) for size in given.events]
    names = list(dict.fromkeys(name for row in rows for name in row))
    write_result(
        "graph_growth",
        command=" ".join(["python -m benchmarks.graph_growth", *sys.argv[1:]]),
        data="generated graphs of events and edges only, four edges an event, degrees by a power law, a hub with an"
        " edge to one event in ten",
        baseline="the smaller graph, in the same row",
        columns=[f"{size:,} events" for size in given.events],
        figures={name: [row.get(name, "") for row in rows] for name in names},
        seed=GeneratedGraph(0).seed,
    )


if __name__ == "__main__":
    main()
