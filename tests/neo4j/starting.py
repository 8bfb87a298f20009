"""A running test server, however it can be had on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from tests.neo4j.artifacts import ArtifactsMissing
from tests.neo4j.container import Neo4jServerContainer, docker_answers
from tests.neo4j.process import Neo4jServerProcess
from tests.neo4j.server import Neo4jTestServer

REQUIRED = "REQUIRE_NEO4J"
"""The environment variable that turns a skip into a failure when it is 1; not one of the program's own, which refuses
the variables of its prefix that it does not know."""


def skip_unless_required(reason: str) -> NoReturn:
    """Ends a test that lacks something of the machine: as skipped, or as failed where all has to be there."""
    if os.environ.get(REQUIRED) == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def new_server(home: Path) -> Neo4jTestServer:
    """A server that was not started yet: from its jars, or in a container where these cannot be had.

    Raises:
        ArtifactsMissing: neither works; the message says what to install.
    """
    try:
        return Neo4jServerProcess(home)
    except ArtifactsMissing as missing:
        if docker_answers():
            return Neo4jServerContainer()
        raise ArtifactsMissing(f"{missing}; or let Docker run") from None


@contextmanager
def running_server(home: Path) -> Iterator[Neo4jTestServer]:
    """A started server, removed at the end; the test is skipped where there can be none, or fails where it must be."""
    try:
        server = new_server(home)
    except ArtifactsMissing as missing:
        skip_unless_required(f"no Neo4j server: {missing}")
    try:
        server.start()
        server.number_labels()
        yield server
    finally:
        server.remove()
