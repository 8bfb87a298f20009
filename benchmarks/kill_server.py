"""Kill the Neo4j server with SIGKILL ten times during one ingest, start it again each time, and compare the exports.

    python -m benchmarks.kill_server --data ../shared/data

The ingest is the command line in a process of its own. When it gives up with its message it is started again, as a user
would; otherwise it goes on by itself. The export in the end must be that of an embedded store nobody disturbed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.results import write_result
from tests.neo4j.process import Neo4jServerProcess

_CODE = re.compile(r"CT-[A-Z]\d{3}")
MOST_RUNS = 40


class Ingest:
    """The command line on one store."""

    def __init__(self, store: str, paths: Sequence[Path], environment: dict[str, str]) -> None:
        self._command = [str(Path(sys.executable).with_name("causetrail")), "--store", store]
        self._paths = [str(path.resolve()) for path in paths]
        self._environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), **environment}

    def start(self) -> subprocess.Popen[str]:
        """Starts an ingest of the documents."""
        return subprocess.Popen(
            [*self._command, "ingest", *self._paths],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def export(self) -> str:
        """SHA-256 of the canonical export."""
        done = subprocess.run([*self._command, "export"], env=self._environment, capture_output=True, check=True)
        return hashlib.sha256(done.stdout).hexdigest()


class Disturbed:
    """One ingest whose server is killed and started again."""

    def __init__(self, ingest: Ingest, server: Neo4jServerProcess) -> None:
        self._ingest = ingest
        self._server = server
        self._process = ingest.start()
        self.messages: list[str] = []
        self.runs = 1

    def kill_after(self, seconds: float) -> dict[str, object]:
        """Waits, kills the server, starts it, and starts the ingest too when it gave up; what happened."""
        if self._ended(seconds):
            self._again()
            self._ended(seconds)
        was_running = self._process.poll() is None
        self._server.kill()
        begin = time.perf_counter()
        self._server.start()
        return {"ingest was running": was_running, "server away seconds": round(time.perf_counter() - begin, 1)}

    def finish(self) -> None:
        """Runs the ingest to its end."""
        while not self._ended(None) or self._process.returncode:
            self._again()

    def _ended(self, seconds: float | None) -> bool:
        try:
            output, _ = self._process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        if self._process.returncode:
            code = _CODE.search(output)
            self.messages.append(code[0] if code else output[-200:])
        return True

    def _again(self) -> None:
        self.runs += 1
        if self.runs > MOST_RUNS:
            raise RuntimeError(f"the ingest does not end: {self.messages}")
        self._process = self._ingest.start()


def main() -> None:
    """Run the disturbed ingest and store the result."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments.add_argument("--kills", type=int, default=10)
    given = arguments.parse_args()
    paths = [given.data / "reports"]
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as name:
        embedded = Ingest(f"sqlite:///{name}/undisturbed.db", paths, {})
        if embedded.start().wait() not in {0, 3}:
            raise RuntimeError("the undisturbed ingest failed")
        expected = embedded.export()
        server = Neo4jServerProcess(_folder(name, "server"))
        try:
            server.start()
            access = {"CAUSETRAIL_NEO4J_USER": server.user, "CAUSETRAIL_NEO4J_PASSWORD": server.password}
            ingest = Ingest(server.address, paths, access)
            begin = time.perf_counter()
            ingest.start().wait()
            duration = time.perf_counter() - begin
            same_undisturbed = ingest.export() == expected
            server.wipe(schema=True)
            disturbed = Disturbed(ingest, server)
            for _ in range(given.kills):
                rows.append(disturbed.kill_after(duration / (given.kills + 1)))
                print(rows[-1], flush=True)
            disturbed.finish()
            same = ingest.export() == expected
        finally:
            server.remove()
    write_result(
        "kill_server",
        command=f"python -m benchmarks.kill_server --data ../shared/data --kills {given.kills}",
        data="the 26 investigation reports",
        baseline="the export of an embedded store that nobody disturbed",
        figures={
            "undisturbed seconds on the server": round(duration, 1),
            "kills of the server": given.kills,
            "kills while the ingest ran": sum(bool(row["ingest was running"]) for row in rows),
            "ingests started": disturbed.runs,
            "ingests that gave up with a message": ", ".join(disturbed.messages) or "none",
            "undisturbed export equals the embedded one": same_undisturbed,
            "disturbed export equals the embedded one": same,
        },
        rows=rows,
    )


def _folder(parent: str, name: str) -> Path:
    folder = Path(parent) / name
    folder.mkdir()
    return folder


if __name__ == "__main__":
    main()
