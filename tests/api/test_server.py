"""The server as a process: it listens, answers, refuses, and stops."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
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
