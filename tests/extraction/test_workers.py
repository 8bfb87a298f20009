"""Worker processes: a document that kills its process costs only itself, and nobody outlives the main process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from causetrail.errors import DocumentAborted, ModelMissing
from extraction.loading.load import Loaded
from extraction.workers import read_all
from kg.store import Bundle, Source

# Run as a program of its own: spawned processes import the main module to find the extractor.
PROGRAM = """
import json, os, signal, sys, time
import numpy as np
from extraction.loading.load import Loaded
from extraction.workers import read_all
from kg.store import Bundle, Source


class Extractor:
    def extract(self, loaded, collection):
        if loaded.text == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if loaded.text == "raise":
            raise ZeroDivisionError
        if loaded.text == "sleep":
            # In one write: two workers may tell theirs at once.
            os.write(1, f"{os.getpid()}\\n".encode())
            time.sleep(600)
        none = np.empty((0, 1), dtype=np.float32)
        bundle = Bundle("main", loaded.source, loaded.text, "en", "rules", 1, (), none, (), none, ())
        return bundle, {"sentences": 0.5}


def source(name):
    return Source(name, "", name, name, None, None, "text/plain", (), "1")


def documents(texts):
    for number, text in enumerate(texts):
        yield Loaded(source(f"{number:02d}"), text)


if __name__ == "__main__":
    found = {}
    for reading in read_all(documents(sys.argv[2:]), "main", Extractor, int(sys.argv[1])):
        assert reading.source.name not in found
        found[reading.source.name] = reading.error.code + reading.error.details["reason"] if reading.error else "read"
    print(json.dumps(found, sort_keys=True))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def start(program: Path, *arguments: str) -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, str(program), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
        start_new_session=True,
    )


@pytest.mark.parametrize("texts", [["a", "kill", "b", "c", "raise", "d", "kill"], ["kill"], ["kill", "kill", "a"], []])
def test_a_killed_worker_costs_only_its_document(program: Path, texts: list[str]) -> None:
    process = start(program, "2", *texts)
    output, errors = process.communicate(timeout=120)
    assert errors == ""
    expected = {
        "kill": "CT-D016its process was killed",
        "raise": "CT-D016an internal error (ZeroDivisionError)",
    }
    assert json.loads(output) == {f"{n:02d}": expected.get(text, "read") for n, text in enumerate(texts)}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_no_worker_outlives_the_main_process(program: Path, how: signal.Signals) -> None:
    process = start(program, "2", "sleep", "sleep")
    assert process.stdout is not None
    workers = [int(process.stdout.readline()) for _ in range(2)]
    if how is signal.SIGINT:
        os.killpg(process.pid, how)
    else:
        process.kill()
    process.wait(timeout=60)
    deadline = time.monotonic() + 60
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, workers))


def alive(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


class Here:
    def extract(self, loaded: Loaded, collection: str) -> tuple[Bundle, dict[str, float]]:
        raise {"memory": MemoryError, "missing": no_model}.get(loaded.text, ValueError)()


def no_model() -> ModelMissing:
    return ModelMissing(model="m", reason="r", advice="a")


def documents(*texts: str) -> Iterator[Loaded]:
    for text in texts:
        source = Source(text, "", text, text, None, None, "text/plain", (), "1")
        yield Loaded(source, text)


def test_one_process_goes_on_after_any_document() -> None:
    errors = [reading.error for reading in read_all(documents("memory", "missing", "other"), "main", Here, 1)]
    assert [type(error) for error in errors] == [DocumentAborted, ModelMissing, DocumentAborted]


def test_what_cannot_be_made_stops_everything() -> None:
    def fail() -> Here:
        raise no_model()

    with pytest.raises(ModelMissing):
        list(read_all(documents("a"), "main", fail, 1))


def test_nothing_is_made_when_there_is_nothing_to_read() -> None:
    def fail() -> Here:
        raise AssertionError

    assert list(read_all(documents(), "main", fail, 1)) == []


class Made:
    """A maker that counts what it makes; two of one name are equal."""

    def __init__(self, name: str) -> None:
        self.name, self.made = name, 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Made) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __call__(self) -> Here:
        self.made += 1
        return Here()


def test_the_next_reading_takes_what_the_last_one_left() -> None:
    first, same, other = Made("one"), Made("one"), Made("other")
    for make in (first, same, other, same):
        list(read_all(documents("missing"), "main", make, 1))
    # The third reading put its own in the place of what was left.
    assert (first.made, same.made, other.made) == (1, 1, 1)


def test_two_readings_at_once_share_no_extractor() -> None:
    make = Made("shared")
    readings = [read_all(documents("missing", "missing"), "main", make, 1) for _ in range(2)]
    for reading in readings:
        next(reading)
    for reading in readings:
        list(reading)
    assert make.made == 2
