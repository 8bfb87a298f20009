"""Which judges satisfy which protocol: the type checker says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLAIMS = """
from models.cross_encoder_judge import CrossEncoderJudge
from models.judge import CauseJudge, EntailmentJudge, RelevanceJudge, SufficiencyJudge
from models.judges import Judges
from models.model_judges import ModelJudges
from models.nli_judge import NliJudge

entailment: tuple[type[EntailmentJudge], ...] = (Judges, ModelJudges, NliJudge)
relevance: tuple[type[RelevanceJudge], ...] = (Judges, ModelJudges, CrossEncoderJudge)
cause: tuple[type[CauseJudge], ...] = (Judges, ModelJudges)
sufficiency: tuple[type[SufficiencyJudge], ...] = (Judges, ModelJudges)
"""
DENIALS = """
wrong: type[RelevanceJudge] = NliJudge
wrong_too: type[EntailmentJudge] = CrossEncoderJudge
"""


def faults(source: str, folder: Path) -> list[str]:
    """What the type checker says of a file beside the sources; libraries are left out, since they take a minute."""
    file = folder / "claims.py"
    file.write_text(source, encoding="utf-8")
    options = ["--no-error-summary", "--no-site-packages", "--ignore-missing-imports", "--follow-imports=silent"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--cache-dir", str(folder / "cache"), str(file)],
        cwd=ROOT,
        env=os.environ | {"MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    return [line for line in done.stdout.splitlines() if "error:" in line]


def test_each_judge_satisfies_the_protocols_of_what_it_judges(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="the extra dev is not there")
    assert faults(CLAIMS, tmp_path) == []
    told = faults(CLAIMS + DENIALS, tmp_path)
    assert len(told) == DENIALS.count("= ")
    assert all("claims.py" in line for line in told)
