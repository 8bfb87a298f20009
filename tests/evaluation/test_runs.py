"""Runs over questions: scores, failures, and going on after a break."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from causetrail.errors import (
    DeadlinePassed,
    EvaluationChanged,
    EvaluationRunning,
    EvaluationUnwritable,
    QuestionEmpty,
    RecordsDamaged,
    StoreMissing,
)
from evaluation.questions_file import AskedItem
from evaluation.records import Made, RecordFile, open_run, sole_run
from evaluation.runs import run_strategy
from evaluation.scores import score_answer
from evaluation.summary import summarise
from kg.records import Mode, Verdict

ITEMS = [AskedItem(id=str(number), question="Why?", answers=("froze",), group="ab"[number % 2]) for number in range(6)]
MADE = Made(version="1", program="p", questions="q", settings="s", generations={"main": 1})

SLOW = """
import sys, time
from pathlib import Path
from evaluation.questions_file import read_questions
from evaluation.records import RecordFile
from evaluation.runs import run_strategy
from kg.records import Answer
folder = Path(sys.argv[1])
told = Answer.model_validate_json((folder / "answer.json").read_text())
def ask(item):
    time.sleep(0.15)
    return told
run_strategy(read_questions(folder / "items.jsonl").items, ask, RecordFile(folder, "s"), strategy="s")
"""


def test_each_measure_looks_at_what_is_known(told):
    item = AskedItem(
        question="Why?", answers=("seal water", "froze"), quotes=("It froze.", "It burst."), verdict="supported"
    )
    scores = score_answer(item, told("Because of cold.", ("The pump stood. It froze.",)))
    assert scores == {"answer": 1, "exact": 0, "f1": pytest.approx(0.4), "quotes": 0.5, "first": 1, "verdict": 1}
    silent = score_answer(item, told("It froze.", ("It froze.",), Verdict.INSUFFICIENT))
    # What comes nearest is shown all the same.
    assert silent == {**dict.fromkeys(scores, 0.0), "first": 1}
    assert score_answer(AskedItem(question="Why?", verdict="insufficient"), told(verdict=Verdict.INSUFFICIENT)) == {
        "verdict": 1
    }


def test_a_question_that_fails_is_told_and_the_others_go_on(tmp_path, told):
    def ask(item):
        if item.id == "1":
            raise QuestionEmpty
        if item.id == "2":
            raise DeadlinePassed(seconds=1)
        return told() if item.id != "3" else told("It burst.", ("It burst.",), confidence=0.9, mode=Mode.GRAPH)

    records = run_strategy(ITEMS, ask, RecordFile(tmp_path, "s"), strategy="s", concurrency=3)
    assert [record.id for record in records] == [item.id for item in ITEMS]
    assert [record.error for record in records] == [None, "CT-Q001", "CT-Q004", None, None, None]
    (found,) = summarise({"s": records})
    assert (found.score.value, found.failed, found.answered, found.graph_share) == (
        0.5,
        2,
        pytest.approx(4 / 6),
        pytest.approx(1 / 6),
    )
    assert {group: figure.value for group, figure in found.groups.items()} == {
        "a": pytest.approx(2 / 3),
        "b": pytest.approx(1 / 3),
    }
    # The most confident answer is wrong, those of the failed questions come last.
    assert found.risks["0.25"] == pytest.approx((1 + 0) / 1.5)
    assert found.tokens == pytest.approx(4 * 7 / 6)


def test_what_fails_for_every_question_ends_the_run_and_what_was_answered_is_kept(tmp_path, told):
    asked = []

    def ask(item):
        asked.append(item.id)
        if item.id == "2" and len(asked) == 3:
            raise StoreMissing(path="trail.db", address="sqlite:///trail.db")
        return told()

    stages = []
    with pytest.raises(StoreMissing):
        run_strategy(ITEMS, ask, RecordFile(tmp_path, "s"), strategy="s")
    records = run_strategy(ITEMS, ask, RecordFile(tmp_path, "s"), strategy="s", progress=lambda *at: stages.append(at))
    assert asked == ["0", "1", "2", "2", "3", "4", "5"]
    assert len(records) == 6
    assert stages == [("s", done, 6) for done in range(2, 7)]


def test_a_killed_run_goes_on_behind_its_last_record(tmp_path, told):
    (tmp_path / "answer.json").write_text(told().model_dump_json())
    (tmp_path / "items.jsonl").write_text("\n".join(item.model_dump_json() for item in ITEMS))
    process = subprocess.Popen([sys.executable, "-c", SLOW, str(tmp_path)], cwd=Path(__file__).parents[2])
    path = tmp_path / "s.jsonl"
    until = time.monotonic() + 60
    while (not path.exists() or path.read_bytes().count(b"\n") < 2) and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = path.read_bytes()
    kept = before.count(b"\n")
    assert 2 <= kept < 6
    # As a disk leaves it that lost power while a record was written.
    path.write_bytes(before + before[: len(before) // 3])
    asked = []

    def ask(item):
        asked.append(item.id)
        return told()

    records = run_strategy(ITEMS, ask, RecordFile(tmp_path, "s"), strategy="s")
    assert asked == [item.id for item in ITEMS[kept:]]
    assert [record.id for record in records] == [item.id for item in ITEMS]
    assert path.read_bytes().startswith(before)
    assert path.read_bytes().count(b"\n") == 6


def test_damaged_records_are_named(tmp_path, told):
    file = RecordFile(tmp_path, "s")
    run_strategy(ITEMS[:2], lambda item: told(), file, strategy="s")
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"{}\n" + path.read_bytes())
    with pytest.raises(RecordsDamaged, match="Line 1"):
        file.read()


def test_a_folder_belongs_to_one_run(tmp_path):
    folder = tmp_path / "a" / "b"
    open_run(folder, MADE)
    open_run(folder, MADE)
    with pytest.raises(EvaluationChanged, match="settings, generations"):
        open_run(folder, MADE.model_copy(update={"settings": "other", "generations": {"main": 2}}))
    (folder / "run.json").write_text(json.dumps({"version": 1}))
    with pytest.raises(RecordsDamaged):
        open_run(folder, MADE)
    (tmp_path / "file").write_text("")
    with pytest.raises(EvaluationUnwritable):
        open_run(tmp_path / "file", MADE)


def test_two_runs_at_once_do_not_write_into_one_folder(tmp_path):
    folder = tmp_path / "a" / "b"
    with sole_run(folder):
        # Another process, and one that is killed in the middle, which leaves nothing to clear away.
        program = (
            "import sys, time\nfrom pathlib import Path\nfrom evaluation.records import sole_run\n"
            "with sole_run(Path(sys.argv[1])):\n    print('in', flush=True)\n    time.sleep(60)\n"
        )
        command = [sys.executable, "-c", program, str(folder)]
        second = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
        assert (second.returncode, second.stdout) == (1, "")
        assert "EvaluationRunning" in second.stderr
    third = subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True)
    assert third.stdout is not None
    assert third.stdout.readline() == "in\n"
    with pytest.raises(EvaluationRunning), sole_run(folder):
        pass
    third.send_signal(signal.SIGKILL)
    third.communicate()
    with sole_run(folder):
        pass
    (tmp_path / "file").write_text("")
    with pytest.raises(EvaluationUnwritable), sole_run(tmp_path / "file"):
        pass


def test_a_strategy_is_compared_with_the_baseline_on_the_same_questions(tmp_path, told):
    better = run_strategy(ITEMS, lambda item: told(), RecordFile(tmp_path, "better"), strategy="better")
    poor = run_strategy(
        ITEMS, lambda item: told() if item.id in "01" else told("No.", ()), RecordFile(tmp_path, "p"), strategy="p"
    )
    first, second = summarise({"better": better, "text-only": poor})
    assert second.against is None
    assert first.against is not None
    assert first.against.difference.value == pytest.approx(4 / 6)
    # Four differences of one sign: 2 of the 16 ways to draw signs are as far from nothing.
    assert first.against.p == pytest.approx(1 / 8, abs=0.02)
