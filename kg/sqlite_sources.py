"""Sources and the facts of documents in the embedded store, as rows and as records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from causetrail.errors import DocumentUnknown, StoreDamaged
from kg.record_tables import digest_of
from kg.records import Document, Resolution
from kg.sqlite_connection import Row
from kg.sqlite_tables import CHUNK, StoreTables
from kg.store import Source, SourceState

SOURCE_COLUMNS = (
    "collection",
    "name",
    "document_id",
    "origin",
    "raw_sha256",
    "doc_title",
    "published",
    "published_resolution",
    "media_type",
    "pages",
    "normaliser",
)
DOCUMENT_COLUMNS = (
    "collection",
    "id",
    "language",
    "length",
    "sha256",
    "extraction",
    "dated",
    "sentences",
    "rejected",
    "sketch",
)

_SELECT_SOURCES = f"SELECT {', '.join(SOURCE_COLUMNS)} FROM source"  # noqa: S608 - names are constants
_SELECT_STATES = (
    "SELECT source.name, source.origin, source.document_id, source.raw_sha256, source.normaliser, document.extraction,"
    " document.dated, (SELECT coalesce(least.published, '') FROM source AS least WHERE least.collection ="
    " source.collection AND least.document_id = source.document_id ORDER BY least.name LIMIT 1)"
    " FROM source JOIN document ON document.collection = source.collection AND document.id = source.document_id"
)


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What a document has of its own, whatever its sources; field by field the columns of its table.

    Attributes:
        dated: Date of publication that its relative times were resolved with; empty for none.
        rejected: Number of rejected candidate claims by reason, as JSON.
        sketch: Sketch of its words for finding near-copies.
    """

    collection: str
    id: str
    language: str
    length: int
    sha256: str
    extraction: str
    dated: str
    sentences: int
    rejected: str
    sketch: str

    def to_row(self) -> tuple[object, ...]:
        """The row, its digest last."""
        values = [getattr(self, column) for column in DOCUMENT_COLUMNS]
        return (*values, digest_of(dict(zip(DOCUMENT_COLUMNS, values, strict=True))))


class SourceTables(StoreTables):
    """Reads sources and documents."""

    def source_state(self, collection: str, name: str) -> SourceState | None:
        """What is known of a source; none when it was never taken in."""
        rows = self._file.rows(f"{_SELECT_STATES} WHERE source.collection = ? AND source.name = ?", (collection, name))
        return _state(rows[0]) if rows else None

    def sources_of_origin(self, collection: str, origin: str) -> list[SourceState]:
        """All sources that are part of a file, sorted by name."""
        rows = self._file.rows(
            f"{_SELECT_STATES} WHERE source.collection = ? AND source.origin = ? ORDER BY source.name",
            (collection, origin),
        )
        return [_state(row) for row in rows]

    def has_content(self, collection: str, document_id: str, extraction: str) -> bool:
        """Whether this content was already extracted with these rules, so that `add_source` is enough.

        It is not while the times in it were resolved with another date than its least source gives.
        """
        with self._file.reading():
            facts = self._facts(collection, document_id)
            if facts is None or facts.extraction != extraction:
                return False
            return facts.dated == (self._sources(collection, document_id)[0].published or "")

    def document(self, collection: str, document_id: str) -> Document:
        """A document.

        Raises:
            DocumentUnknown: there is none of this id.
        """
        with self._file.reading():
            facts = self._facts(collection, document_id)
            if facts is None:
                raise DocumentUnknown(document=document_id, collection=collection)
            return document_record(facts, self._sources(collection, document_id))

    def documents(self, collection: str) -> Iterator[Document]:
        """All documents, sorted by id."""
        columns = ", ".join(DOCUMENT_COLUMNS)
        sql = f"SELECT {columns} FROM document WHERE collection = ? AND id > ? ORDER BY id LIMIT ?"  # noqa: S608
        bound = ""
        while True:
            with self._file.reading():
                page = [DocumentFacts(*row) for row in self._file.rows(sql, (collection, bound, CHUNK))]
                records = [document_record(facts, self._sources(collection, facts.id)) for facts in page]
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
        return DocumentFacts(*rows[0]) if rows else None

    def _sources(self, collection: str, document_id: str) -> list[Source]:
        """The sources of a document, sorted by name."""
        rows = self._file.rows(
            f"{_SELECT_SOURCES} WHERE collection = ? AND document_id = ? ORDER BY name", (collection, document_id)
        )
        return [source_of(row) for row in rows]


def document_record(facts: DocumentFacts, sources: Sequence[Source]) -> Document:
    """The record of a document: facts of its text, and title, date, format and pages of its least source.

    Args:
        sources: At least one, sorted by name.
    """
    least = sources[0]
    return Document(
        id=facts.id,
        collection=facts.collection,
        sources=tuple(source.name for source in sources),
        doc_title=least.doc_title,
        published=least.published,
        published_resolution=least.published_resolution,
        media_type=least.media_type,
        language=facts.language,
        length=facts.length,
        pages=least.pages,
        sha256=facts.sha256,
        normaliser=least.normaliser,
        extraction=facts.extraction,
    )


def source_row(collection: str, document_id: str, source: Source) -> tuple[object, ...]:
    """The row of a source, its digest last."""
    resolution = source.published_resolution
    values = (
        collection,
        source.name,
        document_id,
        source.origin,
        source.raw_sha256,
        source.doc_title,
        source.published,
        resolution.value if resolution else None,
        source.media_type,
        json.dumps(source.pages),
        source.normaliser,
    )
    return (*values, digest_of(dict(zip(SOURCE_COLUMNS, values, strict=True))))


def source_of(row: Row) -> Source:
    """The source of a row of `SOURCE_COLUMNS`."""
    fields = dict(zip(SOURCE_COLUMNS, row, strict=True))
    resolution = fields["published_resolution"]
    return Source(
        name=fields["name"],
        raw_sha256=fields["raw_sha256"],
        origin=fields["origin"],
        doc_title=fields["doc_title"],
        published=fields["published"],
        published_resolution=Resolution(resolution) if resolution else None,
        media_type=fields["media_type"],
        pages=tuple(json.loads(fields["pages"])),
        normaliser=fields["normaliser"],
    )


def _state(row: Row) -> SourceState:
    name, origin, document_id, raw_sha256, normaliser, extraction, dated, published = row
    # Relative times resolved with another date than the least source gives have to be read again.
    current = extraction if dated == published else ""
    return SourceState(name, origin, document_id, raw_sha256, normaliser, current)
