"""What the parts of the server's store share: the connection, transactions, collections and the lease."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from causetrail.errors import StoreDamaged
from kg import neo4j_queries as queries
from kg.asked_order import chunks, vectors_as_asked
from kg.backend import Backend
from kg.encoding import Vectors
from kg.neo4j_rows import is_vector
from kg.neo4j_server import Neo4jServer
from kg.record_tables import Row

T = TypeVar("T")

CHUNK = 5_000
"""Most ids that one statement asks for."""

ROWS = 2_000
"""Most rows that one statement writes."""


class ServerTables(Backend):
    """One part of the server's store over a connection that all parts share."""

    def __init__(self, server: Neo4jServer) -> None:
        self._server = server

    @property
    def server(self) -> Neo4jServer:
        """The connection."""
        return self._server

    @property
    def _place(self) -> str:
        return self._server.address

    @property
    def _wait_seconds(self) -> float:
        return self._server.wait_seconds

    def _transact(self, collection: str, work: Callable[[], T]) -> T:
        """Writers of a collection take turns; those of others are not in the way."""

        def begin(mark: str) -> str | None:
            taken = False
            while not taken:
                ((found, taken),) = self._server.rows(queries.BEGIN, collection=collection, mark=mark)
            return None if found is None else str(found)

        return self._server.transact(work, begin)

    def generation(self, collection: str) -> int:
        """Grows with every committed change of the collection; 0 when it never held anything."""
        found = self._rows(queries.GENERATION, collection)
        if not found:
            return 0
        return self._counted(collection, found[0][0])

    def _advance(self, collection: str) -> None:
        found = self._rows(queries.ADVANCE, collection)
        self._counted(collection, found[0][0] if found else None)

    def _counted(self, collection: str, generation: object) -> int:
        """A generation as it is stored; a text or a null, written on, would be lost for good.

        Raises:
            StoreDamaged: it is no number.
        """
        if not isinstance(generation, int):
            raise StoreDamaged(path=self._place, what=f"the generation of the collection {collection} was altered")
        return generation

    def _forget(self, collection: str) -> None:
        for query in (queries.FORGET_DECISIONS, queries.FORGET_HYPOTHESES, queries.FORGET_META, queries.FORGET):
            self._rows(query, collection)

    def _resolver_of(self, collection: str) -> str | None:
        found = self._rows(queries.RESOLVER, collection)
        return str(found[0][0]) if found else None

    def _set_resolver(self, collection: str, version: str) -> None:
        self._rows(queries.SET_RESOLVER, collection, version=version)

    def _lease_held(self, collection: str) -> tuple[str, float] | None:
        found = self._rows(queries.LEASE, collection)
        known = bool(found) and isinstance(found[0][0], str) and isinstance(found[0][1], float)
        return (found[0][0], found[0][1]) if known else None

    def _set_lease(self, collection: str, holder: str, expires: float) -> None:
        self._rows(queries.SET_LEASE, collection, holder=holder, expires=expires)

    def _clear_lease(self, collection: str, holder: str) -> None:
        self._rows(queries.CLEAR_LEASE, collection, holder=holder)

    def _rows(self, query: str, collection: str, **parameters: object) -> list[Row]:
        """Rows of a statement that takes the collection; none for a key that no text can be."""
        if not self._server.in_transaction and not all(map(_is_text, parameters.values())):
            return []
        return self._server.rows(query, collection=collection, **parameters)

    def _rows_in(self, query: str, collection: str, ids: Sequence[str]) -> list[Row]:
        """Rows of a statement that takes the collection and `$ids`, asked in chunks."""
        asked = [id_ for id_ in dict.fromkeys(ids) if _is_text(id_)]
        return [
            row for part in chunks(asked, CHUNK) for row in self._server.rows(query, collection=collection, ids=part)
        ]

    def _write(self, query: str, collection: str, rows: Sequence[Any], **parameters: object) -> None:
        """Runs a statement that takes the collection and `$rows`, in chunks."""
        for part in chunks(rows, ROWS):
            self._server.rows(query, collection=collection, rows=part, **parameters)

    def _vectors(self, query: str, kind: str, collection: str, ids: Sequence[str]) -> Vectors:
        found = {row[0]: row[1] for row in self._rows_in(query, collection, ids) if row[1] is not None}
        other = next((id_ for id_, vector in found.items() if not is_vector(vector)), None)
        if other is not None:
            raise StoreDamaged(path=self._place, what=f"the vector of the {kind} {other} was altered")
        vectors = vectors_as_asked(found, kind, collection, ids)
        return np.array(vectors, dtype=np.float32) if vectors else np.zeros((0, 0), dtype=np.float32)


def _is_text(value: object) -> bool:
    """Whether a value can be sent: a lone surrogate stands in no property, so nothing is found by it."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return False
    return True
