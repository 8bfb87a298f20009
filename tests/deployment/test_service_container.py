"""The service runs as image and compose file start it: their command and variables, on a disk it cannot write."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.deployment.conftest import KEY
from tests.deployment.dockerfile import environment, last, words
from tests.neo4j.server import Neo4jTestServer

pytestmark = pytest.mark.neo4j

START_CHECKS = 60

CONTAINED = """
set -e
for place in / "$PROJECT" "$INSTALLED"; do
    mount -o remount,ro,bind "$(findmnt --noheadings --output TARGET --target "$place")"
done
mount -t tmpfs tmpfs "$TMPDIR"
if touch "$INSTALLED/written" 2>/dev/null; then echo "the disk can be written" >&2; exit 99; fi
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
"""
"""What Docker does for read_only, tmpfs, cap_drop and no-new-privileges, by the same means of the kernel."""


@dataclass(frozen=True)
class Service:
    port: int
    environment: dict[str, str]

    def answer(self, path: str, body: object = None, *, key: str | None = KEY) -> Any:
        request = Request(
            f"http://127.0.0.1:{self.port}{path}",
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"} | ({"X-API-Key": key} if key else {}),
        )
        with urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def health(self) -> int:
        """Runs the health check of the image."""
        _, _, command = last("HEALTHCHECK").partition(" CMD ")
        program, *arguments = words(command)
        assert program == "python"
        return subprocess.run(
            [sys.executable, *arguments], env=self.environment, capture_output=True, check=False
        ).returncode


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def service(
    composed: dict[str, Any],
    installed: Path,
    neo4j_server: Neo4jTestServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Service]:
    """The service as compose starts it, with the addresses of this machine in place of those between containers."""
    contained = ["unshare", "--user", "--map-root-user", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*contained, "true"], check=False).returncode != 0:
        pytest.skip("the system lets no program close off its disk here (unshare)")
    neo4j_server.wipe(schema=True)
    scratch = tmp_path_factory.mktemp("scratch")
    port = free_port()
    given = environment() | composed["causetrail"]["environment"]
    assert given["CAUSETRAIL_HOST"] == "0.0.0.0"
    given["CAUSETRAIL_STORE"] = given["CAUSETRAIL_STORE"].replace("neo4j:7687", f"127.0.0.1:{neo4j_server.bolt_port}")
    given["CAUSETRAIL_PORT"] = str(port)
    given |= {
        "PATH": f"{installed / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(installed),
        "TMPDIR": str(scratch),
        "PROJECT": sys.prefix,
        "INSTALLED": str(installed),
    }
    started = [*words(last("ENTRYPOINT")), *words(last("CMD"))]
    process = subprocess.Popen(
        [*contained, "sh", "-c", CONTAINED, "sh", *started],
        cwd=scratch.parent,
        env=given,
        stderr=subprocess.PIPE,
        text=True,
    )
    served = Service(port, given)
    try:
        for _ in range(START_CHECKS):
            if served.health() == 0:
                break
            assert process.poll() is None, process.stderr.read() if process.stderr else ""
            time.sleep(0.5)
        yield served
    finally:
        process.terminate()
        process.wait(60)


def test_the_service_takes_documents_in_and_answers_on_a_disk_it_cannot_write(service: Service) -> None:
    text = "The dam released water on 5 February 2021 because gate 2 had opened fully."
    service.answer("/v1/documents", {"name": "dam.txt", "text": text})
    told = service.answer("/v1/ask", {"question": "Why did the dam release water?"})
    assert told["verdict"] == "supported"
    assert "gate 2 had opened fully" in told["text"]


def test_the_service_refuses_requests_without_the_key(service: Service) -> None:
    with pytest.raises(HTTPError) as refused:
        service.answer("/v1/ask", {"question": "Why did the dam release water?"}, key=None)
    assert refused.value.code == 401


def test_the_service_outlives_a_crash_of_the_database(service: Service, neo4j_server: Neo4jTestServer) -> None:
    text = "The pump stopped on 3 May 2021 because a fuse had blown."
    service.answer("/v1/documents", {"name": "pump.txt", "text": text})
    neo4j_server.kill()
    assert service.health() == 0
    neo4j_server.start()
    assert "a fuse had blown" in service.answer("/v1/ask", {"question": "Why did the pump stop?"})["text"]
    assert service.answer("/readyz")["status"] == "ok"


def test_the_image_alone_does_not_listen_without_a_key(installed: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [installed / "bin" / words(last("ENTRYPOINT"))[0], *words(last("CMD"))],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(installed)} | environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "CT-A001" in done.stderr
