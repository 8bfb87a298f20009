"""The stores that have to fulfil the contract."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from kg.addresses import open_store
from kg.store import GraphStore
from tests.conformance.material import NewStore

STORES = ("sqlite",)


@pytest.fixture(params=STORES)
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewStore]:
    """Opens an empty store at each call, and closes them all at the end."""
    opened: list[GraphStore] = []
    numbers = count()

    def sqlite() -> GraphStore:
        address = f"sqlite:///{tmp_path / f'{next(numbers)}.db'}"
        opened.append(open_store(address, wait_seconds=5.0, lease_seconds=5.0, create=True))
        return opened[-1]

    yield {"sqlite": sqlite}[request.param]
    for store in opened:
        store.close()


@pytest.fixture
def store(new_store: NewStore) -> GraphStore:
    return new_store()
