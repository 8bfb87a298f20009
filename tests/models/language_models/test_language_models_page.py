"""The page on language models: its sample runs, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from causetrail.errors import OutputCut, OutputInvalid, error_table
from causetrail.settings import PREFIX, Settings
from models.gguf_model import GgufModel

PAGE = (Path(__file__).parents[3] / "docs" / "language-models.md").read_text(encoding="utf-8")


PREMISES, READING = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_sample_runs(smollm2: GgufModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAUSETRAIL_LLM_MAX_TOKENS", "30")
    # Which of the three it is depends on 135 million weights, not on the page.
    try:
        exec(compile(READING, "language-models.md", "exec"), {})
    except (OutputInvalid, OutputCut) as error:
        assert error.details["kind"] == "ClaimAnswers"


def test_the_sample_of_missing_statements_runs(smollm2: GgufModel, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PREMISES, "language-models.md", "exec"), {})
    assert re.match(r"\[['\"]\w.* Counter\(", capsys.readouterr().out)


def test_what_it_names_is_there() -> None:
    codes = {kind.code for kind in error_table()}
    assert set(re.findall(r"CT-[A-Z]\d{3}", PAGE)) <= codes
    named = {name.lower() for name in re.findall(rf"{PREFIX}([A-Z_]+)", PAGE)} | set(re.findall(r"`(llm\w*)`", PAGE))
    assert named <= set(Settings.model_fields)
    assert len(named) > 6
