"""What a document costs the embedded store follows the document: no statement reads a table from end to end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.graph_generator import COLLECTION, ByWords, GeneratedGraph
from kg.records import Document
from kg.sqlite_connection import StoreFile
from kg.sqlite_store import SqliteStore

# What a person decided, what is marked and who derives are few; how much there is is counted after each derivation.
FEW = ("decision", "decision_subject", "lease", "mark")
COUNTS = "SELECT (SELECT count(*)"


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """Steps that read a whole table, or all of a collection, with the statement, as they are run."""
    found: set[tuple[str, str]] = set()
    rows = StoreFile.rows

    def explained(self: StoreFile, sql: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        if not sql.startswith(COUNTS):
            steps = [str(step) for *_, step in rows(self, f"EXPLAIN QUERY PLAN {sql}", parameters)]
            found.update((step, sql) for step in steps if reads_all(step))
        return rows(self, sql, parameters)

    monkeypatch.setattr(StoreFile, "rows", explained)
    return found


def reads_all(step: str) -> bool:
    """Whether a step of a plan goes through a table, or through a collection, that grows with the documents."""
    verb, table = step.split()[:2]
    if "VIRTUAL TABLE" in step or table in FEW:
        return False
    return verb == "SCAN" or (verb == "SEARCH" and step.endswith("(collection=?)"))


def test_a_document_is_written_and_deleted_by_indexes(tmp_path: Path, faults: set[tuple[str, str]]) -> None:
    graph = GeneratedGraph(160)
    with SqliteStore(tmp_path / "graph.db", wait_seconds=10, lease_seconds=10) as store:
        for bundle in graph.bundles():
            store.commit_document(bundle)
        store.derive(COLLECTION, ByWords())
        faults.clear()
        store.delete_document(COLLECTION, Document.id_of(graph.bundle(3).text))
        store.derive(COLLECTION, ByWords())
        store.commit_document(graph.bundle(3))
        store.derive(COLLECTION, ByWords())
        assert faults == set()
        store._file.rows("SELECT id FROM mention WHERE collection = ?", (COLLECTION,))
        assert len(faults) == 1, "a statement that reads all would be found"
