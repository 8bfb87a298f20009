"""Readiness of the service on a Neo4j server: not there yet, there, and gone."""

from __future__ import annotations

import time

import pytest
from fastapi.testclient import TestClient

from api.http import create_app
from causetrail import Causetrail
from causetrail.settings import load_settings
from tests.neo4j.server import Neo4jTestServer

pytestmark = pytest.mark.neo4j


def test_ready_tells_an_empty_server_from_one_that_went_away(neo4j_server: Neo4jTestServer) -> None:
    neo4j_server.start()
    neo4j_server.wipe(schema=True)
    access = {"neo4j_user": neo4j_server.user, "neo4j_password": neo4j_server.password}
    settings = load_settings(store=neo4j_server.address, store_wait_seconds=60.0, **access)
    with Causetrail(settings=settings) as trail, TestClient(create_app(trail), base_url="http://127.0.0.1") as client:
        assert client.get("/readyz").json() == {"status": "empty", "generation": 0, "pending": 0}
        trail.ingest_text("The pump stopped because a fuse had blown.", "pump")
        assert client.get("/readyz").json() == {"status": "ok", "generation": trail.health()[0], "pending": 0}
        neo4j_server.kill()
        try:
            for ask in (lambda: client.get("/readyz"), lambda: client.post("/v1/ask", json={"question": "Why?"})):
                begin = time.monotonic()
                told = ask()
                assert (told.status_code, told.json()["code"]) == (503, "CT-S017")
                assert time.monotonic() - begin < 10.0
        finally:
            neo4j_server.start()
        assert client.get("/readyz").json()["status"] == "ok"
