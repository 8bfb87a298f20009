"""The service on a Neo4j server: not there yet, there, gone, and hung."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import httpx
import pytest
from fastapi.testclient import TestClient

from api.http import create_app
from causetrail import Causetrail
from causetrail.settings import load_settings
from tests.neo4j.process import Neo4jServerProcess
from tests.neo4j.server import Neo4jTestServer

pytestmark = pytest.mark.neo4j

READS = ("/v1/collections", "/v1/events", "/v1/events?text=pump", "/v1/documents", "/v1/claims")


@contextmanager
def service(server: Neo4jTestServer) -> Iterator[tuple[Causetrail, TestClient]]:
    """The service over an empty server, with a short time for questions and long waits for writers."""
    server.start()
    server.wipe(schema=True)
    access = {"neo4j_user": server.user, "neo4j_password": server.password}
    settings = load_settings(store=server.address, store_wait_seconds=60.0, deadline_seconds=6.0, **access)
    with Causetrail(settings=settings) as trail, TestClient(create_app(trail), base_url="http://127.0.0.1") as client:
        yield trail, client


def ask(client: TestClient) -> httpx.Response:
    return client.post("/v1/ask", json={"question": "Why did the pump stop?"})


def timed(told: Callable[[], httpx.Response]) -> tuple[httpx.Response, float]:
    """An answer, and the seconds that it took."""
    begin = time.monotonic()
    answer = told()
    return answer, time.monotonic() - begin


def at_once(*told: Callable[[], httpx.Response]) -> list[tuple[httpx.Response, float]]:
    """The answers to requests that come side by side, as those of several programs do, each with its seconds."""
    with ThreadPoolExecutor(len(told)) as pool:
        return list(pool.map(timed, told))


def test_ready_tells_an_empty_server_from_one_that_went_away(neo4j_server: Neo4jTestServer) -> None:
    with service(neo4j_server) as (trail, client):
        assert client.get("/readyz").json() == {"status": "empty", "generation": 0, "pending": 0}
        trail.ingest_text("The pump stopped because a fuse had blown.", "pump")
        assert client.get("/readyz").json() == {"status": "ok", "generation": trail.health()[0], "pending": 0}
        assert all(client.get(path).status_code == 200 for path in READS)
        neo4j_server.kill()
        try:
            reads = [partial(client.get, path) for path in ("/readyz", *READS)]
            for answer, taken in at_once(partial(ask, client), *reads):
                assert (answer.status_code, answer.json()["code"]) == (503, "CT-S017")
                assert taken < 10.0
                waited = float(answer.json()["detail"].rsplit("after ", 1)[1].split()[0])
                assert waited <= taken + 0.1, "it tells the time that it really waited"
                assert waited > taken - 1.0
        finally:
            neo4j_server.start()
        assert client.get("/readyz").json()["status"] == "ok"


def test_a_server_that_hangs_is_told_of_in_time(neo4j_server: Neo4jTestServer) -> None:
    if not isinstance(neo4j_server, Neo4jServerProcess):
        pytest.skip("only a server that is a child of the tests can be made to hang")
    with service(neo4j_server) as (trail, client):
        trail.ingest_text("The pump stopped because a fuse had blown.", "pump")
        assert ask(client).json()["verdict"] == "supported"
        os.kill(neo4j_server.pid, signal.SIGSTOP)
        try:
            reads = [partial(client.get, path) for path in ("/readyz", "/v1/events")]
            for answer, taken in at_once(partial(ask, client), *reads):
                assert taken < 8.0
                assert (answer.status_code, answer.json()["code"]) == (503, "CT-S021")
                assert "has given no answer for" in answer.json()["detail"]
        finally:
            os.kill(neo4j_server.pid, signal.SIGCONT)
        assert client.get("/readyz").json()["status"] == "ok"
        assert ask(client).json()["verdict"] == "supported"
