"""Sources and documents on the server, and what is found in them, as they are written, read and deleted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from pydantic import ValidationError

from causetrail.errors import DocumentUnknown, StoreDamaged
from kg import neo4j_queries as queries
from kg.containment import contained
from kg.document_facts import DocumentFacts, facts_of, source_of, source_row, source_state_of, stored_document
from kg.graph_schema import Label, Properties, passage_properties
from kg.neo4j_rows import FOUND, NODES, VECTOR_DIGEST, digest_bytes, found_digests, vector_digest
from kg.neo4j_tables import ServerTables
from kg.pages import page_at
from kg.record_tables import CLAIMS, MENTIONS, PASSAGES, Row
from kg.records import Document
from kg.store import Bundle, Source, SourceState

DOCUMENTS_AT_ONCE = 200
"""Documents read from the server at once."""


class DocumentNodes(ServerTables):
    """Documents and their sources. A document's node has the fields of its record, which follow its least source."""

    def source_state(self, collection: str, name: str) -> SourceState | None:
        """What is known of a source; none when it was never taken in."""
        found = self._rows(queries.SOURCE_STATE, collection, id=name)
        return source_state_of(found[0]) if found else None

    def sources_of_origin(self, collection: str, origin: str) -> list[SourceState]:
        """All sources that are part of a file, sorted by name."""
        found = self._rows(queries.SOURCES_OF_ORIGIN, collection, id=origin)
        return sorted(map(source_state_of, found), key=lambda state: state.name)

    def sources(self, collection: str, document_id: str) -> list[Source]:
        """All sources of a document, sorted by name; none when there is no such document."""
        found = self._rows(queries.SOURCES_OF, collection, id=document_id)
        return sorted((source_of(NODES[Label.SOURCE].row(row)) for row in found), key=lambda source: source.name)

    def has_content(self, collection: str, document_id: str, extraction: str) -> bool:
        """Whether this content was already extracted with these rules, so that `add_source` is enough.

        It is not while the times in it were resolved with another date than its least source gives.
        """
        found = self._rows(queries.DOCUMENT, collection, id=document_id)
        if not found:
            return False
        told: Properties = found[0][0]
        return bool(told["extraction"] == extraction and told["dated"] == told.get("published", ""))

    def document(self, collection: str, document_id: str) -> Document:
        """A document.

        Raises:
            DocumentUnknown: there is none of this id.
        """
        found = self._rows(queries.DOCUMENT, collection, id=document_id)
        if not found:
            raise DocumentUnknown(document=document_id, collection=collection)
        return _document(found[0][0])

    def documents(self, collection: str) -> Iterator[Document]:
        """All documents, sorted by id."""
        after = ""
        while found := self._rows(queries.DOCUMENTS, collection, after=after, limit=DOCUMENTS_AT_ONCE):
            for row in found:
                yield _document(row[0])
            after = found[-1][0]["id"]

    def document_text(self, collection: str, document_id: str) -> str:
        """The normalised text; checked against its sha256.

        Raises:
            DocumentUnknown: there is none of this id.
            StoreDamaged: the text is not the one that was written.
        """
        found = self._rows(queries.DOCUMENT_TEXT, collection, id=document_id)
        if not found:
            raise DocumentUnknown(document=document_id, collection=collection)
        text, expected = found[0]
        if not isinstance(text, str) or sha256(text.encode("utf-8")).hexdigest() != expected:
            raise StoreDamaged(path=self._place, what=f"the text of document {document_id} was altered")
        return text

    def _facts(self, collection: str, document_id: str) -> DocumentFacts | None:
        found = self._rows(queries.FACTS, collection, id=document_id)
        return facts_of(NODES[Label.DOCUMENT].row(found[0])) if found else None

    def _source_held(self, collection: str, name: str) -> tuple[str, bytes] | None:
        found = self._rows(queries.SOURCE_HELD, collection, id=name)
        return (found[0][0], digest_bytes(found[0][1])) if found else None

    def _insert_source(self, collection: str, document_id: str, source: Source) -> None:
        properties = NODES[Label.SOURCE].properties(source_row(collection, document_id, source))
        self._follow_sources(
            collection, self._rows(queries.INSERT_SOURCE, collection, id=document_id, properties=properties)
        )

    def _delete_source(self, collection: str, name: str) -> None:
        held = self._source_held(collection, name)
        self._rows(queries.DELETE_SOURCE, collection, id=name)
        if held is not None:
            self._follow_sources(collection, self._rows(queries.DOCUMENT_AND_SOURCES, collection, id=held[0]))

    def _delete_sources_of(self, collection: str, document_id: str) -> None:
        self._rows(queries.DELETE_SOURCES_OF, collection, id=document_id)

    def _insert_document(self, facts: DocumentFacts, bundle: Bundle) -> None:
        properties = _document_properties(facts, bundle) | {"text": bundle.text}
        self._rows(queries.INSERT_DOCUMENT, facts.collection, properties=properties)

    def _update_document(self, facts: DocumentFacts, bundle: Bundle) -> None:
        properties = _document_properties(facts, bundle)
        self._rows(queries.UPDATE_DOCUMENT, facts.collection, id=facts.id, properties=properties)

    def _delete_document(self, collection: str, document_id: str) -> None:
        self._rows(queries.DELETE_DOCUMENT, collection, id=document_id)

    def _insert_found(self, bundle: Bundle, document_id: str) -> None:
        collection = bundle.collection
        mentions = [
            NODES[Label.MENTION].properties(MENTIONS.to_row(mention)) | _with_digest(vector)
            for mention, vector in zip(bundle.mentions, bundle.mention_vectors.tolist(), strict=True)
        ]
        self._write(queries.INSERT_MENTIONS, collection, mentions, id=document_id)
        claims = [NODES[Label.CLAIM].properties(CLAIMS.to_row(claim)) for claim in bundle.claims]
        self._write(queries.INSERT_CLAIMS, collection, claims, id=document_id)
        self._write(queries.INSERT_PASSAGES, collection, _passage_rows(bundle), id=document_id)

    def _delete_found(self, collection: str, document_id: str) -> None:
        for query in (queries.DELETE_CLAIMS_OF, queries.DELETE_PASSAGES_OF, queries.DELETE_MENTIONS_OF):
            self._rows(query, collection, id=document_id)

    def _kinds_in(self, collection: str, document_id: str) -> list[str]:
        return [row[0] for row in self._rows(queries.KINDS_IN, collection, id=document_id)]

    def _events_in(self, collection: str, document_ids: Sequence[str]) -> list[str]:
        return sorted({row[0] for row in self._rows_in(queries.EVENTS_IN, collection, document_ids)})

    def _follow_sources(self, collection: str, found: Sequence[Row]) -> None:
        """Brings the fields that follow the least source, and the pages of passages, up to date.

        Args:
            found: Rows of `DOCUMENT_AND_SOURCES`: one, or none for a document that is gone.
        """
        if not found or not found[0][-1]:
            return
        *values, before, given = found[0]
        facts = facts_of(NODES[Label.DOCUMENT].row(values))
        sources = sorted((source_of(NODES[Label.SOURCE].row(row)) for row in given), key=lambda source: source.name)
        properties = stored_document(facts, sources).model_dump(mode="json")
        self._rows(queries.UPDATE_DOCUMENT, collection, id=facts.id, properties=properties)
        pages = sources[0].pages
        if before is not None and tuple(before) != pages:
            passages = self._rows(queries.PASSAGES_OF, collection, id=facts.id)
            at_id, at_start = PASSAGES.columns.index("id"), PASSAGES.columns.index("start")
            rows = [{"id": row[at_id], "page": page_at(pages, row[at_start])} for row in passages]
            self._write(queries.SET_PASSAGE_PAGES, collection, rows)


