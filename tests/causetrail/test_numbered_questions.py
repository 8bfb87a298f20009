"""A question about one of several numbered things hears of that one alone."""

from __future__ import annotations

import pytest

from causetrail import Causetrail


@pytest.fixture(scope="module")
def trail(tmp_path_factory: pytest.TempPathFactory) -> Causetrail:
    folder = tmp_path_factory.mktemp("units")
    for unit in (3, 11):
        text = f"The pump of unit {unit} failed because the hose of unit {unit} had burst.\n"
        (folder / f"{unit}.txt").write_text(text, "utf-8")
    opened = Causetrail(f"sqlite:///{folder}/units.db")
    opened.ingest(folder)
    return opened


@pytest.mark.parametrize("strategy", ["default", "causal-graph", "text-only"])
def test_no_answer_speaks_of_the_other_unit(strategy: str, trail: Causetrail) -> None:
    answer = trail.ask("Why did the pump of unit 3 fail?", strategy=strategy)
    assert [e.quote for e in answer.evidence] == ["The pump of unit 3 failed because the hose of unit 3 had burst."]
