"""Checks the rows of the embedded store one by one, past wrong checksums and unreadable rows.

Tables are walked by their keys, not through indexes, because a damaged index would hide rows. What a record points to
is looked up in what the walk has seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from causetrail.errors import StoreDamaged
from kg.faults import Fault
from kg.record_checks import Fields, RecordChecks
from kg.record_tables import Row
from kg.resolution import Resolver
from kg.sqlite_connection import StoreFile
from kg.sqlite_store import UncheckedTables
from kg.sqlite_tables import CHUNK
from kg.store import Progress

_WALKED = frozenset(
    {
        *("document", "document_text", "source", "passage", "passage_vector", "mention", "mention_vector"),
        *("claim", "decision", "hypothesis", "event", "edge"),
    }
)
"""Tables that are walked by key. Where any other, or an index, is damaged, the graph cannot be derived anew."""


class Verification(RecordChecks):
    """One pass over a file."""

    def __init__(self, path: Path, address: str, resolver: Resolver | None) -> None:
        super().__init__()
        self._resolver = resolver
        self._file = StoreFile(path, address, wait_seconds=1.0, read_only=True, create=False, checksums=False)
        self._texts: dict[tuple[str, str], int] = {}
        self._open_text: tuple[tuple[str, str], str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def faults(self, collection: str | None, progress: Progress | None) -> list[Fault]:
        """All that is wrong in one collection, or in all of them."""
        self._progress = progress
        pages = self._file.damaged_pages()
        owners = self._owners(pages)
        self._faults = [
            Fault(
                "page", str(number), None, f"its checksum is wrong; it belongs to {owners.get(number, 'nothing known')}"
            )
            for number in pages
        ]
        self._texts = {(row["collection"], row["document_id"]): row["key"] for row in self._walk_texts()}
        self._check_records(collection)
        if set(pages) <= owners.keys() and set(owners.values()) <= _WALKED and not self._unreadable():
            self._check_derived(UncheckedTables(self._file), collection, self._resolver)
        else:
            self._faults.append(Fault("table", "edge", None, "the graph was not derived anew: its tables are damaged"))
        return self._faults

    def _owners(self, pages: Sequence[int]) -> dict[int, str]:
        """The table or index that each page belongs to, as far as it can be told."""
        if not pages:
            return {}
        sql = "SELECT pageno, name FROM dbstat WHERE pageno IN (SELECT value FROM json_each(?))"
        try:
            return dict(self._file.rows(sql, (json.dumps(pages),)))
        except StoreDamaged:
            return {}

    def _unreadable(self) -> bool:
        return any(fault.kind == "table" for fault in self._faults)

    def _text(self, document: tuple[str, str]) -> str | None:
        """The text of a document; the last one is kept, because records of a document stand together."""
        if self._open_text is not None and self._open_text[0] == document:
            return self._open_text[1]
        if document not in self._texts:
            return None
        try:
            rows = self._file.rows("SELECT text FROM document_text WHERE rowid = ?", (self._texts[document],))
        except StoreDamaged:
            return None
        if not rows:
            return None
        self._open_text = (document, str(rows[0][0]))
        return self._open_text[1]

    def _walk_texts(self) -> Iterator[Fields]:
        return self._walk_by_key("document_text", ("collection", "document_id"), key="rowid")

    def _walk(self, kind: str, columns: Sequence[str]) -> Iterator[Fields]:
        if not self._has_table(kind):
            # A file of an earlier version, which is read as it is.
            return
        for fields in self._walk_by_key(kind, (*columns, "digest")):
            fields.pop("key")
            yield fields

    def _walk_by_key(self, table: str, columns: Sequence[str], *, key: str = '"key"') -> Iterator[Fields]:
        """Rows of a table by key, going on behind those that cannot be read."""
        quoted = ", ".join(f'"{name}"' for name in columns)
        sql = f"SELECT {key}, {quoted} FROM {table} WHERE {key} > ? ORDER BY {key} LIMIT ?"  # noqa: S608 - constants
        bound, chunk, unreadable = 0, CHUNK, 0
        while True:
            try:
                rows: list[Row] = self._file.rows(sql, (bound, chunk))
            except StoreDamaged:
                if chunk > 1:
                    chunk = 1
                    continue
                unreadable += 1
                bound += 1
                if bound >= self._last_key(table, key):
                    break
                continue
            if not rows:
                break
            bound = rows[-1][0]
            if chunk == 1 and bound % CHUNK == 0:
                chunk = CHUNK
            for row in rows:
                yield dict(zip(("key", *columns), row, strict=True))
        if unreadable:
            self._faults.append(Fault("table", table, None, f"about {unreadable} row(s) cannot be read"))

    def _has_table(self, name: str) -> bool:
        try:
            return bool(self._file.rows("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", (name,)))
        except StoreDamaged:
            return True

    def _last_key(self, table: str, key: str) -> int:
        try:
            return int(self._file.rows(f"SELECT coalesce(max({key}), 0) FROM {table}")[0][0])  # noqa: S608
        except StoreDamaged:
            return 0

    def _total(self, table: str) -> int:
        return self._last_key(table, '"key"') if self._has_table(table) else 0
