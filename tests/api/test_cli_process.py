"""The command as a process: pipes, locales, interrupts, and what it does not load."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

CAUSETRAIL = Path(sys.executable).with_name("causetrail")
WHY = "Why did the council close the footbridge?"


def causetrail(*arguments: str, store: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the command."""
    return subprocess.run(
        [CAUSETRAIL, *arguments], capture_output=True, env=os.environ | {"CAUSETRAIL_STORE": store} | more, check=False
    )


@pytest.fixture
def store(flood_folder: Path) -> str:
    """Address of the store of the flood documents; only for reading."""
    return f"sqlite:///{flood_folder}/trail.db"


def test_from_a_folder_to_a_proved_why(flood_folder: Path, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/trail.db"
    taken = causetrail("ingest", str(flood_folder / "flood"), store=store)
    assert taken.returncode == 0, taken.stderr
    assert b"8 added" in taken.stdout
    told = causetrail("ask", WHY, "--json", store=store)
    assert json.loads(told.stdout)["verdict"] == "supported"


def test_a_reader_that_stops_reading_is_no_error(store: str) -> None:
    command = f"'{CAUSETRAIL}' export | head -n 1"
    done = subprocess.run(
        command, shell=True, capture_output=True, env=os.environ | {"CAUSETRAIL_STORE": store}, check=False
    )
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONIOENCODING": "latin-1"}])
def test_every_character_is_printed_in_every_locale(tmp_path: Path, locale: dict[str, str]) -> None:
    store = f"sqlite:///{tmp_path}/trail.db"
    text = "The valve 🚰 stuck in Łódź. As a result, the tank overflowed on 3 May 2021."
    (tmp_path / "valve.txt").write_text(text, encoding="utf-8")
    assert causetrail("ingest", str(tmp_path / "valve.txt"), store=store, **locale).returncode == 0
    told = causetrail("show", "document", "valve.txt", "--text", store=store, **locale)
    assert told.stdout.decode("utf-8") == text


def test_output_to_a_full_disk_is_told(store: str) -> None:
    command = f"'{CAUSETRAIL}' show stats > /dev/full"
    done = subprocess.run(
        command, shell=True, capture_output=True, env=os.environ | {"CAUSETRAIL_STORE": store}, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"CT-A009: The output could not be written: no space is left.\n")


def test_no_colour_outside_a_terminal(store: str) -> None:
    assert b"\x1b" not in causetrail("ask", WHY, store=store).stdout


HEED_INTERRUPTS = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
)
"""Runs a command that heeds interrupts, also when the tests run in the background and ignore them."""


@pytest.mark.parametrize(("command", "told"), [("ask", b""), ("ingest", b"Interrupted. The same command goes on")])
def test_ctrl_c_ends_cleanly(store: str, command: str, told: bytes) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", HEED_INTERRUPTS, CAUSETRAIL, command, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"CAUSETRAIL_STORE": store, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdin is not None
    process.stdin.write(b"Why")
    process.stdin.flush()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert err.startswith(told)


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from api.cli import run; run(['--help']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout.splitlines()[-1].replace("'", '"')))
    heavy = {"numpy", "fastapi", "rich", "spacy", "faiss", "onnxruntime", "apsw", "networkx", "torch"}
    assert loaded & heavy == set()
    assert "typer" in loaded


def test_asking_loads_no_reader_of_documents(store: str) -> None:
    code = (
        f"import sys; from api.cli import run; run(['--store', {store!r}, 'ask', {WHY!r}]); print(sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout.splitlines()[-1].replace("'", '"')))
    heavy = {"fastapi", "rich", "spacy", "networkx", "torch", "pypdfium2", "docx", "pptx", "selectolax", "py3langid"}
    assert loaded & heavy == set()
    assert "onnxruntime" in loaded
