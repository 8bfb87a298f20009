"""Sets of questions as files: what is written is read again as it was."""

from __future__ import annotations

from pathlib import Path

from benchmarks.answer_sets import AnswerSet, answer_sets, write_set
from evaluation.questions_file import AskedItem, OfferedItem, read_questions
from kg.records import Verdict


def test_a_set_that_is_written_is_read_again_with_its_documents(tmp_path: Path) -> None:
    told = {"answers": ("x",), "verdict": Verdict.SUPPORTED}
    asked = AskedItem(id="1", collection="a", question="Why?\u2028Because.", **told)
    offered = OfferedItem(id="2", collection="b", event="it rained", options=("a", "b", "c"), right=frozenset({0, 2}))
    source = tmp_path / "source"
    source.mkdir()
    (source / "told.txt").write_text("It rained.", "utf-8")
    some = AnswerSet("Two, sets", [asked, offered], {"b": {"0.txt": "Clouds."}, "c": source})
    folder = write_set(some, tmp_path / "out")
    assert folder.name == "two--sets"
    assert read_questions(folder / "questions.jsonl").items == (asked, offered)
    assert (folder / "documents" / "b" / "0.txt").read_text("utf-8") == "Clouds."
    assert (folder / "documents" / "c" / "told.txt").read_text("utf-8") == "It rained."


def test_the_example_worlds_need_no_data(tmp_path: Path) -> None:
    first = next(answer_sets(tmp_path, 1_000))
    assert (first.title, set(first.documents)) == ("example worlds", {"flood", "outage", "plant"})
    assert len(first.items) == len({item.id for item in first.items}) > 20
