"""Groups of near-copies in the embedded store: candidates by an index over sketches, groups by connected components."""

from __future__ import annotations

from collections.abc import Sequence

from kg.components import connected
from kg.near_copies import INDEXED_HASHES, are_near_copies
from kg.sqlite_tables import StoreTables

_HASH_DIGITS = 16


class NearCopyTables(StoreTables):
    """Pairs of near-copies and their groups; all methods work inside `writing`."""

    def _add_near_copies(self, collection: str, document_id: str, sketch: Sequence[str]) -> list[str]:
        """Finds the copies of a new document; gives the documents of the group it is in, none when it stands alone."""
        self._file.run_many(
            "INSERT INTO sketch_hash (collection, hash, document_id) VALUES (?, ?, ?)",
            [(collection, value, document_id) for value in sketch[:INDEXED_HASHES]],
        )
        sql = (
            "SELECT DISTINCT document.id, document.sketch FROM sketch_hash JOIN document"
            " ON document.collection = sketch_hash.collection AND document.id = sketch_hash.document_id"
            " WHERE sketch_hash.collection = ? AND hash IN (SELECT value FROM json_each(?))"
        )
        candidates = self._rows_in(sql, collection, list(sketch[:INDEXED_HASHES]))
        copies = sorted(
            id_ for id_, other in candidates if id_ != document_id and are_near_copies(sketch, unpacked(other))
        )
        if not copies:
            return []
        self._file.run_many(
            "INSERT INTO near_copy (collection, a, b) VALUES (?, ?, ?)",
            [(collection, *sorted((document_id, copy))) for copy in copies],
        )
        members = {document_id, *copies}
        for copy in copies:
            members.update(self._copy_group_of(collection, copy))
        return self._regroup_copies(collection, sorted(members))

    def _remove_near_copies(self, collection: str, document_id: str) -> list[str]:
        """Forgets a document; gives the other documents of the group it was in."""
        group = self._copy_group_of(collection, document_id)
        for column in ("a", "b"):
            sql = f"DELETE FROM near_copy WHERE collection = ? AND {column} = ?"  # noqa: S608
            self._file.rows(sql, (collection, document_id))
        sketch = self._file.rows(
            "SELECT sketch FROM document WHERE collection = ? AND id = ?", (collection, document_id)
        )[0][0]
        self._file.run_many(
            "DELETE FROM sketch_hash WHERE collection = ? AND hash = ? AND document_id = ?",
            [(collection, value, document_id) for value in unpacked(sketch)[:INDEXED_HASHES]],
        )
        self._file.rows("DELETE FROM copy_group WHERE collection = ? AND document_id = ?", (collection, document_id))
        return self._regroup_copies(collection, [id_ for id_ in group if id_ != document_id])

    def _regroup_copies(self, collection: str, documents: list[str]) -> list[str]:
        sql = "SELECT a, b FROM near_copy WHERE collection = ? AND a IN (SELECT value FROM json_each(?))"
        least = connected(documents, sorted(self._rows_in(sql, collection, documents)))
        shared = {group for id_, group in least.items() if id_ != group}
        for id_ in documents:
            self._file.rows("DELETE FROM copy_group WHERE collection = ? AND document_id = ?", (collection, id_))
        self._file.run_many(
            "INSERT INTO copy_group (collection, document_id, least) VALUES (?, ?, ?)",
            [(collection, id_, group) for id_, group in sorted(least.items()) if group in shared],
        )
        return documents

    def _copy_group_of(self, collection: str, document_id: str) -> list[str]:
        rows = self._file.rows(
            "SELECT document_id FROM copy_group WHERE collection = ?1 AND least ="
            " (SELECT least FROM copy_group WHERE collection = ?1 AND document_id = ?2) ORDER BY document_id",
            (collection, document_id),
        )
        return [row[0] for row in rows]


def packed(sketch: Sequence[str]) -> str:
    """A sketch as one text."""
    return "".join(sketch)


def unpacked(text: str) -> list[str]:
    """The hashes of a sketch that `packed` made."""
    return [text[at : at + _HASH_DIGITS] for at in range(0, len(text), _HASH_DIGITS)]
