"""The servers that other tests rely on: real, guarded by a password, and able to die and come back."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from xml.etree import ElementTree

import neo4j
import pytest
from neo4j.exceptions import AuthError, ServiceUnavailable

from tests.neo4j import artifacts
from tests.neo4j.artifacts import ArtifactsMissing
from tests.neo4j.process import Neo4jServerProcess
from tests.neo4j.server import Neo4jTestServer, ServerFailed
from tests.neo4j.starting import REQUIRED

pytestmark = pytest.mark.neo4j
ROOT = Path(__file__).parents[2]


def asked(server: Neo4jTestServer, query: str, **parameters: Any) -> list[list[Any]]:
    with neo4j.GraphDatabase.driver(server.address, auth=(server.user, server.password)) as driver:
        return [list(record) for record in driver.execute_query(query, **parameters).records]


def test_the_server_is_the_version_and_edition_that_is_promised(neo4j_server: Neo4jTestServer) -> None:
    ((version, edition),) = asked(
        neo4j_server, "CALL dbms.components() YIELD versions, edition RETURN versions[0], edition"
    )
    assert str(version).startswith("5.26.")
    assert edition == "community"


def test_a_wrong_password_is_refused_however_often(neo4j_server: Neo4jTestServer) -> None:
    for _ in range(5):
        with (
            neo4j.GraphDatabase.driver(neo4j_server.address, auth=(neo4j_server.user, "not this one")) as driver,
            pytest.raises(AuthError) as refused,
        ):
            driver.verify_connectivity()
        assert refused.value.code == "Neo.ClientError.Security.Unauthorized"
    assert asked(neo4j_server, "RETURN 1") == [[1]]


def test_the_browser_is_served(neo4j_server: Neo4jTestServer) -> None:
    with urlopen(neo4j_server.browser) as page:
        assert "<title>Neo4j Browser</title>" in page.read().decode()


def test_data_outlives_a_kill_and_a_stop(neo4j_server: Neo4jTestServer) -> None:
    neo4j_server.wipe()
    for end in (neo4j_server.kill, neo4j_server.stop):
        asked(neo4j_server, "CREATE (:Kept {told: $told})", told=end.__name__)
        end()
        assert not neo4j_server.running
        with neo4j.GraphDatabase.driver(neo4j_server.address) as driver, pytest.raises(ServiceUnavailable):
            driver.verify_connectivity()
        neo4j_server.start()
    assert asked(neo4j_server, "MATCH (n) RETURN n.told ORDER BY n.told") == [["kill"], ["stop"]]


def test_wiping_deletes_nodes_and_the_schema_only_when_asked(neo4j_server: Neo4jTestServer) -> None:
    neo4j_server.wipe(schema=True)
    asked(neo4j_server, "CREATE CONSTRAINT `an odd `` name` FOR (n:Kept) REQUIRE n.id IS UNIQUE")
    asked(neo4j_server, "CREATE INDEX by_told FOR (n:Kept) ON (n.told)")
    asked(neo4j_server, "UNWIND range(1, 12000) AS i CREATE (:Kept {id: i})-[:NEXT]->(:Other)")
    names = "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name ORDER BY name"
    neo4j_server.wipe()
    assert asked(neo4j_server, "MATCH (n) RETURN count(n)") == [[0]]
    assert asked(neo4j_server, names) == [["an odd ` name"], ["by_told"]]
    neo4j_server.wipe(schema=True)
    assert asked(neo4j_server, names) == []


def test_two_servers_side_by_side_share_nothing(
    neo4j_server: Neo4jTestServer, second_neo4j_server: Neo4jTestServer
) -> None:
    for server in (neo4j_server, second_neo4j_server):
        server.wipe()
        asked(server, "CREATE (:Own {address: $address})", address=server.address)
    for server in (neo4j_server, second_neo4j_server):
        assert asked(server, "MATCH (n) RETURN n.address") == [[server.address]]


def test_a_server_that_cannot_start_shows_its_log(tmp_path: Path, neo4j_server: Neo4jTestServer) -> None:
    if not isinstance(neo4j_server, Neo4jServerProcess):
        pytest.skip("the server runs in a container here")
    server = Neo4jServerProcess(tmp_path, {"server.bolt.listen_address": f"127.0.0.1:{neo4j_server.bolt_port}"})
    with pytest.raises(ServerFailed, match="Address already in use"):
        server.start()
    assert not server.running


def test_what_to_install_is_said_where_java_or_maven_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(artifacts, "CACHE", tmp_path / "cache")
    with pytest.raises(ArtifactsMissing, match="openjdk-17"):
        artifacts.java()
    with pytest.raises(ArtifactsMissing, match="apt install maven"):
        artifacts.jars()
    old = tmp_path / "java"
    old.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n", encoding="utf-8")
    old.chmod(0o755)
    with pytest.raises(ArtifactsMissing, match="is not Java 17 or later"):
        artifacts.java()


@pytest.mark.parametrize(("required", "outcome"), [("", {"skipped": 1}), ("1", {"errors": 1})])
def test_without_java_and_docker_a_test_is_skipped_or_fails_where_it_must_run(
    tmp_path: Path, required: str, outcome: dict[str, int]
) -> None:
    bare = {"PATH": str(tmp_path), "DOCKER_HOST": f"unix://{tmp_path}/docker.sock", REQUIRED: required}
    asked_for = f"{Path(__file__).relative_to(ROOT)}::{test_the_browser_is_served.__name__}"
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"} | bare
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", asked_for, f"--junit-xml={tmp_path}/told.xml"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    (told,) = ElementTree.parse(tmp_path / "told.xml").getroot()
    assert {name: int(told.attrib[name]) for name in outcome} == outcome
    assert "no Neo4j server: there is no Java 17: install one" in done.stdout


RUN = """
import sys
from pathlib import Path
from tests.neo4j.process import Neo4jServerProcess
server = Neo4jServerProcess(Path(sys.argv[1]))
server.start()
print(server._process.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv ties the server to the run, on Linux only")
def test_the_server_dies_with_a_run_that_is_killed(tmp_path: Path, neo4j_server: Neo4jTestServer) -> None:
    if not isinstance(neo4j_server, Neo4jServerProcess):
        pytest.skip("the server runs in a container here")
    with subprocess.Popen(
        [sys.executable, "-c", RUN, tmp_path],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout is not None
        server = int(run.stdout.readline())
        assert "CommunityEntryPoint" in Path(f"/proc/{server}/cmdline").read_text(encoding="utf-8")
        run.send_signal(signal.SIGKILL)
    for _ in range(600):
        if not Path(f"/proc/{server}/cmdline").exists() or not Path(f"/proc/{server}/cmdline").read_bytes():
            return
        time.sleep(0.1)
    os.kill(server, signal.SIGKILL)
    pytest.fail(f"process {server} outlived the run that started it")
