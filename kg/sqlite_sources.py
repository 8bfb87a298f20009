"""Sources and the facts of documents in the embedded store, as rows and as records."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from causetrail.errors import DocumentUnknown, StoreDamaged
from kg.document_facts import (
    DOCUMENT_COLUMNS,
    SOURCE_COLUMNS,
    DocumentFacts,
    facts_of,
    source_of,
    source_row,
    source_state_of,
    stored_document,
)
from kg.records import Document
from kg.sqlite_tables import CHUNK, StoreTables, insert_statement
from kg.store import Source, SourceState

_INSERT_SOURCE = insert_statement("source", SOURCE_COLUMNS)
_SELECT_SOURCES = f"SELECT {', '.join(SOURCE_COLUMNS)} FROM source"  # noqa: S608 - names are constants
_SELECT_STATES = (
    "SELECT source.name, source.origin, source.document_id, source.raw_sha256, source.normaliser, document.extraction,"
    " document.dated, (SELECT coalesce(least.published, '') FROM source AS least WHERE least.collection ="
    " source.collection AND least.document_id = source.document_id ORDER BY least.name LIMIT 1)"
    " FROM source JOIN document ON document.collection = source.collection AND document.id = source.document_id"
)


class SourceTables(StoreTables):
    """Reads sources and documents."""

    def source_state(self, collection: str, name: str) -> SourceState | None:
        """What is known of a source; none when it was never taken in."""
        rows = self._file.rows(f"{_SELECT_STATES} WHERE source.collection = ? AND source.name = ?", (collection, name))
        return source_state_of(rows[0]) if rows else None

    def sources_of_origin(self, collection: str, origin: str) -> list[SourceState]:
        """All sources that are part of a file, sorted by name."""
        rows = self._file.rows(
            f"{_SELECT_STATES} WHERE source.collection = ? AND source.origin = ? ORDER BY source.name",
            (collection, origin),
        )
        return [source_state_of(row) for row in rows]

    def has_content(self, collection: str, document_id: str, extraction: str) -> bool:
        """Whether this content was already extracted with these rules, so that `add_source` is enough.

        It is not while the times in it were resolved with another date than its least source gives.
        """
        with self._file.reading():
            facts = self._facts(collection, document_id)
            if facts is None or facts.extraction != extraction:
                return False
            return facts.dated == (stored_document(facts, self.sources(collection, document_id)).published or "")

    def document(self, collection: str, document_id: str) -> Document:
        """A document.

        Raises:
            DocumentUnknown: there is none of this id.
        """
        with self._file.reading():
            facts = self._facts(collection, document_id)
            if facts is None:
                raise DocumentUnknown(document=document_id, collection=collection)
            return stored_document(facts, self.sources(collection, document_id))

    def documents(self, collection: str) -> Iterator[Document]:
        """All documents, sorted by id."""
        columns = ", ".join(DOCUMENT_COLUMNS)
        sql = f"SELECT {columns} FROM document WHERE collection = ? AND id > ? ORDER BY id LIMIT ?"  # noqa: S608
        bound = ""
        while True:
            with self._file.reading():
                page = [facts_of(row) for row in self._file.rows(sql, (collection, bound, CHUNK))]
                records = [stored_document(facts, self.sources(collection, facts.id)) for facts in page]
            yield from records
            if not records:
                return
            bound = records[-1].id

    def document_text(self, collection: str, document_id: str) -> str:
        """The normalised text; checked against its sha256.

        Raises:
            DocumentUnknown: there is none of this id.
            StoreDamaged: the text is not the one that was written.
        """
        rows = self._file.rows(
            "SELECT document_text.text, document.sha256 FROM document JOIN document_text"
            " ON document_text.collection = document.collection AND document_text.document_id = document.id"
            " WHERE document.collection = ? AND document.id = ?",
            (collection, document_id),
        )
        if not rows:
            raise DocumentUnknown(document=document_id, collection=collection)
        text, expected = rows[0]
        if sha256(text.encode("utf-8")).hexdigest() != expected:
            raise StoreDamaged(path=str(self._file.path), what=f"the text of document {document_id} was altered")
        return str(text)

    def _facts(self, collection: str, document_id: str) -> DocumentFacts | None:
        rows = self._file.rows(
            f"SELECT {', '.join(DOCUMENT_COLUMNS)} FROM document WHERE collection = ? AND id = ?",  # noqa: S608
            (collection, document_id),
        )
        return facts_of(rows[0]) if rows else None

    def sources(self, collection: str, document_id: str) -> list[Source]:
        """All sources of a document, sorted by name; none when there is no such document."""
        rows = self._file.rows(
            f"{_SELECT_SOURCES} WHERE collection = ? AND document_id = ? ORDER BY name", (collection, document_id)
        )
        return [source_of(row) for row in rows]

    def _source_held(self, collection: str, name: str) -> tuple[str, bytes] | None:
        rows = self._file.rows(
            "SELECT document_id, digest FROM source WHERE collection = ? AND name = ?", (collection, name)
        )
        return (rows[0][0], rows[0][1]) if rows else None

    def _insert_source(self, collection: str, document_id: str, source: Source) -> None:
        self._file.rows(_INSERT_SOURCE, source_row(collection, document_id, source))

    def _delete_source(self, collection: str, name: str) -> None:
        self._file.rows("DELETE FROM source WHERE collection = ? AND name = ?", (collection, name))

    def _delete_sources_of(self, collection: str, document_id: str) -> None:
        self._file.rows("DELETE FROM source WHERE collection = ? AND document_id = ?", (collection, document_id))
