"""The server's store: the whole graph in one database of a Neo4j server, shared by its collections and its users."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from causetrail.errors import CausetrailError, ServerAbsent, ServerBusy, ServerLost, SnapshotLost
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
            wait_seconds: How long a writer waits for its turn, and how long work is tried again while the server is
                away.
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

        The server keeps no old states for readers, so the generations of the collections that were read are compared at
        the end. A commit whose pieces were becoming visible is no way around that: the statement after the first one
        that saw a piece waits for the rest (`Neo4jServer.session`), and the comparison is the last statement.

        Raises:
            SnapshotLost: something was committed meanwhile to a collection that was read.
        """
        if getattr(self._local, "nested", False):
            yield
            return
        with self._server.prompt(), self._server.noting() as read:
            before = self._generations()
            self._local.nested = True
            try:
                yield
            except (ServerAbsent, ServerBusy, ServerLost):
                raise
            except CausetrailError as error:
                # What was missed may only have been missed because it was moving.
                if self._moved(before, read):
                    raise SnapshotLost(address=self.address) from error
                raise
            finally:
                self._local.nested = False
            if self._moved(before, read):
                raise SnapshotLost(address=self.address)

    def _generations(self) -> dict[str, int]:
        return dict(self._server.rows(queries.GENERATIONS))

    def _moved(self, before: Mapping[str, int], read: Collection[str]) -> bool:
        now = self._generations() if read else {}
        return any(now.get(name) != before.get(name) for name in read)

    def prompt(self, answer_seconds: float | None = None) -> AbstractContextManager[None]:
        """A server that is away, or hangs, is told of in time to what the calling thread reads inside."""
        return self._server.prompt(answer_seconds)

    def close(self) -> None:
        """Closes the connections; the store cannot be used afterwards."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
