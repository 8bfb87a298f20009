"""The page on judges: its samples run, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from causetrail.errors import error_table
from models import cross_encoder_judge, judge_source, nli_judge
from models.gguf_model import GgufModel
from models.hub_model import HUB_SECONDS
from models.judge_source import JudgeNames
from models.model_judges import PROMPTS, TRUST
from models.prompts import FOLDER

PAGE = (Path(__file__).parents[3] / "docs" / "judges.md").read_text(encoding="utf-8")
PACKAGED, MODEL = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_sample_of_the_packaged_judges_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PACKAGED, "judges.md", "exec"), {})
    relevance, inference, fingerprints = capsys.readouterr().out.splitlines()
    painted, closed = map(float, relevance.strip("[]").split(","))
    assert closed > painted
    assert max(map(float, inference.split())) == float(inference.split()[2])
    assert fingerprints.count("causetrail_judges-") == 4


@pytest.mark.slow
def test_the_sample_of_the_language_model_runs(smollm2: GgufModel, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(MODEL, "judges.md", "exec"), {})
    assert capsys.readouterr().out.strip() in {f"[{TRUST}]", f"[{1 - TRUST}]"}


def test_what_it_names_is_there() -> None:
    codes = {kind.code for kind in error_table()}
    assert set(re.findall(r"CT-[A-Z]\d{3}", PAGE)) <= codes
    judgements, names = (re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE) for table in PAGE.split("Each judgement"))
    assert judgements == list(JudgeNames.__dataclass_fields__)
    assert names == [
        judge_source.PACKAGED,
        f"{cross_encoder_judge.CROSS_ENCODER}NAME_OR_PATH",
        f"{nli_judge.NLI}NAME_OR_PATH",
        judge_source.REASONER,
    ]
    assert sorted(PROMPTS) == sorted(path.stem for path in FOLDER.glob("judge_*.toml"))
    assert f"({TRUST} when you do not" in PAGE
    assert (HUB_SECONDS, f"stage `{judge_source.STAGE}`" in PAGE) == (10, True)
