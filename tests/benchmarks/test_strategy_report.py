"""The page of the strategies, from made-up results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.strategy_measures import same_as_default, unread_scores
from benchmarks.strategy_report import write_report
from benchmarks.strategy_rows import StrategyRow, pooled, published_figures
from benchmarks.strategy_targets import stored_targets, targets
from evaluation.summary import Figure

MADE = {"command": "python -m benchmarks.answers", "date": "2026-01-01", "machine": "2 cores", "seed": 0}


def figure(value: float, questions: int = 100) -> dict[str, float]:
    return {"value": value, "low": value - 0.05, "high": value + 0.05, "questions": questions}


def row(title: str, strategy: str, score: float, **other: object) -> dict[str, object]:
    risks = {f"{share / 20:g}": round((1 - score) * share / 20, 6) for share in range(1, 21)}
    told: dict[str, object] = {
        "set": title,
        "strategy": strategy,
        "questions": 100,
        "failed": 0,
        "score": figure(score),
        "measures": {"f1": figure(0.123)},
        "groups": {"answerable": figure(score)},
        "answered": 0.9,
        "answered_risk": 0.2,
        "graph_share": 0.0,
        "graph_score": None,
        "graph_against": None,
        "graph_share_of_why": None,
        "risks": risks,
        "median_seconds": 0.05,
        "slow_seconds": 0.4,
        "tokens": 0.0,
        "against": None,
    }
    return told | other


def compared(value: float, p: float) -> dict[str, object]:
    return {"baseline": "text-only", "difference": figure(value), "p": p}


def rows(better: float = 0.04) -> list[dict[str, object]]:
    by_graph = {"graph_share": 0.4, "graph_score": figure(0.71), "graph_share_of_why": 0.45}
    return [
        row("reports", "default", 0.61, against=compared(0.02, 0.3), graph_against=compared(better, 0.2), **by_graph),
        row("reports", "text-only", 0.59),
        row("HotpotQA", "default", 0.52, against=compared(0.01, 0.6)),
        row("HotpotQA", "text-only", 0.51),
    ]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Stored results of two sets, one of them with a language model, and of one ablation."""
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "answers.json").write_text(json.dumps({**MADE, "rows": rows()}), "utf-8")
    asked = row("reports", "default", 0.33, llm="smollm2", tokens=812.0, failed=2)
    (folder / "answers_llm.json").write_text(json.dumps({**MADE, "rows": [asked]}), "utf-8")
    whole = {"family": "abductive", "set": "reports", "contradicted": 0.011, "p": None, "difference": None}
    less = {**whole, "p": 0.25, "difference": figure(-0.21), "changed": 0.125}
    variants = [
        {**whole, "variant": "whole", "score": figure(0.81)},
        {**less, "variant": "chains alone", "score": figure(0.77)},
        {**less, "variant": "without plausibility", "score": figure(0.6)},
    ]
    (folder / "ablations.json").write_text(json.dumps({**MADE, "rows": variants}), "utf-8")
    kept = {"data": "made up", "baseline": "nothing", "columns": ["score", "p"], "figures": {"XQuAD": ["0.412"]}}
    (folder / "distractors.json").write_text(json.dumps({**MADE, **kept}), "utf-8")
    judged = {
        "entailment, sick, 40 pairs, accuracy": ["0.806", "0.869"],
        "entailment, sick, 40 pairs, F1 of contradiction": ["0.111", "0.222"],
        "rerank, HotpotQA, 100 questions, MRR": ["0.333", "0.444"],
    }
    known = {"data": "made up", "baseline": "nothing", "columns": ["shipped", "research"], "figures": judged}
    (folder / "judges.json").write_text(json.dumps({**MADE, **known}), "utf-8")
    return folder


