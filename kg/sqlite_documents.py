"""The first commit: a document with all that was found in it, its replacement, and its deletion without orphans."""

from __future__ import annotations

import json
from hashlib import sha256

from pydantic import ValidationError

from causetrail.errors import DocumentUnknown, RecordInvalid, RecordUnknown
from kg.bundle_checks import check_bundle, check_source
from kg.near_copies import sketch_of
from kg.record_tables import CLAIMS, MENTIONS, PASSAGES
from kg.sqlite_clusters import ClusterTables
from kg.sqlite_marks import MarkTables
from kg.sqlite_near_copies import NearCopyTables, packed, unpacked
from kg.sqlite_sources import (
    DOCUMENT_COLUMNS,
    SOURCE_COLUMNS,
    DocumentFacts,
    SourceTables,
    document_record,
    source_row,
)
from kg.sqlite_tables import vector_blob
from kg.store import Bundle, Outcome, Source


def _insert(table: str, columns: tuple[str, ...]) -> str:
    marks = ", ".join("?" for _ in range(len(columns) + 1))
    return f"INSERT INTO {table} ({', '.join(columns)}, digest) VALUES ({marks})"  # noqa: S608 - names are constants


_INSERT_DOCUMENT = _insert("document", DOCUMENT_COLUMNS)
_INSERT_SOURCE = _insert("source", SOURCE_COLUMNS)

_DELETE_FOUND = (
    "DELETE FROM event_mention WHERE collection = ?1 AND mention_id IN"
    " (SELECT id FROM mention WHERE collection = ?1 AND document_id = ?2)",
    "DELETE FROM mention_vector WHERE collection = ?1 AND id IN"
    " (SELECT id FROM mention WHERE collection = ?1 AND document_id = ?2)",
    "DELETE FROM passage_vector WHERE collection = ?1 AND id IN"
    " (SELECT id FROM passage WHERE collection = ?1 AND document_id = ?2)",
    "DELETE FROM claim WHERE collection = ?1 AND document_id = ?2",
    "DELETE FROM mention WHERE collection = ?1 AND document_id = ?2",
    "DELETE FROM passage WHERE collection = ?1 AND document_id = ?2",
)
"""Everything that was found in a document; takes collection and document id."""


