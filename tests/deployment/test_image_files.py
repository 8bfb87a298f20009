"""The Dockerfile is sound, and what it builds from is the program and nothing else."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deployment.dockerfile import DOCKERFILE, instructions, last

HADOLINT = Path(sys.executable).with_name("hadolint")


def test_the_linter_finds_nothing(tmp_path: Path) -> None:
    done = subprocess.run([HADOLINT, DOCKERFILE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    broken = tmp_path / "Dockerfile"
    broken.write_text(DOCKERFILE.read_text(encoding="utf-8").replace("--no-cache-dir ", ""), encoding="utf-8")
    told = subprocess.run([HADOLINT, broken], capture_output=True, text=True, check=False)
    assert "DL3042" in told.stdout


IN_EVERY_IMAGE = {"libc", "libdl", "libgcc_s", "libm", "libpthread", "librt", "libstdc++"}
"""Libraries that Debian's smallest image has."""


def test_an_embedded_language_model_finds_what_it_is_linked_against() -> None:
    found = importlib.util.find_spec("xllamacpp")
    if found is None or found.origin is None:
        pytest.skip("the extra llm is not there")
    parts = [path.read_bytes() for path in Path(found.origin).parent.glob("*.so")]
    linked = {name.decode() for part in parts for name in re.findall(rb"(?<=\0)(lib[\w+-]+\.so\.\d+)(?=\0)", part)}
    assert "libstdc++.so.6" in linked, "the names of libraries were found"
    of_both_stages = [rest for word, rest in instructions() if word in ("FROM", "RUN")]
    final = max(number for number, rest in enumerate(of_both_stages) if rest.startswith("python:"))
    installs = " ".join(of_both_stages[final:])
    for name in linked:
        library, _, version = name.partition(".so.")
        assert library in IN_EVERY_IMAGE or f"{library}{version} " in installs, name
    assert "'.[llm]'" in " ".join(of_both_stages[:final])


def test_the_service_runs_as_a_user_of_its_own() -> None:
    user, _, group = last("USER").partition(":")
    assert int(user) >= 1_000
    assert int(group) >= 1_000


def test_the_image_holds_the_rooms_and_the_weights_and_no_more(installed: Path) -> None:
    packages = {path.name for path in installed.iterdir() if path.suffix != ".dist-info" and path.name != "bin"}
    rooms = {"api", "causetrail", "evaluation", "extraction", "kg", "language", "models", "reasoning", "traversal"}
    assert packages == rooms
    assert list((installed / "models" / "weights").rglob("*.onnx"))
    assert not list(installed.rglob("test_*.py"))


def test_what_is_not_the_program_stays_outside(installed: Path) -> None:
    context = {path.name for path in (installed.parent / "source").iterdir()}
    assert not context & {".git", ".venv", ".cache", "tests", "demo.db", "docs", "benchmarks", "training"}
