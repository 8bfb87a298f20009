"""`causetrail eval`, on the documents of the flood."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api.cli import run
from causetrail import Causetrail
from evaluation.evaluate import evaluate
from evaluation.questions_file import AskedItem, QuestionsFile
from evaluation.records import sole_run
from reasoning.strategies import Strategy

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Three of the example questions; the documents stand in the collection `main`."""
    rows = [json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text("utf-8").splitlines()]
    kept = [row for row in rows if row["id"] in {"flood-1", "flood-6", "flood-choice-1"}]
    for row in kept:
        del row["collection"]
        row["group"] = "a|b"
    path = tmp_path / "some.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in kept), "utf-8")
    return path


def test_strategies_are_measured_and_a_second_call_asks_nothing_again(
    questions: Path, flood_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, folder = f"sqlite:///{flood_folder}/trail.db", tmp_path / "kept"
    command = ["eval", str(questions), "--output", str(folder), "--store", store]
    assert run([*command, "--concurrency", "2"]) == 0
    printed = capsys.readouterr().out
    assert "| a\\|b | 1.000 (1.000 to 1.000) |" in printed
    assert (folder / "report.md").read_text("utf-8").strip() in printed
    assert printed.startswith("# 3 questions of some.jsonl\n")
    records = {name: (folder / f"{name}.jsonl").read_bytes() for name in ("default", "text-only")}
    told = {row["id"]: row for row in map(json.loads, records["default"].splitlines())}
    assert told["flood-1"]["mode"] == "graph"
    assert told["flood-1"]["answer"]["trace"]
    assert told["flood-6"]["verdict"] == "insufficient"
    assert told["flood-6"]["scores"] == {"verdict": 1}
    assert told["flood-choice-1"]["choice"]["chosen"] == [0]

    assert run([*command, "--json"]) == 0
    default, text = map(json.loads, capsys.readouterr().out.splitlines())
    assert default["score"]["value"] == 1
    assert text["strategy"] == "text-only"
    assert default["against"]["baseline"] == "text-only"
    assert records == {name: (folder / f"{name}.jsonl").read_bytes() for name in records}


def test_a_collection_without_documents_is_told_of(
    questions: Path, flood_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, folder = f"sqlite:///{flood_folder}/trail.db", tmp_path / "kept"
    command = ["eval", str(questions), "--output", str(folder), "--store", store, "--strategy", "causal-graph"]
    assert run([*command, "--collection", "mian"]) == 0
    told = capsys.readouterr()
    assert "These collections hold no documents: mian." in told.err
    assert "Without documents, so that nothing could be found there: mian." in told.out
    assert run([*command[:2], "--output", str(tmp_path / "other"), *command[4:]]) == 0
    told = capsys.readouterr()
    assert "no documents" not in told.err
    assert "Without documents" not in told.out


def test_faults_are_told_with_their_codes(
    questions: Path, flood_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, folder = f"sqlite:///{flood_folder}/trail.db", tmp_path / "kept"
    assert run(["eval", str(tmp_path / "none.jsonl"), "--store", store]) == 2
    assert "CT-E001" in capsys.readouterr().err
    command = ["eval", str(questions), "--output", str(folder), "--store", store]
    assert run([*command, "--strategy", "magic"]) == 2
    assert "known strategies" in capsys.readouterr().err
    assert not folder.exists()
    assert run([*command, "--strategy", "causal-graph"]) == 0
    questions.write_text(questions.read_text("utf-8") + "\n", "utf-8")
    capsys.readouterr()
    assert run([*command, "--strategy", "causal-graph"]) == 2
    assert "questions changed since then" in capsys.readouterr().err


def test_what_the_graph_answers_is_compared_with_the_baseline_on_the_same_questions(
    flood_folder: Path, tmp_path: Path
) -> None:
    asked = [
        AskedItem(id="0", question="Why did the footbridge close?", answers=("the river",)),
        AskedItem(id="1", question="Why did the moon turn green?", verdict="insufficient"),
        AskedItem(id="2", question="Who is the mayor?", verdict="supported"),
    ]
    silent = Strategy("silent", graph=False, text=False)
    with Causetrail(f"sqlite:///{flood_folder}/trail.db") as trail:
        file = QuestionsFile(name="asked.jsonl", items=tuple(asked), sha256="0")
        first, second = evaluate(trail, file, ["causal-graph", silent], tmp_path / "kept", baseline="silent")
    assert (first.graph_share, first.graph_share_of_why) == (pytest.approx(1 / 3), 0.5)
    assert first.graph_against is not None
    assert (first.graph_against.baseline, first.graph_against.difference.questions) == ("silent", 1)
    assert first.graph_against.difference.value == first.graph_score.value
    assert (second.answered, second.against, second.graph_against, second.graph_share_of_why) == (0, None, None, 0)
    assert [*first.risks] == [f"{share / 20:g}" for share in range(1, 21)]


def test_a_run_keeps_others_out_of_its_folder(
    questions: Path, flood_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "kept"
    with sole_run(folder):
        command = ["eval", str(questions), "--output", str(folder), "--store", f"sqlite:///{flood_folder}/trail.db"]
        assert run(command) == 2
    assert "CT-E006" in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["run.lock"]


def test_a_stage_is_left_out_beside_the_whole_in_a_file_of_its_own(
    questions: Path, flood_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, folder = f"sqlite:///{flood_folder}/trail.db", tmp_path / "kept"
    command = ["eval", str(questions), "--output", str(folder), "--store", store, "--strategy", "default"]
    command += ["--strategy", "text-only", "--without", "graph", "--without", "keyword_boost+views"]
    assert run(command) == 0
    printed = capsys.readouterr().out
    assert "| strategy | score | against text-only (p) | against the whole (p) |" in printed
    names = ["default", "default without graph", "default without views+keyword_boost"]
    names += ["text-only", "text-only without views+keyword_boost"]
    assert sorted(path.stem for path in folder.glob("*.jsonl")) == sorted(names)
    records = {name: (folder / f"{name}.jsonl").read_bytes() for name in names}
    modes = {name: json.loads(records[name].splitlines()[0])["mode"] for name in names[:2]}
    assert modes == {"default": "graph", "default without graph": "text"}

    assert run([*command, "--json"]) == 0
    found = {row["strategy"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert [*found] == names
    assert found["default"]["against_whole"] is None
    against = found["default without graph"]["against_whole"]
    assert (against["baseline"], against["difference"]["questions"]) == ("default", 3)
    difference = found["default without graph"]["score"]["value"] - found["default"]["score"]["value"]
    assert against["difference"]["value"] == pytest.approx(difference, abs=1e-5)
    assert found["text-only without views+keyword_boost"]["against_whole"]["baseline"] == "text-only"
    # Nothing was asked again, and none of the files holds records of another.
    assert records == {name: (folder / f"{name}.jsonl").read_bytes() for name in names}
    assert run(["replay", str(folder / "default without graph.jsonl"), "--store", store]) == 0
    assert "(default without graph)" in capsys.readouterr().out


def test_a_stage_that_no_strategy_has_is_told_with_those_there_are(
    questions: Path, flood_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, folder = f"sqlite:///{flood_folder}/trail.db", tmp_path / "kept"
    command = ["eval", str(questions), "--output", str(folder), "--store", store, "--strategy", "gap-filling"]
    assert run([*command, "--without", "magic"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "CT-E007" in told
    assert "gap-filling: graph, text, likely, bridges, reasoning, search" in told
    assert not folder.exists()