class DocumentTables(SourceTables, NearCopyTables, MarkTables, ClusterTables):
    """Writes documents; every public method is one transaction."""

    def commit_document(self, bundle: Bundle) -> Outcome:
        """The first commit: checks every record against the text, writes, marks. One transaction.

        When the store already holds this content with the same `extraction`, only the source is written, unless it
        became the least source and gives another date: then the times in what was found are new as well.

        Raises:
            RecordInvalid: a quote does not repeat the text at its offsets, or an id is not the hash of its fields.
        """
        document_id = check_bundle(bundle)
        facts = DocumentFacts(
            collection=bundle.collection,
            id=document_id,
            language=bundle.language,
            length=len(bundle.text),
            sha256=sha256(bundle.text.encode("utf-8")).hexdigest(),
            extraction=bundle.extraction,
            dated=bundle.source.published or "",
            sentences=bundle.sentences,
            rejected=json.dumps(dict(bundle.rejected), sort_keys=True),
            sketch=packed(sketch_of(bundle.text)),
        )
        _check_document(facts, bundle.source)
        with self._file.writing():
            stored = self._facts(bundle.collection, document_id)
            if stored is None:
                before = self.source_state(bundle.collection, bundle.source.name)
                self._add_document(facts, bundle)
                self._write_source(bundle.collection, document_id, bundle.source)
                self._advance(bundle.collection)
                return Outcome.REPLACED if before else Outcome.ADDED
            outcome, changed = self._write_source(bundle.collection, document_id, bundle.source)
            least = self._sources(bundle.collection, document_id)[0]
            redated = least.name == bundle.source.name and stored.dated != facts.dated
            if stored.extraction != facts.extraction or redated:
                self._remove_found(bundle.collection, document_id)
                self._write_facts(facts)
                self._add_found(bundle, document_id)
                outcome, changed = Outcome.REPLACED, True
            if changed:
                self._advance(bundle.collection)
            return outcome

    def add_source(self, collection: str, document_id: str, source: Source) -> Outcome:
        """Gives a document that is there one more source, replacing what the source gave before.

        Raises:
            DocumentUnknown: there is no such document.
            RecordInvalid: the source's pages or date are not valid.
        """
        with self._file.writing():
            facts = self._facts(collection, document_id)
            if facts is None:
                raise DocumentUnknown(document=document_id, collection=collection)
            check_source(source, facts.length)
            _check_document(facts, source)
            outcome, changed = self._write_source(collection, document_id, source)
            if changed:
                self._advance(collection)
            return outcome

    def delete_source(self, collection: str, name: str) -> None:
        """Removes a source, and its document when that was its last one, with everything found in it.

        Raises:
            RecordUnknown: there is no such source.
        """
        with self._file.writing():
            state = self.source_state(collection, name)
            if state is None:
                raise RecordUnknown(kind="source", id=name, collection=collection)
            self._detach(collection, name, state.document_id)
            self._advance(collection)

    def delete_document(self, collection: str, document_id: str) -> None:
        """Removes a document with all its sources and everything found in it.

        Raises:
            DocumentUnknown: there is no such document.
        """
        with self._file.writing():
            if self._facts(collection, document_id) is None:
                raise DocumentUnknown(document=document_id, collection=collection)
            self._file.rows("DELETE FROM source WHERE collection = ? AND document_id = ?", (collection, document_id))
            self._remove_document(collection, document_id)
            self._advance(collection)

    def _write_source(self, collection: str, document_id: str, source: Source) -> tuple[Outcome, bool]:
        """Writes a source of a document that is there; the outcome, and whether anything changed."""
        row = source_row(collection, document_id, source)
        before = self._file.rows(
            "SELECT document_id, digest FROM source WHERE collection = ? AND name = ?", (collection, source.name)
        )
        if before and before[0][1] == row[-1]:
            return Outcome.UNCHANGED, False
        if before:
            self._detach(collection, source.name, before[0][0], successor=document_id)
        self._file.rows(_INSERT_SOURCE, row)
        if not before:
            return Outcome.SOURCE_ADDED, True
        return (Outcome.UNCHANGED if before[0][0] == document_id else Outcome.REPLACED), True

    def _detach(self, collection: str, name: str, document_id: str, successor: str | None = None) -> None:
        """Removes a source; its document goes with it when it has no other, unless it gets the source back."""
        self._file.rows("DELETE FROM source WHERE collection = ? AND name = ?", (collection, name))
        if document_id != successor and not self._sources(collection, document_id):
            self._remove_document(collection, document_id)

    def _add_document(self, facts: DocumentFacts, bundle: Bundle) -> None:
        self._write_facts(facts)
        self._file.rows(
            "INSERT INTO document_text (collection, document_id, text) VALUES (?, ?, ?)",
            (facts.collection, facts.id, bundle.text),
        )
        copies = self._add_near_copies(facts.collection, facts.id, unpacked(facts.sketch))
        self._mark_documents(facts.collection, copies)
        self._add_found(bundle, facts.id)

    def _write_facts(self, facts: DocumentFacts) -> None:
        self._file.rows("DELETE FROM document WHERE collection = ? AND id = ?", (facts.collection, facts.id))
        self._file.rows(_INSERT_DOCUMENT, facts.to_row())

    def _add_found(self, bundle: Bundle, document_id: str) -> None:
        self._file.run_many(PASSAGES.insert, [PASSAGES.to_row(passage) for passage in bundle.passages])
        self._file.run_many(MENTIONS.insert, [MENTIONS.to_row(mention) for mention in bundle.mentions])
        self._file.run_many(CLAIMS.insert, [CLAIMS.to_row(claim) for claim in bundle.claims])
        self._file.run_many(
            "INSERT INTO passage_vector (collection, id, vector) VALUES (?, ?, ?)",
            [
                (bundle.collection, passage.id, vector_blob(vector))
                for passage, vector in zip(bundle.passages, bundle.passage_vectors, strict=True)
            ],
        )
        self._file.run_many(
            "INSERT INTO mention_vector (collection, id, vector) VALUES (?, ?, ?)",
            [
                (bundle.collection, mention.id, vector_blob(vector))
                for mention, vector in zip(bundle.mentions, bundle.mention_vectors, strict=True)
            ],
        )
        self._mark_documents(bundle.collection, [document_id])

    def _remove_document(self, collection: str, document_id: str) -> None:
        copies = self._remove_near_copies(collection, document_id)
        self._mark_documents(collection, copies)
        self._remove_found(collection, document_id)
        self._file.rows("DELETE FROM document_text WHERE collection = ? AND document_id = ?", (collection, document_id))
        self._file.rows("DELETE FROM document WHERE collection = ? AND id = ?", (collection, document_id))

    def _remove_found(self, collection: str, document_id: str) -> None:
        """Removes what was found in a document, and from events and edges what came of it."""
        self._mark_documents(collection, [document_id])
        events = self._file.rows(
            "SELECT DISTINCT event_id FROM event_mention WHERE collection = ?1 AND mention_id IN"
            " (SELECT id FROM mention WHERE collection = ?1 AND document_id = ?2) ORDER BY event_id",
            (collection, document_id),
        )
        for statement in _DELETE_FOUND:
            self._file.rows(statement, (collection, document_id))
        self._regroup(collection, [row[0] for row in events])

    def _mark_documents(self, collection: str, document_ids: list[str]) -> None:
        sql = (
            "SELECT DISTINCT kind FROM mention WHERE collection = ? AND document_id IN (SELECT value FROM json_each(?))"
        )
        self._mark(collection, [row[0] for row in self._rows_in(sql, collection, document_ids)])


def _check_document(facts: DocumentFacts, source: Source) -> None:
    try:
        document_record(facts, [source])
    except ValidationError as error:
        reason = "; ".join(str(fault["loc"][0]) + ": " + fault["msg"] for fault in error.errors())
        raise RecordInvalid(kind="document", id=facts.id, reason=reason) from None
