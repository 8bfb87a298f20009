"""The server as a process: it listens, answers, refuses, and stops."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

from api.server import listen
from causetrail.errors import AddressRefused, PortTaken

Serving = Callable[[str], AbstractContextManager[tuple[subprocess.Popen[bytes], int]]]


def test_a_real_server_answers_and_stops(flood_folder: Path, serving: Serving) -> None:
    with serving(f"sqlite:///{flood_folder}/trail.db") as (process, port):
        question = json.dumps({"question": "Why did the council close the footbridge?"}).encode()
        request = Request(f"http://127.0.0.1:{port}/v1/ask", question, {"Content-Type": "application/json"})
        with urlopen(request) as answer:
            assert json.load(answer)["verdict"] == "supported"
            assert "uvicorn" not in str(answer.headers).lower()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) in {0, 130}


def test_it_warns_of_a_store_that_is_away_and_logs_requests_that_fail(tmp_path: Path, free_port: int) -> None:
    command = [Path(sys.executable).with_name("causetrail"), "serve", "--port", str(free_port)]
    store = "neo4j://127.0.0.1:9"
    process = subprocess.Popen([*command, "--store", store], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("Causetrail answers at ")
        assert process.stderr.readline().startswith("CT-S013: No Neo4j server answers at neo4j://127.0.0.1:9")
        assert "as soon as the store does" in process.stderr.readline()
        for path in ("/v1/events?text=a-secret", "/readyz"):
            with pytest.raises(HTTPError) as refused:
                _open_patiently(f"http://127.0.0.1:{free_port}{path}")
            assert refused.value.code == 503
        assert process.stderr.readline() == "GET /v1/events: 503 CT-S013\n"
        assert process.stderr.readline() == "GET /readyz: 503 CT-S013\n"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)


def _open_patiently(address: str) -> None:
    """Asks until somebody listens there."""
    for _ in range(300):
        try:
            urlopen(address)
        except HTTPError:
            raise
        except URLError:
            time.sleep(0.1)


@pytest.fixture
def free_port() -> int:
    """A port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "trail.example"])
def test_other_machines_are_not_let_in_without_a_key(host: str) -> None:
    with pytest.raises(AddressRefused):
        listen(host, 0, None)


def test_a_key_opens_other_addresses() -> None:
    with listen("0.0.0.0", 0, "a-key-of-some-length") as listener:
        assert listener.getsockname()[0] == "0.0.0.0"


def test_a_port_in_use_is_told() -> None:
    with listen("127.0.0.1", 0, None) as first:
        first.listen()
        with pytest.raises(PortTaken):
            listen("127.0.0.1", first.getsockname()[1], None)


def test_a_host_that_is_none_is_told() -> None:
    with pytest.raises(PortTaken):
        listen("no.such.host.invalid", 8017, "a-key-of-some-length")
