"""The example graph in an embedded store, and the same graph on a server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.cypher_dialects import COLLECTIONS, Server, example_graph
from causetrail import Causetrail
from tests.neo4j.server import Neo4jTestServer


@pytest.fixture(scope="module")
def trail(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Causetrail]:
    with example_graph(tmp_path_factory.mktemp("differential")) as trail:
        yield trail


@pytest.fixture(scope="module")
def server(neo4j_server: Neo4jTestServer, trail: Causetrail) -> Iterator[Server]:
    neo4j_server.wipe(schema=True)
    server = Server(neo4j_server.address, neo4j_server.user, neo4j_server.password)
    server.load(trail, COLLECTIONS)
    yield server
    server.close()
    neo4j_server.wipe(schema=True)
