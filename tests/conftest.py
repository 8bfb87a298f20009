"""What the tests share: the example corpus, taken in once, and the servers."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from causetrail import Causetrail
from causetrail.settings import PREFIX
from tests.neo4j.server import Neo4jTestServer
from tests.neo4j.starting import running_server

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A suite that runs in the background inherits this, and so would the programs whose Ctrl-C it tests.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def flood_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the flood documents and a store of them, `trail.db`; not to be written to."""
    folder = tmp_path_factory.mktemp("flood")
    shutil.copytree(EXAMPLES / "flood", folder / "flood")
    with Causetrail(f"sqlite:///{folder}/trail.db") as trail:
        report = trail.ingest(folder / "flood")
    assert report.failed == 0
    return folder


@pytest.fixture
def flood(flood_folder: Path) -> Iterator[Causetrail]:
    """The facade over the flood documents; only for reading."""
    with Causetrail(f"sqlite:///{flood_folder}/trail.db") as trail:
        yield trail


@pytest.fixture
def own_flood(flood_folder: Path, tmp_path: Path) -> Iterator[Causetrail]:
    """The facade over a copy of the flood documents, for writing."""
    shutil.copytree(flood_folder, tmp_path, dirs_exist_ok=True)
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:
        yield trail


@pytest.fixture
def pump_trail(tmp_path: Path) -> Iterator[Causetrail]:
    """The facade over three notes of a failed pump, two of which may tell of the same happenings."""
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:
        trail.ingest_text("The pump failed. As a result, the lower tank overflowed.", "a.txt")
        trail.ingest_text("The failure of the pump caused the overflow of the tank in the lower hall.", "b.txt")
        trail.ingest_text("The pump did not fail, and so the lower tank did not overflow.", "c.txt")
        yield trail


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests do not depend on variables of whoever runs them."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jTestServer]:
    """A Neo4j server of its own for each worker process; a test leaves it running, and may `wipe` it first."""
    with running_server(tmp_path_factory.mktemp("neo4j")) as server:
        yield server


@pytest.fixture(scope="session")
def second_neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jTestServer]:
    """Another one, for tests that need two at once."""
    with running_server(tmp_path_factory.mktemp("neo4j")) as server:
        yield server


@pytest.fixture
def serving() -> Callable[[str], AbstractContextManager[tuple[subprocess.Popen[bytes], int]]]:
    """Starts a server process over a store: the process and its port, once it answers."""
    return _serving


@contextmanager
def _serving(store: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [Path(sys.executable).with_name("causetrail"), "serve", "--port", str(port), "--store", store]
    process = subprocess.Popen(command)
    try:
        for _ in range(300):
            try:
                with urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
                    assert json.load(answer) == {"status": "ok"}
                break
            except URLError:
                assert process.poll() is None
                time.sleep(0.1)
        yield process, port
    finally:
        process.kill()
        process.wait()
