"""How fast generated graphs are loaded: the embedded store, the store on the server, and bare UNWIND batches.

Each load on the server starts with a fresh server and an empty folder, and a small graph that comes and goes before the
one that is measured, to warm it up; clients are processes of their own, so that their memory can be told. Generating is
not counted.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bare_loading import BareRows
from benchmarks.graph_generator import COLLECTION, ByWords, GeneratedGraph
from benchmarks.measured_server import (
    LEASE_SECONDS,
    WAIT_SECONDS,
    access_to,
    folder_size,
    measured_server,
    resident,
    store_on,
)
from benchmarks.spread import spread
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_store import Neo4jStore
from kg.sqlite_store import SqliteStore
from kg.store import GraphStore
from tests.neo4j.process import Neo4jServerProcess

WARM_UP = GeneratedGraph(1_600, seed=1)
EMBEDDED, SERVER, BARE = "embedded", "neo4j", "bare UNWIND"


@dataclass(frozen=True, slots=True)
class Load:
    """One load.

    Attributes:
        commit: Seconds of the first commits; all seconds of a bare load.
        derive: Seconds of the derivation.
        client: Most memory of the client, bytes.
        server: Most memory of the server, bytes; 0 for the embedded store.
        files: Bytes of the files; those of the server with its transaction logs.
    """

    commit: float
    derive: float
    client: int
    server: int
    files: int

    @property
    def seconds(self) -> float:
        return self.commit + self.derive


def embedded_file(work: Path, events: int) -> Path:
    """The embedded store of a graph."""
    return work / f"embedded-{events}" / "graph.db"


def server_home(work: Path, events: int) -> Path:
    """The server's folder of a graph."""
    return work / f"neo4j-{events}"


def measure_loads(graph: GeneratedGraph, work: Path, rounds: int) -> dict[str, object]:
    """Loads a graph in all ways, in alternating order, and leaves it loaded; the figures by name."""
    rows = BareRows(work / "rows")
    loads: dict[str, list[Load]] = {EMBEDDED: [], SERVER: [], BARE: []}
    try:
        for turn in range(rounds):
            # The rows of the bare load come from the store's, which is therefore the first.
            order = [EMBEDDED, SERVER, BARE] if turn % 2 == 0 else [BARE, SERVER, EMBEDDED]
            for way in order:
                loads[way].append(_load(way, graph, work, rows))
                print(f"{graph.events} events, {way}, round {turn + 1}: {loads[way][-1]}", flush=True)
    finally:
        shutil.rmtree(work / "rows", ignore_errors=True)
    return _figures(graph, loads, rows)


def _figures(graph: GeneratedGraph, loads: dict[str, list[Load]], rows: BareRows) -> dict[str, object]:
    claims = 4 * graph.events
    figures: dict[str, object] = {
        "documents": graph.documents,
        "claims": claims,
        "nodes on the server": rows.nodes,
        "relationships on the server": rows.relationships,
    }
    for way, found in loads.items():
        figures[f"{way}, seconds"] = spread([load.seconds for load in found])
        if way != BARE:
            figures[f"{way}, seconds of commits"] = spread([load.commit for load in found])
            figures[f"{way}, seconds of the derivation"] = spread([load.derive for load in found])
        figures[f"{way}, documents a second"] = spread([graph.documents / load.seconds for load in found])
        figures[f"{way}, claims a second"] = spread([claims / load.seconds for load in found])
        if way != BARE:
            figures[f"{way}, peak memory of the client, MB"] = spread([load.client / 1e6 for load in found])
        if way != EMBEDDED:
            figures[f"{way}, peak memory of the server, MB"] = spread([load.server / 1e6 for load in found])
        figures[f"{way}, files, MB"] = spread([load.files / 1e6 for load in found])
    pairs = list(zip(loads[SERVER], loads[BARE], strict=True))
    figures["speed of the store as a share of bare UNWIND batches"] = spread([b.seconds / s.seconds for s, b in pairs])
    return figures


def _load(way: str, graph: GeneratedGraph, work: Path, rows: BareRows) -> Load:
    if way == EMBEDDED:
        path = embedded_file(work, graph.events)
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir(parents=True)
        commit, derive, client = _in_a_process_of_its_own(graph, str(path), None)
        return Load(commit, derive, client, 0, folder_size(path.parent))
    home = server_home(work, graph.events)
    shutil.rmtree(home, ignore_errors=True)
    with measured_server(home) as server, _warmed_up(server) as store:
        if way == SERVER:
            commit, derive, client = _in_a_process_of_its_own(graph, server.address, access_to(server))
            if not rows.nodes:
                rows.take(store.server.driver)
        else:
            commit, derive, client = rows.load(store.server.driver), 0.0, 0
            _check(store, graph)
        most = resident(server.pid)[1]
    return Load(commit, derive, client, most, folder_size(home / "data"))


@contextmanager
def _warmed_up(server: Neo4jServerProcess) -> Iterator[Neo4jStore]:
    """The store on a fresh server that has worked a little and is empty again, with its schema."""
    with store_on(server) as store:
        _fill(store, WARM_UP)
    server.wipe()
    with store_on(server) as store:
        yield store


def _check(store: GraphStore, graph: GeneratedGraph) -> None:
    counts = store.counts(COLLECTION)
    if (counts.documents, counts.claims, counts.events) != (graph.documents, 4 * graph.events, graph.events):
        raise RuntimeError(f"what was loaded is another graph: {counts}")


def _in_a_process_of_its_own(graph: GeneratedGraph, place: str, access: Neo4jAccess | None) -> tuple[float, float, int]:
    """Seconds of commits and derivation, and the most memory of the process that did them, bytes."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_load_store, graph, place, access).result()


def _load_store(graph: GeneratedGraph, place: str, access: Neo4jAccess | None) -> tuple[float, float, int]:
    store: GraphStore
    if access is None:
        store = SqliteStore(Path(place), wait_seconds=WAIT_SECONDS, lease_seconds=LEASE_SECONDS)
    else:
        store = Neo4jStore(place, access, wait_seconds=WAIT_SECONDS, lease_seconds=LEASE_SECONDS)
    with store:
        commit, derive = _fill(store, graph)
        _check(store, graph)
    return commit, derive, resident(os.getpid())[1]


def _fill(store: GraphStore, graph: GeneratedGraph) -> tuple[float, float]:
    """Seconds of the commits and of the derivation."""
    commit = 0.0
    for bundle in graph.bundles():
        started = time.perf_counter()
        store.commit_document(bundle)
        commit += time.perf_counter() - started
    started = time.perf_counter()
    store.derive(COLLECTION, ByWords())
    return commit, time.perf_counter() - started


def loaded(work: Path, sizes: Sequence[int]) -> bool:
    """Whether all graphs were loaded before."""
    return all(embedded_file(work, n).exists() and (server_home(work, n) / "data").exists() for n in sizes)
