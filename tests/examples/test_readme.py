"""The samples of the README and of the tutorial run as they stand, in order, against the example documents."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(bash|python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "examples/README.md",
    *sorted(f"docs/{p.name}" for p in ROOT.glob("docs/*.md")),
]
Serving = Callable[[str], AbstractContextManager[tuple[subprocess.Popen[bytes], int]]]


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A folder with the example documents and nothing else."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


def transcript(sample: str) -> list[tuple[str, str]]:
    """The commands of a transcript, each with what it prints; lines are broken to fit the page."""
    return [
        (command, printed)
        for command, _, printed in (part.partition("\n") for part in re.split(r"^\$ ", sample, flags=re.MULTILINE)[1:])
    ]


def run(kind: str, sample: str, folder: Path) -> str:
    """Runs one sample as a reader would, and returns what it prints."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = ["bash", "-euo", "pipefail", "-c", sample] if kind == "bash" else [sys.executable, "-c", sample]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{sample}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_samples_of_the_readme_run(workplace: Path, serving: Serving) -> None:
    samples = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(samples) >= 6
    told: list[str] = []
    for kind, sample in samples:
        if kind == "console":
            for command, printed in transcript(sample):
                assert run("bash", command, workplace).split() == printed.split(), command
        elif "http://127.0.0.1:8017" in sample:
            with serving(f"sqlite:///{workplace}/causetrail.db") as (_, port):
                told.append(run(kind, sample.replace("8017", str(port)), workplace))
        else:
            told.append(run(kind, sample, workplace))
        assert kind != "python" or "supported" in told[-1]
    assert "supported" in told[0]
    assert sum(kind == "console" for kind, _ in samples) == 1
    assert (workplace / "trail.graphml").stat().st_size > 1_000


def test_the_samples_of_the_tutorial_run(workplace: Path) -> None:
    samples = BLOCK.findall((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8"))
    assert len(samples) >= 4
    for kind, sample in samples:
        run(kind, sample, workplace)


def test_the_samples_for_a_domain_run(workplace: Path) -> None:
    samples = BLOCK.findall((ROOT / "docs" / "domains.md").read_text(encoding="utf-8"))
    assert [kind for kind, _ in samples] == ["bash", "bash", "console"]
    run("bash", samples[0][1], workplace)
    answer = run("bash", samples[1][1], workplace)
    assert "supported" in answer
    assert "a voltage sag" in answer
    ((command, printed),) = transcript(samples[2][1])
    assert run("bash", command, workplace) == printed


def test_the_sample_for_a_strictness_runs(workplace: Path) -> None:
    ((kind, sample),) = BLOCK.findall((ROOT / "docs" / "strictness.md").read_text(encoding="utf-8"))
    assert "26 claims" not in run(kind, sample, workplace)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    missing = [link for link in LINK.findall(text) if not (ROOT / page).parent.joinpath(link).exists()]
    assert missing == []