def test_the_page_tells_every_figure_beside_the_published_ones(results: Path, tmp_path: Path) -> None:
    page = write_report(results, tmp_path).read_text("utf-8")
    assert "| default | 0.610 (0.560 to 0.660) | 0.520 (0.470 to 0.570) |" in page
    assert "| default, smollm2 | 0.330 (0.280 to 0.380) | – |" in page
    assert "| *published: CF-RAG* |  | 88.58 (EM) |" in page
    assert "With a language model, at most 100 questions of each set were asked" in page
    assert "Questions that ended with an error count as 0: default, smollm2 on reports 2 of 100." in page
    assert "| default | +0.020, p 0.3000 | +0.010, p 0.6000 |" in page
    assert "| reports | default | 0.40 | 0.45 | 0.710 (0.660 to 0.760) | +0.040 (-0.010 to +0.090) | 0.2000 |" in page
    assert "0.050, 0.400, 812 tokens" in page
    assert "| abductive | chains | 0.770 (0.720 to 0.820) |" in page
    assert "| abductive | text | – |" in page
    assert (
        "| + importance weights | 69.8, 47.7 | not built: the publication finds that they make it worse | – |" in page
    )
    assert (
        "| without plausibility | 0.600 (0.550 to 0.650) | -0.210 (-0.260 to -0.160) | 0.2500 | 0.125 | 0.011 |" in page
    )
    assert "text-only, HotpotQA, f1: 0.123 (0.073 to 0.173)" in page
    assert "| HotpotQA | text-only | 0.90 | 0.200 | – | 0.123 (0.073 to 0.173) | – | – | – |" in page
    assert "| reports | default, smollm2 | 0.90 | 0.200 | – | 0.123 (0.073 to 0.173) | – | – | – |" in page
    inferences = page[page.index("## Inferences by source") : page.index("## Where the graph helps")]
    assert inferences.count("\n| ") == 2
    assert "| SICK | 40 | 0.806 | 0.869 |" in inferences
    assert "Data: made up. Read against: nothing.\n\n|  | score | p |\n|---|---|---|\n| XQuAD | 0.412 |  |\n" in page
    for one in published_figures():
        assert one.not_comparable in page
    columns = 0
    for line in page.splitlines():
        cells = line.count("|") if line.startswith("|") else 0
        assert not (cells and columns) or cells == columns, line
        columns = cells


def test_what_reading_nothing_scores_stands_below_the_strategies() -> None:
    groups = {"yes": figure(0.3, 31), "no": figure(0.2, 19), "maybe": figure(0.1, 10)}
    silent = {"answerable": figure(0.5, 60), "no answer": figure(0.9, 40)}
    told = [
        row("PubMedQA", "default", 0.25, questions=60, groups=groups),
        row("reports", "default", 0.7, groups=silent),
    ]
    found = unread_scores(
        [StrategyRow.model_validate(one) for one in told], {"figures": {"AER all, 9 questions": ["0.4", "0.47"]}}
    )
    assert found["PubMedQA"] == "0.517 (“yes” to all)"
    assert found["reports"] == "0.400 (answering nothing)"
    assert found["AER"].startswith("0.47 ")


def test_strategies_that_change_nothing_are_named() -> None:
    told = [row("reports", name, score) for name, score in (("default", 0.6), ("abductive", 0.6), ("text-only", 0.5))]
    told += [row("XQuAD", "default", 0.7), row("XQuAD", "abductive", 0.7)]
    assert same_as_default([StrategyRow.model_validate(one) for one in told]) == ["abductive"]
    told[-1] = row("XQuAD", "abductive", 0.71)
    assert same_as_default([StrategyRow.model_validate(one) for one in told]) == []


def test_results_that_are_not_there_are_left_out(results: Path, tmp_path: Path) -> None:
    (results / "answers_llm.json").unlink()
    (results / "ablations.json").unlink()
    (results / "distractors.json").unlink()
    (results / "judges.json").unlink()
    page = write_report(results, tmp_path).read_text("utf-8")
    assert "default, smollm2" not in page
    assert "With a language model, nothing was measured." in page
    assert "What each stage is worth" not in page
    assert "## Similar passages" not in page
    assert "## Inferences by source" not in page


