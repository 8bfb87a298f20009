"""Checks the rows of the embedded store one by one, past wrong checksums and unreadable rows.

Tables are walked by their keys, not through indexes, because a damaged index would hide rows. What a record points to
is looked up in what the walk has seen.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from causetrail.errors import StoreDamaged
from kg.record_tables import CLAIMS, DECISIONS, EDGES, EVENTS, MENTIONS, PASSAGES, digest_of
from kg.records import record_id
from kg.sqlite_connection import Row, StoreFile
from kg.sqlite_rederivation import differences
from kg.sqlite_sources import DOCUMENT_COLUMNS, SOURCE_COLUMNS
from kg.sqlite_tables import CHUNK
from kg.store import Progress
from kg.verify import Fault

Fields = dict[str, Any]

_ID_PARTS = {
    "passage": ("p", ("document_id", "ordinal", "start", "end", "kind")),
    "mention": ("m", ("document_id", "start", "end")),
    "claim": (
        "c",
        ("document_id", "relation", "cause_mention", "effect_mention", "start", "end", "cue", "extractor"),
    ),
}
"""The prefix and the fields that each id is the hash of."""

_WALKED = frozenset(
    {
        *("document", "document_text", "source", "passage", "passage_vector", "mention", "mention_vector"),
        *("claim", "decision", "event", "edge"),
    }
)
"""Tables that are walked by key. Where any other, or an index, is damaged, the graph cannot be derived anew."""

_ALTERED = "its fields are not the ones that were written"


class Verification:
    """One pass over a file."""

    def __init__(self, path: Path, address: str) -> None:
        self._file = StoreFile(path, address, wait_seconds=1.0, read_only=True, create=False, checksums=False)
        self.checked: Counter[str] = Counter()
        self._ids: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self._texts: dict[tuple[str, str], int] = {}
        self._open_text: tuple[tuple[str, str], str] | None = None
        self._faults: list[Fault] = []
        self._progress: Progress | None = None

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
        self._check("document", DOCUMENT_COLUMNS, self._document, collection)
        self._check("source", SOURCE_COLUMNS, self._source, collection)
        self._check("passage", PASSAGES.columns, self._passage, collection)
        self._check("mention", MENTIONS.columns, self._mention, collection)
        self._check("claim", CLAIMS.columns, self._claim, collection)
        self._check("decision", DECISIONS.columns, lambda _: [], collection)
        self._check("event", EVENTS.columns, lambda _: [], collection)
        self._check("edge", EDGES.columns, self._edge, collection)
        self._documents_without_source(collection)
        if set(pages) <= owners.keys() and set(owners.values()) <= _WALKED and not self._unreadable():
            self._derived(collection)
        else:
            self._faults.append(Fault("table", "edge", None, "the graph was not derived anew: its tables are damaged"))
        return self._faults

    def _check(
        self, kind: str, columns: Sequence[str], check: Callable[[Fields], list[str]], collection: str | None
    ) -> None:
        """Walks the table of one kind of record and notes what is wrong with each."""
        total = self._total(kind)
        for fields in self._walk(kind, columns):
            if collection is not None and fields["collection"] != collection:
                continue
            fields.pop("key")
            digest = fields.pop("digest")
            try:
                wrong = [] if digest_of(fields) == digest else [_ALTERED]
                wrong += check(fields)
            except (TypeError, ValueError):
                wrong = ["its fields are not even of the type that was written"]
            name = _name(kind, fields)
            self._ids[kind].add((fields["collection"], name))
            if wrong:
                self._faults.append(Fault(kind, name, fields.get("document_id"), "; ".join(wrong)))
            self.checked[kind] += 1
            if self._progress is not None and self.checked[kind] % CHUNK == 0:
                self._progress(kind, self.checked[kind], total)

    def _document(self, fields: Fields) -> list[str]:
        text = self._text((fields["collection"], fields["id"]))
        if text is None:
            return ["its text is missing or cannot be read"]
        wrong = []
        found = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if found != fields["sha256"]:
            wrong.append("its text is not the one that was written")
        elif record_id("d", found) != fields["id"]:
            wrong.append("its id is not the hash of its text")
        return wrong

    def _source(self, fields: Fields) -> list[str]:
        return self._missing("document", fields)

    def _passage(self, fields: Fields) -> list[str]:
        return self._missing("document", fields) + _wrong_id("passage", fields)

    def _mention(self, fields: Fields) -> list[str]:
        return self._missing("document", fields) + _wrong_id("mention", fields) + self._wrong_quote(fields, "text")

    def _claim(self, fields: Fields) -> list[str]:
        wrong = self._missing("document", fields) + _wrong_id("claim", fields) + self._wrong_quote(fields, "quote")
        for end in ("cause_mention", "effect_mention"):
            if (fields["collection"], fields[end]) not in self._ids["mention"]:
                wrong.append(f"its {end.replace('_', ' ')} is missing")
        return wrong

    def _edge(self, fields: Fields) -> list[str]:
        return [
            f"its {end} is missing"
            for end in ("cause", "effect")
            if (fields["collection"], fields[end]) not in self._ids["event"]
        ]

    def _missing(self, kind: str, fields: Fields) -> list[str]:
        there = (fields["collection"], fields["document_id"]) in self._ids[kind]
        return [] if there else ["its document is missing"]

    def _wrong_quote(self, fields: Fields, field: str) -> list[str]:
        text = self._text((fields["collection"], fields["document_id"]))
        start, end = fields["start"], fields["end"]
        if text is None or text[max(start, 0) : max(end, 0)] == fields[field]:
            return []
        return ["its words are not what stands at its offsets"]

    def _documents_without_source(self, collection: str | None) -> None:
        given = {(row["collection"], row["document_id"]) for row in self._walk("source", SOURCE_COLUMNS, quiet=True)}
        for owner, id_ in sorted(self._ids["document"] - given, key=repr):
            if collection in {None, owner}:
                self._faults.append(Fault("document", id_, id_, "no source gives it"))

    def _derived(self, collection: str | None) -> None:
        """Derives the graph once more from the records that have no fault, and notes what differs."""
        wrong = {fault.id for fault in self._faults}
        owners = sorted({owner for kind in ("event", "mention") for owner, _ in self._ids[kind]}, key=repr)
        for owner in owners:
            if collection in {None, owner}:
                found = differences(self._file, owner, wrong)
                self._faults += [Fault(kind, id_, None, what) for kind, id_, what in found]

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
        return self._walk("document_text", ("collection", "document_id"), key="rowid", digest=False)

    def _walk(
        self, table: str, columns: Sequence[str], *, key: str = '"key"', digest: bool = True, quiet: bool = False
    ) -> Iterator[Fields]:
        """Rows of a table by key, going on behind those that cannot be read."""
        names = [*columns, "digest"] if digest else list(columns)
        quoted = ", ".join(f'"{name}"' for name in names)
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
                yield dict(zip(("key", *names), row, strict=True))
        if unreadable and not quiet:
            self._faults.append(Fault("table", table, None, f"about {unreadable} row(s) cannot be read"))

    def _last_key(self, table: str, key: str) -> int:
        try:
            return int(self._file.rows(f"SELECT coalesce(max({key}), 0) FROM {table}")[0][0])  # noqa: S608
        except StoreDamaged:
            return 0

    def _total(self, table: str) -> int:
        return self._last_key(table, '"key"')


def _wrong_id(kind: str, fields: Fields) -> list[str]:
    prefix, parts = _ID_PARTS[kind]
    expected = record_id(prefix, *(fields[part] for part in parts))
    return [] if fields["id"] == expected else ["its id is not the hash of its fields"]


def _name(kind: str, fields: Fields) -> str:
    match kind:
        case "edge":
            return f"{fields['cause']} {fields['relation']} {fields['effect']}"
        case "source":
            return str(fields["name"])
        case _:
            return str(fields["id"])
