"""Stored answers, asked for again."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from api.cli import run
from causetrail import Causetrail
from causetrail.errors import TraceUnusable
from evaluation.stored_answers import stored_answers
from kg.records import Answer, Verdict
from reasoning.strategies import STRATEGIES

WHY = "Why did the council close the footbridge on 5 February 2021?"


OFFERED = "Which of these caused the footbridge to close: the storm, the rising river or the blocked drain?"


def test_a_question_that_offered_causes_is_replayed_with_them(flood: Causetrail) -> None:
    told = Answer.model_validate_json(flood.ask(OFFERED).model_dump_json())
    assert told.trace[0].detail["options"] == ["the storm", "the rising river", "the blocked drain"]
    assert flood.replay(told).same


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_a_stored_trace_run_again_gives_the_same_answer(flood: Causetrail, strategy: str) -> None:
    told = Answer.model_validate_json(flood.ask(WHY, strategy).model_dump_json())
    found = flood.replay(told)
    assert (found.same, found.differences, found.steps, found.strategy) == (True, (), (), strategy)
    assert found.generation_then == found.generation_now


def test_questions_that_were_not_asked_in_words_are_understood_as_they_were(flood: Causetrail) -> None:
    for told in (
        flood.why("the footbridge was closed on 5 February 2021"),
        flood.effects("gate 2 opened fully"),
        flood.chain("gate 2 opened fully", "the council closed the footbridge"),
    ):
        assert flood.replay(Answer.model_validate_json(told.model_dump_json())).same


def test_the_command_says_what_differs(flood: Causetrail, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = ["--store", flood.settings.store]
    told = json.loads(flood.ask(WHY).model_dump_json())
    choice = flood.choose("the council closed the footbridge", ["snow melted", "water rose over its deck"])
    kept = tmp_path / "kept.jsonl"
    kept.write_text(json.dumps(told) + "\n\n" + choice.model_dump_json() + "\n", "utf-8")
    assert run(["replay", str(kept), *store]) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["the same", "the same"]

    assert run(["replay", str(tmp_path), *store]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2

    other = told | {"text": "Because.", "generation": told["generation"] + 1}
    other["trace"] = [*told["trace"][:1], *told["trace"][2:]]
    kept.write_text(json.dumps(other) + "\n", "utf-8")
    assert run(["replay", str(kept), *store]) == 8
    printed = capsys.readouterr().out
    assert printed.startswith("not the same: Why did the council close")
    assert "differs: text, trace" in printed
    assert "differs in step 2" in printed
    assert "the graph is another one" in printed
    assert run(["replay", str(kept), "--json", *store]) == 8
    assert json.loads(capsys.readouterr().out)["differences"] == ["text", "trace"]


def test_what_was_asked_of_another_collection_is_asked_of_it_again(own_flood: Causetrail) -> None:
    there = own_flood.within("there")
    there.ingest_text("The ferry stopped because the river froze.", "ferry.md")
    assert own_flood.replay(there.choose("the ferry stopped", ["the river froze", "the crew went on strike"])).same
    told = there.ask("Why did the ferry stop?")
    assert told.verdict is Verdict.SUPPORTED
    assert own_flood.replay(told).same
    assert own_flood.replay(there.ask("Was it snow or ice that stopped the ferry: snow, or ice?")).same


def test_what_is_no_stored_answer_is_refused(
    flood: Causetrail, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = json.loads(flood.ask(WHY).model_dump_json())
    for line in ("{", "[1]", "{}", json.dumps(told | {"verdict": "true"}), "[" * 100_000):
        (tmp_path / "bad").write_text(line, "utf-8")
        with pytest.raises(TraceUnusable, match="line 1 of"):
            list(stored_answers(tmp_path / "bad"))
    with pytest.raises(TraceUnusable, match="cannot be read"):
        list(stored_answers(tmp_path / "none"))
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(TraceUnusable, match="holds no record"):
        list(stored_answers(tmp_path / "empty"))
    (tmp_path / "bytes").write_bytes(b"\xff")
    with pytest.raises(TraceUnusable, match="not UTF-8"):
        list(stored_answers(tmp_path / "bytes"))
    for trace in ([], told["trace"][1:], [{"step": "question", "detail": {"kind": "why"}}]):
        with pytest.raises(TraceUnusable):
            flood.replay(Answer.model_validate(told | {"trace": trace}))
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(told)))
    assert [one.question for one in stored_answers(Path("-"))] == [WHY]


def test_a_decision_that_was_undone_leaves_the_answer_the_same(own_flood: Causetrail) -> None:
    told = own_flood.ask(WHY)
    decision = own_flood.reject_claim(told.chains[0].edges[0].claims[0], by="reader")
    assert not own_flood.replay(told).same
    own_flood.undo(decision.id)
    found = own_flood.replay(told)
    assert (found.same, found.generation_then < found.generation_now) == (True, True)