def test_a_target_is_met_missed_or_not_measured(results: Path, tmp_path: Path) -> None:
    measured = {one.told: one.met for one in targets([StrategyRow.model_validate(one) for one in rows(better=0.029)])}
    assert measured["Over all sets, `default` is not below `text-only`"] is True
    assert measured["At least 30% of the why-questions of each set of them are answered by the graph or mixed"] is True
    assert measured["What the graph answers, over all sets, scores 3 points above `text-only`"] is False
    assert measured["On every set, the error at half coverage is at most half of that at full"] is True
    lost = [*rows(), row("XQuAD", "default", 0.5, against=compared(-0.01, 0.01), measures={"first": figure(0.79)})]
    lost.append(row("MuSiQue", "default", 0.3))
    below, *_, first = found = [*targets([StrategyRow.model_validate(one) for one in lost])]
    (halved,) = (one.measured for one in found if one.told.startswith("On every set, the error at half"))
    assert halved.endswith("no order of the answers could meet it: MuSiQue")
    assert below.met is False
    assert "below it by a paired test on XQuAD" in below.measured
    assert first.met is False
    (results / "answers.json").write_text(json.dumps({**MADE, "rows": rows(better=0.01)}), "utf-8")
    page = write_report(results, tmp_path).read_text("utf-8")
    assert "p 0.6951, over 100 questions | **missed** |" in page
    assert "| AER all: score 0.75, shipped weights |  | not measured |" in page


def test_targets_are_read_from_other_measurements() -> None:
    none = "AER, “none of the others” in place of a wrong option, 9 questions, shipped weights"
    choices = {
        "AER all, 9 questions, shipped weights": ["0.760 (0.7 to 0.8)", "0.1"],
        "AER shortcut-free, 7 questions, shipped weights": ["0.620 (0.5 to 0.7)"],
        f"{none}, recall": ["0.600 (0.5 to 0.7)"],
        f"{none}, precision": ["0.590 (0.5 to 0.7)"],
        "choices that the order of the options changed": ["1"],
    }
    multihop = {
        "HotpotQA, 9 questions, bridges": ["0.990 (0.8 to 1.0)", "+0.2", "0.2"],
        "HotpotQA, odd places, 5 questions, bridges": ["0.839 (0.8 to 0.9)", "+0.049 (+0.0 to +0.1)", "0.2"],
        "HotpotQA, odd places, 5 questions, plain": ["0.790 (0.7 to 0.8)", "+0.000", "1.0"],
        "MuSiQue, odd places, 5 questions, bridges": ["0.840 (0.8 to 0.9)", "+0.050 (+0.0 to +0.1)", "0.2"],
        "MuSiQue, odd places, 5 questions, plain": ["0.790 (0.7 to 0.8)", "+0.000", "1.0"],
    }
    nearest = {"even articles, 9 questions": ["0.700", "3"], "odd articles, 9 questions": ["0.801", "3"]}
    stored = {"choices": choices, "multihop": multihop, "nearest_sentences": nearest}
    found = [*stored_targets({name: {"figures": figures} for name, figures in stored.items()})]
    assert [one.met for one in found] == [True, False, True, False, False, True, False, True]
    assert found[-1].measured == "recall at 5 0.840, by the encoder alone 0.790"
    assert {one.met for one in stored_targets({})} == {None}


def test_weights_for_research_stand_beside_those_that_are_shipped() -> None:
    shipped = {"AER all, 9 questions, shipped weights": ["0.760 (0.7 to 0.8)"]}
    research = {"AER all, 9 questions, research weights": ["0.740 (0.7 to 0.8)"]}
    found = [*stored_targets({"choices": {"figures": shipped | research}})]
    told = {one.told: one.met for one in found if one.told.startswith("AER all")}
    assert told == {
        "AER all: score 0.75, shipped weights": True,
        "AER all: score 0.75, research weights": False,
    }


def test_differences_are_pooled_over_questions() -> None:
    one = Figure(value=0.1, low=0.1 - 0.196, high=0.1 + 0.196, questions=100)
    other = Figure(value=-0.1, low=-0.1 - 0.098, high=-0.1 + 0.098, questions=300)
    found = pooled([one, other])
    assert found is not None
    assert found.difference.value == pytest.approx(-0.05)
    assert found.difference.questions == 400
    assert found.difference.high - found.difference.value == pytest.approx((0.196**2 + 3**2 * 0.098**2) ** 0.5 / 4)
    assert found.p == pytest.approx(0.2673, abs=0.001)
    assert pooled([]) is None


def test_equal_figures_give_equal_pictures(results: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    write_report(results, tmp_path)
    write_report(results, tmp_path / "other")
    for name in ("answers_scores.svg", "answers_risks.svg"):
        picture = (tmp_path / name).read_text("utf-8")
        assert picture == (tmp_path / "other" / name).read_text("utf-8")
        assert "HotpotQA" in picture
