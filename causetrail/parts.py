"""The parts a facade is put together from: store, encoder, index. Each is made when it is first needed, and once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from kg.addresses import open_store, seeds_of

if TYPE_CHECKING:
    from causetrail.settings import Settings
    from kg.encoding import Encoder
    from kg.seed_index import SeedIndex
    from kg.store import GraphStore


class Parts:
    """Shared by the facades of all collections of one store; safe to use from threads."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._lock = threading.RLock()
        self._store: GraphStore | None = None
        self._encoder: Encoder | None = None
        self._indexes: dict[str, SeedIndex] = {}

    def store(self, create: bool = False) -> GraphStore:
        """The store.

        Args:
            create: Make it when there is none.

        Raises:
            StoreMissing: there is none, and `create` is not given.
        """
        with self._lock:
            if self._store is None:
                self._store = open_store(
                    self.settings.store,
                    wait_seconds=self.settings.store_wait_seconds,
                    lease_seconds=self.settings.lease_seconds,
                    create=create,
                )
            return self._store

    def encoder(self) -> Encoder:
        """The encoder that the settings name."""
        with self._lock:
            if self._encoder is None:
                from models.encoder import load_encoder

                self._encoder = load_encoder(self.settings.encoder)
            return self._encoder

    def index(self, collection: str) -> SeedIndex:
        """The search index of a collection, kept in a folder beside the file of the store."""
        with self._lock:
            if collection not in self._indexes:
                from kg.seed_index import EmbeddedSeedIndex

                folder = seeds_of(self.settings.store) / collection
                self._indexes[collection] = EmbeddedSeedIndex(self.store(), self.encoder(), collection, folder)
            return self._indexes[collection]

    def close(self) -> None:
        """Closes the store; the parts are made anew when they are needed again."""
        with self._lock:
            if self._store is not None:
                self._store.close()
            self._store = None
            self._indexes.clear()
