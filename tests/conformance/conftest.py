"""The stores that have to fulfil the contract."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, cycle
from pathlib import Path

import pytest
from hypothesis import settings

from kg.store import GraphStore
from tests.conformance.material import NewStore, open_at
from tests.neo4j.server import Neo4jTestServer

STORES = ("sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j))


@pytest.fixture(params=STORES)
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewStore]:
    """Opens an empty store at each call, and closes them all at the end; of those on servers the last two are alive."""
    opened: list[GraphStore] = []
    numbers = count()
    if request.param == "neo4j":
        servers: list[Neo4jTestServer] = [
            request.getfixturevalue("neo4j_server"),
            request.getfixturevalue("second_neo4j_server"),
        ]
        turns = cycle(servers)

    def sqlite() -> GraphStore:
        opened.append(open_at(f"sqlite:///{tmp_path / f'{next(numbers)}.db'}", create=True))
        return opened[-1]

    def neo4j() -> GraphStore:
        server = next(turns)
        if len(opened) >= len(servers):
            opened.pop(0).close()
        empty(server)
        opened.append(open_at(server.address, create=True))
        return opened[-1]

    yield {"sqlite": sqlite, "neo4j": neo4j}[request.param]
    for store in opened:
        store.close()


@pytest.fixture
def random_graphs(request: pytest.FixtureRequest) -> settings:
    """How many random graphs a property is tried on: on a server each one takes seconds."""
    on_server = request.node.callspec.params["new_store"] == "neo4j"
    return settings(max_examples=8 if on_server else 100, deadline=None)


@pytest.fixture
def store(new_store: NewStore) -> GraphStore:
    return new_store()


def empty(server: Neo4jTestServer) -> None:
    """Deletes all records and keeps the schema, so that the next store is there at once."""
    from neo4j import GraphDatabase

    with GraphDatabase.driver(server.address, auth=(server.user, server.password)) as driver:
        driver.execute_query("MATCH (n) WHERE n.id <> 'schema' OR NOT n:Meta DETACH DELETE n")
        driver.execute_query("MATCH (n:Meta {collection: '', id: 'schema'}) REMOVE n.forgotten")
