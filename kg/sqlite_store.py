"""The embedded store: the whole graph in one SQLite file, no server."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Self

from kg.addresses import SQLITE_PREFIX, path_of
from kg.collection_drops import CollectionDrops
from kg.decision_log import DecisionLog
from kg.derivations import Derivations
from kg.rederivation import Rederivation
from kg.sqlite_clusters import ClusterTables
from kg.sqlite_connection import StoreFile
from kg.sqlite_decisions import DecisionTables
from kg.sqlite_documents import DocumentTables
from kg.sqlite_evidence import EvidenceTables
from kg.sqlite_graph import GraphTables
from kg.sqlite_near_copies import NearCopyTables


class SqliteTables(EvidenceTables, DocumentTables, NearCopyTables, DecisionTables, GraphTables, ClusterTables):
    """All tables of the embedded store; each family is in a file of its own."""


class UncheckedTables(SqliteTables, Rederivation):
    """The tables of a file that may be damaged, for verification."""


class SqliteStore(SqliteTables, CollectionDrops, DecisionLog, Derivations):
    """A `GraphStore` in one file.

    Safe to use from threads and to open from several processes on one machine. In a forked process it opens
    connections of its own.
    """

    def __init__(
        self,
        place: str | Path,
        *,
        wait_seconds: float,
        lease_seconds: float,
        read_only: bool = False,
        create: bool = True,
    ) -> None:
        """Opens the store.

        Args:
            place: The file, or its address: `sqlite:///relative.db` or `sqlite:////absolute.db`.
            wait_seconds: How long a writer waits for its turn.
            lease_seconds: How long a derivation may stay silent before another process takes it over.
            read_only: Refuse to write. A file without write permission is opened so in any case.
            create: Make the store when there is none or the file is empty.

        Raises:
            StoreAddress: the address has another form.
            StoreMissing: there is none, and it is not to be made.
            StoreForeign: the file is something else; it is left as it is.
            StoreNewer: a newer program wrote it.
            StoreReadOnly: it has to be made and cannot be.
        """
        path = place.absolute() if isinstance(place, Path) else path_of(place)
        self._address = place if isinstance(place, str) else f"{SQLITE_PREFIX}{path}"
        file = StoreFile(path, self._address, wait_seconds=wait_seconds, read_only=read_only, create=create)
        super().__init__(file)
        self._lease_seconds = lease_seconds

    @property
    def address(self) -> str:
        """The address it was opened with."""
        return self._address

    @property
    def path(self) -> Path:
        """The file, absolute."""
        return self._file.path

    def snapshot(self) -> AbstractContextManager[None]:
        """All that the calling thread reads inside sees one state and one generation of the store.

        Writing inside is refused.
        """
        return self._file.reading()

    def prompt(self, answer_seconds: float | None = None) -> AbstractContextManager[None]:
        """Nothing: a file is never waited for by readers."""
        return nullcontext()

    def close(self) -> None:
        """Closes the store; it cannot be used afterwards."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
