"""What the parts of the embedded store share: the file, the generation, and reading records by their ids."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from causetrail.errors import RecordInvalid, RecordUnknown
from kg.encoding import Vectors
from kg.record_tables import RecordTable
from kg.records import Record
from kg.sqlite_connection import Row, StoreFile

R = TypeVar("R", bound=Record)
T = TypeVar("T")

CHUNK = 500
"""Most ids that one statement asks for, and most rows that an iterator reads at once."""


class StoreTables:
    """One part of the embedded store over a file that all parts share."""

    def __init__(self, file: StoreFile) -> None:
        self._file = file

    def generation(self, collection: str) -> int:
        """Grows with every committed change of the collection; 0 when it never held anything."""
        found = self._file.rows("SELECT generation FROM collection WHERE name = ?", (collection,))
        return int(found[0][0]) if found else 0

    def _advance(self, collection: str) -> None:
        """Counts one committed change; inside `writing`."""
        self._file.rows(
            "INSERT INTO collection (name, generation, resolver) VALUES (?, 1, '')"
            " ON CONFLICT (name) DO UPDATE SET generation = generation + 1",
            (collection,),
        )

    def _rows_in(self, sql: str, collection: str, ids: Sequence[str]) -> list[Row]:
        """Rows of a statement that takes the collection and a JSON list of ids, asked in chunks."""
        found: list[Row] = []
        for part in chunks(ids):
            found.extend(self._file.rows(sql, (collection, json.dumps(part))))
        return found

    def _by_ids(self, table: RecordTable[R], collection: str, ids: Sequence[str]) -> dict[str, Row]:
        """Rows of a table by id, in the order of first asking; unknown ids are left out."""
        sql = f"{table.select} WHERE collection = ? AND id IN (SELECT value FROM json_each(?))"  # noqa: S608
        at = table.columns.index("id")
        found = {row[at]: row for row in self._rows_in(sql, collection, list(dict.fromkeys(ids)))}
        return {id_: found[id_] for id_ in dict.fromkeys(ids) if id_ in found}

    def _paged(self, sql: str, collection: str, at: int) -> Iterator[Row]:
        """Rows of a statement that takes collection, an exclusive lower bound of column `at`, and a limit."""
        bound = ""
        while rows := self._file.rows(sql, (collection, bound, CHUNK)):
            yield from rows
            bound = rows[-1][at]

    def _vectors(self, table: str, kind: str, collection: str, ids: Sequence[str]) -> Vectors:
        sql = f"SELECT id, vector FROM {table} WHERE collection = ? AND id IN (SELECT value FROM json_each(?))"  # noqa: S608
        found: dict[str, bytes] = dict(self._rows_in(sql, collection, list(dict.fromkeys(ids))))
        missing = next((id_ for id_ in ids if id_ not in found), None)
        if missing is not None:
            raise RecordUnknown(kind=kind, id=missing, collection=collection)
        if not ids:
            return np.zeros((0, 0), dtype=np.float32)
        length = len(found[ids[0]])
        other = next((id_ for id_ in ids if len(found[id_]) != length), None)
        if other is not None:
            raise RecordInvalid(kind=kind, id=other, reason="its vector was made by another encoder than the others")
        joined = b"".join(found[id_] for id_ in ids)
        return np.frombuffer(joined, dtype="<f4").astype(np.float32).reshape(len(ids), length // 4)


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """The items in order, at most `CHUNK` at a time."""
    for at in range(0, len(items), CHUNK):
        yield items[at : at + CHUNK]


def vector_blob(vector: Vectors) -> bytes:
    """A vector as little-endian 32-bit floats."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()
