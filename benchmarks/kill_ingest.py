"""Kill an ingest with SIGKILL at moments spread over its undisturbed duration, resume it, and compare the exports.

    python -m benchmarks.kill_ingest --data ../shared/data

Each moment has a store of its own: the ingest runs as a process, is killed, and is run again to its end. The export
must then be that of an ingest nobody disturbed, and no worker process may be left.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.results import write_result

PROGRAM = """
import sys
from pathlib import Path
from causetrail.settings import Settings
from extraction.encoder_source import encoder_source
from extraction.pipeline import ingest
from kg.sqlite_store import SqliteStore

if __name__ == "__main__":
    store, jobs, paths = Path(sys.argv[1]), int(sys.argv[2]), [Path(name) for name in sys.argv[3:]]
    settings = Settings(parser="causetrail_sm", jobs=jobs)
    with SqliteStore(store, wait_seconds=60, lease_seconds=2) as opened:
        report = ingest(paths, opened, encoder_source(settings.encoder), settings, base=paths[0])
    for failure in report.failures:
        print(failure.source, failure.code, failure.message, file=sys.stderr)
    print(report.failed, report.unchanged)
"""
"""The ingest that is killed: `PROGRAM store jobs paths`. Prints the sources that failed and those left alone."""


class Ingests:
    """Runs the program on the same documents into different stores."""

    def __init__(self, folder: Path, jobs: int, paths: Sequence[Path]) -> None:
        self._folder = folder
        self._jobs = jobs
        self._paths = [str(path.resolve()) for path in paths]
        self._program = folder / "program.py"
        self._program.write_text(PROGRAM, "utf-8")

    def start(self, name: str) -> subprocess.Popen[str]:
        """Starts an ingest in a session of its own, so that whatever it leaves behind can be found."""
        root = Path(__file__).parents[1]
        return subprocess.Popen(
            [sys.executable, str(self._program), str(self.store(name)), str(self._jobs), *self._paths],
            env={**os.environ, "PYTHONPATH": str(root)},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def store(self, name: str) -> Path:
        """The store that an ingest of this name writes."""
        return self._folder / f"{name}.db"

    def finish(self, name: str) -> tuple[int, int]:
        """Runs an ingest to its end: sources that failed and sources left alone."""
        process = self.start(name)
        output, _ = process.communicate()
        if process.returncode:
            raise RuntimeError(f"the ingest {name} ended with status {process.returncode}")
        failed, unchanged = output.split()
        return int(failed), int(unchanged)

    def kill_after(self, name: str, seconds: float) -> bool:
        """Starts an ingest and kills it at a moment; whether it was still running then."""
        process = self.start(name)
        try:
            process.wait(seconds)
            running = False
        except subprocess.TimeoutExpired:
            running = True
        process.send_signal(signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + 30
        while orphans(process.pid):
            if time.monotonic() > deadline:
                raise RuntimeError(f"processes outlived the ingest {name}: {orphans(process.pid)}")
            time.sleep(0.05)
        return running

    def export(self, name: str) -> str:
        """SHA-256 of the canonical export of a store."""
        from kg.export import export_jsonl
        from kg.sqlite_store import SqliteStore

        digest = hashlib.sha256()
        with SqliteStore(self.store(name), wait_seconds=60, lease_seconds=30, read_only=True) as opened:
            for line in export_jsonl(opened, "main"):
                digest.update(line.encode("utf-8"))
        return digest.hexdigest()


def orphans(session: int) -> list[int]:
    """Processes of a session that are still alive."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text("utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def main() -> None:
    """Run all moments and store the result."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments.add_argument("--moments", type=int, default=20)
    arguments.add_argument("--jobs", type=int, default=1)
    given = arguments.parse_args()
    reports: Path = given.data / "reports"
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as name:
        ingests = Ingests(Path(name), given.jobs, [reports])
        started = time.perf_counter()
        ingests.finish("undisturbed")
        duration = time.perf_counter() - started
        expected = ingests.export("undisturbed")
        for moment in range(given.moments):
            seconds = duration * (moment + 0.5) / given.moments
            was_running = ingests.kill_after(f"killed-{moment}", seconds)
            _, unchanged = ingests.finish(f"killed-{moment}")
            same = ingests.export(f"killed-{moment}") == expected
            rows.append(
                {"seconds": round(seconds, 2), "was running": was_running, "kept documents": unchanged, "same": same}
            )
            print(rows[-1], flush=True)
    write_result(
        "kill_ingest",
        command=f"python -m benchmarks.kill_ingest --data ../shared/data --moments {given.moments} --jobs {given.jobs}",
        data="the 26 investigation reports",
        baseline="the export of an undisturbed ingest",
        figures={
            "undisturbed seconds": round(duration, 2),
            "moments": given.moments,
            "killed while running": sum(bool(row["was running"]) for row in rows),
            "same export after resuming": sum(bool(row["same"]) for row in rows),
        },
        rows=rows,
    )


if __name__ == "__main__":
    main()
