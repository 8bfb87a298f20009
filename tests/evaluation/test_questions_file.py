"""Files of questions whose answers are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from causetrail.errors import QuestionsInvalid, QuestionsUnreadable
from evaluation.questions_file import AskedItem, OfferedItem, read_questions

ASKED = {"question": "Why did the pump fail?", "answers": ["grease"]}


def written(folder: Path, *lines: object) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), "utf-8")
    return path


def test_both_kinds_are_read_in_order_and_named_by_their_line(tmp_path):
    offered = {"id": "x", "event": "It failed.", "options": ["Ice", "Heat"], "right": [1], "group": "two"}
    found = read_questions(written(tmp_path, ASKED, "", offered, "  ")).items
    assert found == (
        AskedItem(id="1", question="Why did the pump fail?", answers=("grease",)),
        OfferedItem(id="x", event="It failed.", options=("Ice", "Heat"), right=frozenset({1}), group="two"),
    )


def test_a_text_may_hold_what_breaks_lines_elsewhere(tmp_path):
    (item,) = read_questions(
        written(tmp_path, json.dumps({**ASKED, "question": "a\u2028b\x85c"}, ensure_ascii=False))
    ).items
    assert isinstance(item, AskedItem)
    assert item.question == "a\u2028b\x85c"


def test_the_hash_is_of_the_bytes(tmp_path):
    before = read_questions(written(tmp_path, ASKED)).sha256
    assert read_questions(written(tmp_path, ASKED)).sha256 == before
    assert read_questions(written(tmp_path, ASKED, "")).sha256 != before


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1]", "not a JSON object"),
        ({"question": "Why?"}, "answers, quotes and verdict are all missing"),
        ({"question": "", "answers": ["x"]}, "question: it is empty"),
        ({**ASKED, "anwers": ["x"]}, "anwers: there is no such field"),
        ({**ASKED, "verdict": "true"}, "verdict: it has to be 'supported'"),
        ({"answers": ["x"]}, "question: it is missing"),
        ({**ASKED, "question": 1}, "question: it has to be a text"),
        ({"event": "It failed.", "options": ["Ice"], "right": [0]}, "options: it has fewer than 2"),
        ({"event": "It failed.", "options": ["Ice", "Heat"], "right": []}, "right: it has fewer than 1"),
        ({"event": "It failed.", "options": ["Ice", "Heat"], "right": [2]}, "right names an option"),
        ({"event": "It failed.", "options": ["Ice", "Heat"], "right": [-1]}, "it has to be 0 or more"),
        ({"id": "1", **ASKED}, "was there before"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, reason):
    with pytest.raises(QuestionsInvalid) as raised:
        read_questions(written(tmp_path, ASKED, line))
    assert "Line 2 of" in raised.value.message
    assert reason in raised.value.message


def test_what_is_no_file_of_questions_is_refused(tmp_path):
    with pytest.raises(QuestionsInvalid, match="holds no question"):
        read_questions(written(tmp_path, ""))
    with pytest.raises(QuestionsUnreadable, match="no such file"):
        read_questions(tmp_path / "none.jsonl")
    with pytest.raises(QuestionsUnreadable, match="is a directory"):
        read_questions(tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(QuestionsUnreadable, match="not UTF-8"):
        read_questions(tmp_path / "binary")
