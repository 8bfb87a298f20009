"""A test server that runs from its jars, as a child of the test run."""

from __future__ import annotations

import atexit
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.neo4j.artifacts import jars, java
from tests.neo4j.server import SETTINGS, Neo4jTestServer

STOP_SECONDS = 60.0
MAIN = "org.neo4j.server.CommunityEntryPoint"
OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
# The compiler and collector that start soonest; the tests are many short queries on small graphs.
MACHINE = ("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true")

# The system ends the child when the thread that made it ends (setpriv), so the thread must live as long as the run.
_LAUNCHER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="neo4j-launcher")


class Neo4jServerProcess(Neo4jTestServer):
    """Neo4j Community from the jars of the pom; it never outlives the process that started it.

    Args:
        home: An empty folder for data, logs and configuration.
        settings: Lines of neo4j.conf in addition to, or instead of, those of every test server.
        machine: Options of the Java machine, memory first of all.

    Raises:
        ArtifactsMissing: Java or the jars are missing.
    """

    def __init__(self, home: Path, settings: Mapping[str, str] | None = None, machine: Sequence[str] = MACHINE) -> None:
        super().__init__()
        self._home = home
        self._java = java()
        self._jars = jars()
        self._machine = tuple(machine)
        self._process: subprocess.Popen[bytes] | None = None
        self.configure(settings or {})
        atexit.register(self.kill)

    def configure(self, settings: Mapping[str, str]) -> None:
        """Writes neo4j.conf anew, with these settings on top of the usual ones; the next start reads it."""
        bolt, http = (f"127.0.0.1:{port}" for port in (self.bolt_port, self.http_port))
        places = {
            "server.default_listen_address": "127.0.0.1",
            "server.bolt.listen_address": bolt,
            "server.bolt.advertised_address": bolt,
            "server.http.listen_address": http,
            "server.http.advertised_address": http,
        }
        lines = [f"{name}={value}\n" for name, value in (SETTINGS | places | dict(settings)).items()]
        (self._home / "conf").mkdir(parents=True, exist_ok=True)
        (self._home / "conf" / "neo4j.conf").write_text("".join(lines), encoding="utf-8")

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Id of the process; only while it runs."""
        assert self._process is not None, "the server does not run"
        return self._process.pid

    @property
    def log(self) -> str:
        told = [self._home / "output.log", self._home / "logs" / "neo4j.log"]
        return "".join(path.read_text(encoding="utf-8", errors="replace") for path in told if path.exists())

    def launch(self) -> None:
        guard = shutil.which("setpriv")
        command = [
            *([guard, "--pdeathsig", "KILL", "--"] if guard else []),
            *(str(self._java), *self._machine),
            *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED),
            *("-cp", f"{self._jars}/*", MAIN, f"--home-dir={self._home}", f"--config-dir={self._home / 'conf'}"),
        ]
        with (self._home / "output.log").open("ab") as output:
            # A session of its own: Ctrl-C ends the tests, and the end of the tests ends the server.
            self._process = _LAUNCHER.submit(
                subprocess.Popen[bytes],
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            ).result()

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def remove(self) -> None:
        self.kill()
        atexit.unregister(self.kill)
        shutil.rmtree(self._home, ignore_errors=True)
