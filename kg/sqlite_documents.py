"""Writes documents and what was found in them to the embedded store."""

from __future__ import annotations

from collections.abc import Sequence

from kg.document_facts import DOCUMENT_COLUMNS, DocumentFacts
from kg.encoding import Vectors
from kg.record_tables import CLAIMS, MENTIONS, PASSAGES
from kg.sqlite_tables import StoreTables, insert_statement, vector_blob
from kg.store import Bundle

_INSERT_DOCUMENT = insert_statement("document", DOCUMENT_COLUMNS)

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


class DocumentTables(StoreTables):
    """Documents, passages, mentions and claims, as they are written and deleted."""

    def _insert_document(self, facts: DocumentFacts, bundle: Bundle) -> None:
        self._file.rows(_INSERT_DOCUMENT, facts.to_row())
        self._file.rows(
            "INSERT INTO document_text (collection, document_id, text) VALUES (?, ?, ?)",
            (facts.collection, facts.id, bundle.text),
        )

    def _update_document(self, facts: DocumentFacts, bundle: Bundle) -> None:
        self._file.rows("DELETE FROM document WHERE collection = ? AND id = ?", (facts.collection, facts.id))
        self._file.rows(_INSERT_DOCUMENT, facts.to_row())

    def _delete_document(self, collection: str, document_id: str) -> None:
        self._file.rows("DELETE FROM document_text WHERE collection = ? AND document_id = ?", (collection, document_id))
        self._file.rows("DELETE FROM document WHERE collection = ? AND id = ?", (collection, document_id))

    def _insert_found(self, bundle: Bundle, document_id: str) -> None:
        self._file.run_many(PASSAGES.insert, [PASSAGES.to_row(passage) for passage in bundle.passages])
        self._file.run_many(MENTIONS.insert, [MENTIONS.to_row(mention) for mention in bundle.mentions])
        self._file.run_many(CLAIMS.insert, [CLAIMS.to_row(claim) for claim in bundle.claims])
        passages, mentions = [p.id for p in bundle.passages], [m.id for m in bundle.mentions]
        self._insert_vectors("passage_vector", bundle.collection, passages, bundle.passage_vectors)
        self._insert_vectors("mention_vector", bundle.collection, mentions, bundle.mention_vectors)

    def _delete_found(self, collection: str, document_id: str) -> None:
        for statement in _DELETE_FOUND:
            self._file.rows(statement, (collection, document_id))

    def _kinds_in(self, collection: str, document_id: str) -> list[str]:
        # Without DISTINCT, for which the index by kind would be read from end to end.
        sql = "SELECT kind FROM mention WHERE collection = ? AND document_id = ?"
        return sorted({row[0] for row in self._file.rows(sql, (collection, document_id))})

    def _events_in(self, collection: str, document_ids: Sequence[str]) -> list[str]:
        sql = (
            "SELECT event_mention.event_id FROM mention CROSS JOIN event_mention"
            " ON event_mention.collection = mention.collection AND event_mention.mention_id = mention.id"
            " WHERE mention.collection = ? AND mention.document_id IN (SELECT value FROM json_each(?))"
        )
        return sorted({row[0] for row in self._rows_in(sql, collection, document_ids)})

    def _insert_vectors(self, table: str, collection: str, ids: Sequence[str], vectors: Vectors) -> None:
        rows = [(collection, id_, vector_blob(vector)) for id_, vector in zip(ids, vectors, strict=True)]
        self._file.run_many(f"INSERT INTO {table} (collection, id, vector) VALUES (?, ?, ?)", rows)  # noqa: S608
