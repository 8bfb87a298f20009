"""docker-compose.yml is valid, asks for its secrets, and opens nothing to other machines."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from causetrail.settings import Settings
from tests.deployment.conftest import GIVEN, KEY
from tests.deployment.dockerfile import ROOT
from tests.neo4j.server import PASSWORD, Neo4jTestServer

FILE = ROOT / "docker-compose.yml"


def checked(path: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("check-jsonschema")
    return subprocess.run(
        [program, "--builtin-schema", "vendor.compose-spec", path], capture_output=True, text=True, check=False
    )


def test_the_file_follows_the_compose_specification(tmp_path: Path) -> None:
    assert checked(FILE).returncode == 0, checked(FILE).stdout
    broken = tmp_path / "docker-compose.yml"
    broken.write_text(FILE.read_text(encoding="utf-8").replace("cap_drop", "capdrop"), encoding="utf-8")
    assert checked(broken).returncode != 0


@pytest.mark.parametrize("missing", sorted(GIVEN))
@pytest.mark.parametrize("empty", [False, True])
def test_a_secret_that_is_not_given_is_asked_for(compose: list[str], missing: str, empty: bool) -> None:
    given = GIVEN | {missing: ""} if empty else {name: value for name, value in GIVEN.items() if name != missing}
    done = subprocess.run(
        [*compose, "config"], cwd=ROOT, env=os.environ | given, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "of at least 8 characters" in done.stderr
    assert KEY not in done.stderr
    assert PASSWORD not in done.stderr


def test_everything_is_published_on_this_machine_only(composed: dict[str, Any]) -> None:
    published = [port for service in composed.values() for port in service["ports"]]
    assert len(published) == 3
    for port in published:
        # The plugin writes a port out, the older program keeps the short form.
        host = port["host_ip"] if isinstance(port, dict) else port.split(":")[0]
        assert host == "127.0.0.1"


def test_the_service_has_no_rights_it_does_not_need_and_waits_for_the_database(composed: dict[str, Any]) -> None:
    service = composed["causetrail"]
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["depends_on"]["neo4j"]["condition"] == "service_healthy"


def test_the_service_gets_settings_that_it_knows(composed: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    given = composed["causetrail"]["environment"]
    assert {name.removeprefix("CAUSETRAIL_").lower() for name in given} <= set(Settings.model_fields)
    assert given["CAUSETRAIL_STORE"].startswith("bolt://neo4j:")
    assert given["CAUSETRAIL_API_KEY"] == KEY
    assert composed["neo4j"]["environment"]["NEO4J_AUTH"] == f"neo4j/{given['CAUSETRAIL_NEO4J_PASSWORD']}"
    assert composed["neo4j"]["environment"]["NEO4J_dbms_usage__report_enabled"] == "false"


@pytest.mark.neo4j
def test_the_database_is_healthy_when_a_query_is_answered(
    composed: dict[str, Any], neo4j_server: Neo4jTestServer
) -> None:
    kind, check = composed["neo4j"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    assert "127.0.0.1:7474/" in check

    def health(auth: str) -> int:
        command = check.replace("127.0.0.1:7474/", f"127.0.0.1:{neo4j_server.http_port}/")
        return subprocess.run(["sh", "-c", command], env=os.environ | {"NEO4J_AUTH": auth}, check=False).returncode

    right = composed["neo4j"]["environment"]["NEO4J_AUTH"]
    assert health(right) == 0
    assert health("neo4j/not this one") != 0
    neo4j_server.kill()
    try:
        assert health(right) != 0
    finally:
        neo4j_server.start()
    assert health(right) == 0
