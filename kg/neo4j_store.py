"""The server's store: the whole graph in one database of a Neo4j server, shared by its collections and its users."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from causetrail.errors import CausetrailError, SnapshotLost
from kg import neo4j_queries as queries
from kg.collection_drops import CollectionDrops
from kg.decision_log import DecisionLog
from kg.derivations import Derivations
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_decisions import DecisionNodes
from kg.neo4j_documents import DocumentNodes
from kg.neo4j_evidence import EvidenceNodes
from kg.neo4j_graph import GraphNodes
from kg.neo4j_schema import prepare
from kg.neo4j_server import Neo4jServer
from kg.rederivation import Rederivation


class ServerNodes(EvidenceNodes, DocumentNodes, DecisionNodes, GraphNodes):
    """All nodes of the server's store; each family is in a file of its own."""


class UncheckedNodes(ServerNodes, Rederivation):
    """The nodes of a database that may have been altered, for verification."""


class Neo4jStore(ServerNodes, CollectionDrops, DecisionLog, Derivations):
    """A `GraphStore` on a Neo4j server of any edition, without plugins.

    Safe to use from threads and processes. Writers of one collection take turns by a lock on the collection's node.
    """

    def __init__(
        self,
        address: str,
        access: Neo4jAccess,
        *,
        wait_seconds: float,
        lease_seconds: float,
        create: bool = True,
    ) -> None:
        """Connects, judges the database and makes its schema.

        Args:
            address: `neo4j://host:port`, or another of `kg.neo4j_server.SCHEMES`.
            access: Who speaks to the server, and within which bounds.
            wait_seconds: How long work is tried again while the server is away or another writer is in the way.
            lease_seconds: How long a derivation may stay silent before another process takes it over.
            create: Make the schema when there is none.

        Raises:
            StoreAddress: the address has another form.
            StoreMissing: there is no schema, and it is not to be made.
            StoreNewer: a newer program wrote it.
            DatabaseForeign: the database holds nodes of another program under the labels of the graph.
            ServerVersion, ServerAbsent, ServerLogin, DatabaseMissing, ServerReadOnly: what keeps it from being used.
        """
        server = Neo4jServer(address, access, wait_seconds=wait_seconds)
        try:
            prepare(server, create=create)
        except BaseException:
            server.close()
            raise
        super().__init__(server)
        self._lease_seconds = lease_seconds
        self._local = threading.local()

    @property
    def address(self) -> str:
        """The address it was opened with."""
        return self._server.address

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that the calling thread reads inside is of one state, or the block ends in `SnapshotLost`.

        The server keeps no old states for readers, so the generations are compared at the end.

        Raises:
            SnapshotLost: something was committed meanwhile.
        """
        if getattr(self._local, "nested", False):
            yield
            return
        before = self._server.rows(queries.GENERATIONS)
        self._local.nested = True
        try:
            yield
        except CausetrailError as error:
            # What was missed may only have been missed because it was moving.
            if self._server.rows(queries.GENERATIONS) != before:
                raise SnapshotLost(address=self.address) from error
            raise
        finally:
            self._local.nested = False
        if self._server.rows(queries.GENERATIONS) != before:
            raise SnapshotLost(address=self.address)

    def close(self) -> None:
        """Closes the connections; the store cannot be used afterwards."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
