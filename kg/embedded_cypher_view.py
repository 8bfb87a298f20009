"""The Cypher view of an embedded store: the graph of all collections in the form that kglite reads.

kglite knows one node for each label and id, the store one for each label, collection and id. A node whose id another
collection holds already is therefore kept under a label of its own and wears the label of the schema beside it.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from causetrail.errors import CausetrailError, StoreDamaged, error_table
from kg.addresses import SQLITE_PREFIX, open_store
from kg.apart import run_apart
from kg.embedded_cypher_worker import TWIN
from kg.graph_contents import Edges, Links, Nodes, graph_contents
from kg.graph_schema import Label, Properties
from kg.store import Counts, GraphStore

if TYPE_CHECKING:
    from kglite import KnowledgeGraph

BYTES_PER = {"characters": 3, "passages": 800, "mentions": 2_000, "claims": 3_000, "events": 1_500, "edges": 2_000}
"""Memory of the view, in bytes for each of what `Counts` counts: measured, and rounded up."""
WAIT_SECONDS = 30.0
"""How long a build waits for the store file."""
FLOOR_BYTES = 60_000_000
"""Memory of a view of nothing."""

NODES = "UNWIND $rows AS row CREATE (n:{labels} {{title: null, {properties}}})"
"""kglite makes a title of its own where none is given; one that is null is none, as in the schema."""
LINKS = "UNWIND $rows AS row MATCH (a:{start} {{id: row.a}}) MATCH (b:{end} {{id: row.b}}) CREATE (a)-[:{name}]->(b)"
EDGES = (
    "UNWIND $rows AS row MATCH (a:{start} {{id: row.a}}) MATCH (b:{end} {{id: row.b}})"
    " CREATE (a)-[r:{name} {{{properties}}}]->(b)"
)


def expected_bytes(counts: Sequence[Counts]) -> int:
    """Memory that the view of collections of this size takes, in bytes, rather too much than too little."""
    return FLOOR_BYTES + sum(
        size * int(getattr(collection, name)) for collection in counts for name, size in BYTES_PER.items()
    )


def build_view(store: GraphStore, path: Path) -> bool:
    """Writes the view of all collections into a file.

    Returns:
        Whether two collections hold the same ids, so that there are twins.
    """
    import kglite

    kglite.set_query_warning_policy("silent")
    graph = kglite.KnowledgeGraph()
    loader = _Loader(graph)
    for number, collection in enumerate(store.collections()):
        loader.load(store, collection, number)
    with warnings.catch_warnings():
        # It tells which columns a reader of the file will hold in memory; that is what they are counted as.
        warnings.simplefilter("ignore")
        graph.save(str(path), fsync=False)
    return loader.twins


def build_view_apart(path: Path, target: Path) -> tuple[bool, tuple[tuple[str, int], ...]]:
    """Writes the view of the store file at `path` into `target`, in a process of its own.

    kglite cannot be loaded beside every other library (the memory that the system keeps for variables of threads runs
    out), and what a build takes is given back when the process ends.

    Returns:
        Whether there are twins, and the collections with the generations that were read.

    Raises:
        StoreError: the store cannot be read, or the process ended without an answer.
    """
    done = run_apart("kg.embedded_cypher_view", [str(path), str(target)])
    if not done:
        raise StoreDamaged(path=str(path), what="its Cypher view cannot be built")
    told = json.loads(done)
    if "code" in told:
        kind = next(kind for kind in error_table() if kind.code == told["code"])
        raise kind(**told["details"])
    return told["twins"], tuple((name, generation) for name, generation in told["generations"])


def main() -> None:
    """Builds the view of the store file that the first argument names, and tells of it in a line of JSON."""
    path, target = map(Path, sys.argv[1:3])
    try:
        address = f"{SQLITE_PREFIX}{path}"
        with (
            open_store(address, wait_seconds=WAIT_SECONDS, lease_seconds=1.0, read_only=True) as store,
            store.snapshot(),
        ):
            generations = [(name, store.generation(name)) for name in store.collections()]
            told = {"twins": build_view(store, target), "generations": generations}
    except CausetrailError as error:
        told = {"code": error.code, "details": {key: str(value) for key, value in error.details.items()}}
    sys.stdout.write(json.dumps(told) + "\n")


class _Loader:
    def __init__(self, graph: KnowledgeGraph) -> None:
        self._graph = graph
        self._seen: dict[Label, set[str]] = {label: set() for label in Label}
        self._kept_apart: dict[Label, set[str]] = {}
        self._number = 0
        self.twins = False

    def load(self, store: GraphStore, collection: str, number: int) -> None:
        self._number = number
        self._kept_apart = {label: set() for label in Label}
        for part in graph_contents(store, collection):
            match part:
                case Nodes(label, styles, rows):
                    self._add_nodes(label, styles, rows)
                case Links(start, name, end, pairs):
                    rows = [{"a": a, "b": b} for a, b in pairs]
                    self._relate(LINKS, start, name, end, rows)
                case Edges(name, edges):
                    rows = [{"a": a, "b": b} | properties for a, b, properties in edges]
                    self._relate(EDGES, Label.EVENT, name, Label.EVENT, rows)
        self.twins = self.twins or any(self._kept_apart.values())

    def _add_nodes(self, label: Label, styles: tuple[str, ...], rows: list[Properties]) -> None:
        seen = self._seen[label]
        twins = {row["id"] for row in rows if row["id"] in seen}
        seen.update(row["id"] for row in rows)
        self._kept_apart[label] |= twins
        worn = "".join(f":{style}" for style in styles)
        for labels, part in (
            (f"{label}{worn}", [row for row in rows if row["id"] not in twins]),
            (f"{self._apart(label)}:{label}{worn}", [row for row in rows if row["id"] in twins]),
        ):
            self._run(NODES, part, (), labels=labels)

    def _relate(self, template: str, start: Label, name: str, end: Label, rows: list[Properties]) -> None:
        groups: dict[tuple[str, str], list[Properties]] = {}
        for row in rows:
            groups.setdefault((self._stored(start, row["a"]), self._stored(end, row["b"])), []).append(row)
        for (first, second), part in sorted(groups.items()):
            self._run(template, part, ("a", "b"), start=first, name=name, end=second)

    def _run(self, template: str, rows: list[Properties], without: tuple[str, ...], **names: str) -> None:
        if rows:
            told = sorted({key for row in rows for key in row}.difference(without))
            properties = ", ".join(f"`{key}`: row.`{key}`" for key in told)
            self._graph.cypher(template.format(properties=properties, **names), params={"rows": rows}, timeout_ms=0)

    def _stored(self, label: Label, node_id: str) -> str:
        return self._apart(label) if node_id in self._kept_apart[label] else label.value

    def _apart(self, label: Label) -> str:
        return f"{label}{TWIN}{self._number}"
