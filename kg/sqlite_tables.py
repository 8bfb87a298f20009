"""What the parts of the embedded store share: the file, the generation, and reading records by their ids."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from kg.asked_order import chunks, in_asked_order, vectors_as_asked
from kg.backend import Backend
from kg.encoding import Vectors
from kg.record_tables import RecordTable, Row
from kg.records import Record
from kg.sqlite_connection import StoreFile

R = TypeVar("R", bound=Record)
T = TypeVar("T")

CHUNK = 500
"""Most ids that one statement asks for, and most rows that an iterator reads at once."""

_FORGOTTEN = ""
"""Row of `collection` that holds the largest generation of those that were forgotten; no collection has this name."""


class StoreTables(Backend):
    """One part of the embedded store over a file that all parts share."""

    def __init__(self, file: StoreFile) -> None:
        self._file = file

    @property
    def _place(self) -> str:
        return str(self._file.path)

    @property
    def _wait_seconds(self) -> float:
        return self._file.wait_seconds

    def _transact(self, collection: str, work: Callable[[], T]) -> T:
        """Writers of all collections take turns: the file has one writer at a time."""
        with self._file.writing():
            return work()

    def generation(self, collection: str) -> int:
        """Grows with every committed change of the collection; 0 when it never held anything."""
        found = self._file.rows("SELECT generation FROM collection WHERE name = ?", (collection,))
        return int(found[0][0]) if found else 0

    def _advance(self, collection: str) -> None:
        """Counts one committed change; inside `writing`."""
        self._file.rows(
            "INSERT INTO collection (name, generation, resolver)"
            " VALUES (?, 1 + coalesce((SELECT generation FROM collection WHERE name = ?), 0), '')"
            " ON CONFLICT (name) DO UPDATE SET generation = generation + 1",
            (collection, _FORGOTTEN),
        )

    def _forget(self, collection: str) -> None:
        for table in ("decision", "decision_subject", "hypothesis", "mark", "lease"):
            self._file.rows(f"DELETE FROM {table} WHERE collection = ?", (collection,))  # noqa: S608 - constants
        self._file.rows(
            "INSERT INTO collection (name, generation, resolver)"
            " SELECT ?, generation, '' FROM collection WHERE name = ?"
            " ON CONFLICT (name) DO UPDATE SET generation = max(generation, excluded.generation)",
            (_FORGOTTEN, collection),
        )
        self._file.rows("DELETE FROM collection WHERE name = ?", (collection,))

    def _resolver_of(self, collection: str) -> str | None:
        rows = self._file.rows("SELECT resolver FROM collection WHERE name = ?", (collection,))
        return rows[0][0] if rows else None

    def _set_resolver(self, collection: str, version: str) -> None:
        self._file.rows("UPDATE collection SET resolver = ? WHERE name = ?", (version, collection))

    def _rows_in(self, sql: str, collection: str, ids: Sequence[str]) -> list[Row]:
        """Rows of a statement that takes the collection and a JSON list of ids, asked in chunks."""
        found: list[Row] = []
        for part in chunks(ids, CHUNK):
            found.extend(self._file.rows(sql, (collection, json.dumps(part))))
        return found

    def _by_ids(self, table: RecordTable[R], collection: str, ids: Sequence[str]) -> dict[str, Row]:
        """Rows of a table by id, in the order of first asking; unknown ids are left out."""
        sql = f"{table.select} WHERE collection = ? AND id IN (SELECT value FROM json_each(?))"  # noqa: S608
        at = table.columns.index("id")
        found = {row[at]: row for row in self._rows_in(sql, collection, list(dict.fromkeys(ids)))}
        return in_asked_order(found, ids)

    def _paged(self, sql: str, collection: str, at: int) -> Iterator[Row]:
        """Rows of a statement that takes collection, an exclusive lower bound of column `at`, and a limit."""
        bound = ""
        while rows := self._file.rows(sql, (collection, bound, CHUNK)):
            yield from rows
            bound = rows[-1][at]

    def _vectors(self, table: str, kind: str, collection: str, ids: Sequence[str]) -> Vectors:
        sql = f"SELECT id, vector FROM {table} WHERE collection = ? AND id IN (SELECT value FROM json_each(?))"  # noqa: S608
        found: dict[str, bytes] = dict(self._rows_in(sql, collection, list(dict.fromkeys(ids))))
        blobs = vectors_as_asked(found, kind, collection, ids)
        if not blobs:
            return np.zeros((0, 0), dtype=np.float32)
        return np.frombuffer(b"".join(blobs), dtype="<f4").astype(np.float32).reshape(len(blobs), len(blobs[0]) // 4)


def insert_statement(table: str, columns: Sequence[str]) -> str:
    """`INSERT` of a row of these columns and its digest."""
    marks = ", ".join("?" for _ in range(len(columns) + 1))
    return f"INSERT INTO {table} ({', '.join(columns)}, digest) VALUES ({marks})"  # noqa: S608 - names are constants


def vector_blob(vector: Vectors) -> bytes:
    """A vector as little-endian 32-bit floats."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()
