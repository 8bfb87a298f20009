"""The example corpus on a real server, put there by a copy, and the page of the server's Browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest
from browser_page import BrowserPage, Login, chromium, open_browser

from causetrail import Causetrail
from causetrail.settings import Settings
from causetrail.stores import copy_store
from tests.neo4j.server import Neo4jTestServer
from tests.neo4j.starting import REQUIRED

EXAMPLES = Path(__file__).parents[2] / "examples"
COLLECTIONS = ("flood", "outage", "plant")

Ask = Callable[..., neo4j.EagerResult]


@pytest.fixture(scope="session")
def example_store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of an embedded store with the three example collections."""
    address = f"sqlite:///{tmp_path_factory.mktemp('examples')}/demo.db"
    for collection in COLLECTIONS:
        with Causetrail(address, collection=collection) as trail:
            assert trail.ingest(EXAMPLES / collection).failed == 0
    return address


@pytest.fixture(scope="module")
def example_graph(neo4j_server: Neo4jTestServer, example_store: str) -> Neo4jTestServer:
    """The server, with the example collections and nothing else."""
    neo4j_server.wipe()
    copy_store(example_store, neo4j_server.address, settings=Settings(neo4j_password=neo4j_server.password))
    with neo4j.GraphDatabase.driver(neo4j_server.address, auth=(neo4j_server.user, neo4j_server.password)) as driver:
        # Plans that were made while other tests had the server empty scan where there is now much to look through.
        driver.execute_query("CALL db.prepareForReplanning()")
    return neo4j_server


@pytest.fixture(scope="module")
def ask(example_graph: Neo4jTestServer) -> Iterator[Ask]:
    """Runs a query on the server that holds the examples."""
    with neo4j.GraphDatabase.driver(
        example_graph.address, auth=(example_graph.user, example_graph.password), notifications_min_severity="OFF"
    ) as driver:

        def run(query: str, **parameters: Any) -> neo4j.EagerResult:
            return driver.execute_query(query, parameters)

        yield run


@pytest.fixture(scope="module")
def browser(example_graph: Neo4jTestServer) -> Iterator[BrowserPage]:
    """The Browser of the server that holds the examples, in a real Chromium, logged in."""
    executable = chromium()
    if executable is None:
        reason = "No Chromium or Chrome on the path (Debian and Ubuntu: apt install chromium)"
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    login = Login(f"http://127.0.0.1:{example_graph.http_port}", example_graph.user, example_graph.password)
    with open_browser(login, executable) as page:
        yield page
