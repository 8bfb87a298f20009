"""Sources and what a document has of its own, as rows with digests, and the record they make together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from causetrail.errors import StoreDamaged
from kg.record_tables import Row, digest_of, told_json, told_list
from kg.records import Document, Resolution
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


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What a document has of its own, whatever its sources; field by field `DOCUMENT_COLUMNS`.

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


def stored_document(facts: DocumentFacts, sources: Sequence[Source]) -> Document:
    """The record of a stored document; arguments as `document_record`.

    Raises:
        StoreDamaged: it has no source, or another program wrote something that no record can hold.
    """
    try:
        return document_record(facts, [sources[0], *sources[1:]])
    except (ValidationError, IndexError):
        raise _unreadable("document", facts.id) from None


def facts_of(row: Row) -> DocumentFacts:
    """The facts in a row of `DOCUMENT_COLUMNS`.

    Raises:
        StoreDamaged: another program wrote something that no document has.
    """
    for column, value in zip(DOCUMENT_COLUMNS, row, strict=True):
        if not isinstance(value, int if column in {"length", "sentences"} else str):
            raise _unreadable("document", row[1])
    return DocumentFacts(*row)


def rejected_of(text: object) -> dict[str, int]:
    """Number of rejected candidate claims by reason, from `DocumentFacts.rejected`.

    Raises:
        StoreDamaged: another program wrote something else.
    """
    owner = "the rejected claims of a document"
    told = told_json(text, dict, owner)
    if not all(isinstance(number, int) for number in told.values()):
        raise StoreDamaged(path="The store", what=f"{owner} cannot be read")
    return told


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
    """The source of a row of `SOURCE_COLUMNS`.

    Raises:
        StoreDamaged: another program wrote something that no source has.
    """
    fields = dict(zip(SOURCE_COLUMNS, row, strict=True))
    resolution, pages = fields["published_resolution"], told_list(fields["pages"], f"the source {fields['name']}")
    told = [fields["published"] or "", resolution or ""]
    told += [value for column, value in fields.items() if column not in {"published", "published_resolution", "pages"}]
    if not all(isinstance(value, str) for value in told) or resolution not in {None, *Resolution}:
        raise _unreadable("source", fields["name"])
    return Source(
        name=fields["name"],
        raw_sha256=fields["raw_sha256"],
        origin=fields["origin"],
        doc_title=fields["doc_title"],
        published=fields["published"],
        published_resolution=Resolution(resolution) if resolution else None,
        media_type=fields["media_type"],
        pages=tuple(pages),
        normaliser=fields["normaliser"],
    )


def source_state_of(row: Row) -> SourceState:
    """What is known of a source, from a row.

    Args:
        row: Name, origin, document id, hash of the bytes and normaliser of the source; extraction and date of its
            document; date that the least source of the document gives, empty for none.
    """
    name, origin, document_id, raw_sha256, normaliser, extraction, dated, published = row
    # Relative times resolved with another date than the least source gives have to be read again.
    current = extraction if dated == published else ""
    return SourceState(name, origin, document_id, raw_sha256, normaliser, current)


def _unreadable(kind: str, name: object) -> StoreDamaged:
    return StoreDamaged(path="The store", what=f"the {kind} {name} cannot be read")