def _document(told: Properties) -> Document:
    try:
        return Document.model_validate({field: told.get(field) for field in Document.model_fields})
    except ValidationError:
        raise StoreDamaged(path="The store", what=f"the document {told.get('id')} cannot be read") from None


def _document_properties(facts: DocumentFacts, bundle: Bundle) -> Properties:
    found = ([record.id for record in records] for records in (bundle.passages, bundle.mentions, bundle.claims))
    return NODES[Label.DOCUMENT].properties(facts.to_row()) | {FOUND: found_digests(*found)}


def _with_digest(vector: list[float]) -> Properties:
    return {"vector": vector, VECTOR_DIGEST: vector_digest(vector)}


def _passage_rows(bundle: Bundle) -> list[Properties]:
    """Passages with their words and vectors, and the mentions that each holds whole."""
    held: dict[str, list[str]] = {passage.id: [] for passage in bundle.passages}
    for passage, mention in contained(bundle.passages, sorted(bundle.mentions, key=lambda mention: mention.start)):
        held[passage.id].append(mention.id)
    rows = []
    for passage, vector in zip(bundle.passages, bundle.passage_vectors.tolist(), strict=True):
        properties = NODES[Label.PASSAGE].properties(PASSAGES.to_row(passage))
        properties |= passage_properties(passage, bundle.text[passage.start : passage.end]) | _with_digest(vector)
        rows.append({"properties": properties, "mentions": held[passage.id]})
    return rows
