"""Near-copies in the embedded store: the index over sketches, pairs and groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from kg.sqlite_tables import StoreTables


class NearCopyTables(StoreTables):
    """Which documents repeat each other."""

    def _index_sketch(self, collection: str, document_id: str, hashes: Sequence[str]) -> None:
        self._file.run_many(
            "INSERT INTO sketch_hash (collection, hash, document_id) VALUES (?, ?, ?)",
            [(collection, value, document_id) for value in hashes],
        )

    def _unindex_sketch(self, collection: str, document_id: str, hashes: Sequence[str]) -> None:
        self._file.run_many(
            "DELETE FROM sketch_hash WHERE collection = ? AND hash = ? AND document_id = ?",
            [(collection, value, document_id) for value in hashes],
        )

    def _sketched(self, collection: str) -> Iterator[tuple[str, str, list[str]]]:
        hashes: dict[str, list[str]] = defaultdict(list)
        sql = "SELECT document_id, hash FROM sketch_hash WHERE collection = ?"
        for document_id, value in self._file.rows(sql, (collection,)):
            hashes[document_id].append(value)
        sql = "SELECT id, sketch FROM document WHERE collection = ? AND id > ? ORDER BY id LIMIT ?"
        for id_, sketch in self._paged(sql, collection, 0):
            yield id_, sketch, hashes[id_]

    def _sketches_sharing(self, collection: str, hashes: Sequence[str]) -> list[tuple[str, str]]:
        sql = (
            "SELECT DISTINCT document.id, document.sketch FROM sketch_hash JOIN document"
            " ON document.collection = sketch_hash.collection AND document.id = sketch_hash.document_id"
            " WHERE sketch_hash.collection = ? AND hash IN (SELECT value FROM json_each(?))"
        )
        return [(row[0], row[1]) for row in self._rows_in(sql, collection, hashes)]

    def _insert_copies(self, collection: str, pairs: Sequence[tuple[str, str]]) -> None:
        self._file.run_many(
            "INSERT INTO near_copy (collection, a, b) VALUES (?, ?, ?)", [(collection, *pair) for pair in pairs]
        )

    def _delete_copies(self, collection: str, document_id: str) -> None:
        for column in ("a", "b"):
            sql = f"DELETE FROM near_copy WHERE collection = ? AND {column} = ?"  # noqa: S608
            self._file.rows(sql, (collection, document_id))
        self._file.rows("DELETE FROM copy_group WHERE collection = ? AND document_id = ?", (collection, document_id))

    def _copies_among(self, collection: str, document_ids: Sequence[str]) -> list[tuple[str, str]]:
        sql = "SELECT a, b FROM near_copy WHERE collection = ? AND a IN (SELECT value FROM json_each(?))"
        return sorted((row[0], row[1]) for row in self._rows_in(sql, collection, document_ids))

    def _set_copy_groups(self, collection: str, groups: Mapping[str, str | None]) -> None:
        self._file.run_many(
            "DELETE FROM copy_group WHERE collection = ? AND document_id = ?", [(collection, id_) for id_ in groups]
        )
        self._file.run_many(
            "INSERT INTO copy_group (collection, document_id, least) VALUES (?, ?, ?)",
            [(collection, id_, least) for id_, least in groups.items() if least is not None],
        )

    def _copy_group_of(self, collection: str, document_id: str) -> list[str]:
        rows = self._file.rows(
            "SELECT document_id FROM copy_group WHERE collection = ?1 AND least ="
            " (SELECT least FROM copy_group WHERE collection = ?1 AND document_id = ?2) ORDER BY document_id",
            (collection, document_id),
        )
        return [row[0] for row in rows]

    def _copy_groups(self, collection: str, document_ids: Sequence[str]) -> dict[str, str]:
        sql = (
            "SELECT document_id, least FROM copy_group WHERE collection = ?"
            " AND document_id IN (SELECT value FROM json_each(?))"
        )
        return dict(self._rows_in(sql, collection, document_ids))
