"""The same nodes and relationships loaded without the program: bare UNWIND batches of 10,000 rows.

The rows are taken from a server that the program's store was loaded into, so they are the very same: all labels, all
properties, all relationships. Constraints and indexes are those of the store, made before the first row.
"""

from __future__ import annotations

import pickle
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j

from kg.graph_schema import Label
from kg.neo4j_schema import META

BATCH = 10_000
"""Rows of a statement."""

_KEYED = frozenset((*(label.value for label in Label), META))
"""Labels with a unique key of collection and id."""

_ALL_NODES = "MATCH (n) WHERE NOT (n.collection = '' AND n.id = 'schema') RETURN labels(n), properties(n)"
_ALL_RELATIONSHIPS = """
MATCH (a)-[r]->(b)
RETURN type(r), labels(a), a.collection, a.id, labels(b), b.collection, b.id, properties(r)
"""


class BareRows:
    """What a loaded server holds, in files of a folder, a file for the rows of each statement.

    Attributes:
        nodes: Number of nodes.
        relationships: Number of relationships.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.nodes = 0
        self.relationships = 0
        self._statements: list[tuple[str, Path]] = []

    def take(self, driver: neo4j.Driver) -> None:
        """Reads everything from a server, but what the schema itself left there."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with driver.session(database="neo4j", fetch_size=BATCH) as session:
            self.nodes = self._keep(_node_rows(session))
            self.relationships = self._keep(_relationship_rows(session))

    def load(self, driver: neo4j.Driver) -> float:
        """Loads everything into a database that has the schema alone; the seconds that the statements took."""
        spent = 0.0
        with driver.session(database="neo4j") as session:
            for statement, path in self._statements:
                for rows in _batches(path):
                    started = time.perf_counter()
                    session.run(statement, rows=rows).consume()
                    spent += time.perf_counter() - started
        return spent

    def _keep(self, rows: Iterator[tuple[str, dict[str, Any]]]) -> int:
        """Writes rows to the files of their statements; the number of rows."""
        waiting: dict[str, list[dict[str, Any]]] = defaultdict(list)
        paths: dict[str, Path] = {}
        count = 0
        for statement, row in rows:
            if statement not in paths:
                paths[statement] = self._folder / f"{len(self._statements)}.rows"
                paths[statement].unlink(missing_ok=True)
                self._statements.append((statement, paths[statement]))
            waiting[statement].append(row)
            count += 1
            if len(waiting[statement]) == BATCH:
                _append(paths[statement], waiting.pop(statement))
        for statement, left in waiting.items():
            _append(paths[statement], left)
        return count


def _node_rows(session: neo4j.Session) -> Iterator[tuple[str, dict[str, Any]]]:
    for labels, properties in session.run(_ALL_NODES):
        yield f"UNWIND $rows AS row CREATE (n:{':'.join(sorted(labels))}) SET n = row", properties


def _relationship_rows(session: neo4j.Session) -> Iterator[tuple[str, dict[str, Any]]]:
    for type_, from_labels, from_collection, from_id, to_labels, to_collection, to_id, told in session.run(
        _ALL_RELATIONSHIPS
    ):
        start, end = (next(iter(_KEYED.intersection(labels))) for labels in (from_labels, to_labels))
        statement = (
            f"UNWIND $rows AS row MATCH (a:{start} {{collection: row.ac, id: row.a}})"
            f" MATCH (b:{end} {{collection: row.bc, id: row.b}}) CREATE (a)-[r:{type_}]->(b)"
        )
        row: dict[str, Any] = {"ac": from_collection, "a": from_id, "bc": to_collection, "b": to_id}
        if told:
            statement += " SET r = row.properties"
            row["properties"] = told
        yield statement, row


def _append(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("ab") as file:
        pickle.dump(rows, file, protocol=pickle.HIGHEST_PROTOCOL)


def _batches(path: Path) -> Iterator[list[dict[str, Any]]]:
    with path.open("rb") as file:
        while True:
            try:
                yield pickle.load(file)
            except EOFError:
                return
