from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.support_check import Checked, best_bound, figures_of, is_right, read_questions, stands

RIGHT = Checked(0, 3, held=True, drafted=True, right=True, confidence=0.9, score=0.8, named=False, given=True)
WRONG = RIGHT._replace(held=False, right=False, confidence=0.95, score=0.3)
SILENT = RIGHT._replace(question=1, held=False, drafted=False, right=False, score=1.0, given=False)


def test_a_draft_stands_from_its_bound_on_unless_a_name_is_unsaid() -> None:
    assert stands(RIGHT, 0.8)
    assert not stands(RIGHT, 0.81)
    assert not stands(RIGHT._replace(named=True), 0.8)
    assert stands(RIGHT._replace(named=True), 0.8, words=False)
    assert not stands(SILENT, 0.0)


def test_withholding_is_right_only_where_the_paragraph_is_not_there() -> None:
    assert [is_right(row, given) for row in (RIGHT, WRONG) for given in (True, False)] == [True, False, False, True]
    assert is_right(RIGHT._replace(held=False), True)


def test_the_bound_is_the_least_of_those_that_make_most_right() -> None:
    assert best_bound([RIGHT, WRONG]) == pytest.approx(0.35)
    assert best_bound([RIGHT]) == 0


def test_figures_are_shares_of_askings_and_risks_of_what_is_given() -> None:
    shares = [figure.split()[0] for figure in figures_of([RIGHT, WRONG, SILENT], lambda row: row.drafted)]
    # The wrong draft is the surer one, and the less supported one.
    assert shares == ["0.667", "0.500", "1.000", "0.500", "1.000", "0.000"]
    assert figures_of([SILENT], lambda row: row.drafted)[-1] == ""
    # Wrong although the paragraph is there, right although it is not.
    elsewhere = [RIGHT._replace(right=False), RIGHT._replace(held=False), RIGHT]
    assert figures_of(elsewhere, lambda row: row.drafted)[1].split()[0] == "0.333"
    assert figures_of([RIGHT._replace(right=False)], lambda row: row.drafted)[1].split()[0] == "1.000"


def test_paragraphs_are_halved_within_each_article_and_questions_are_of_odd_ones(tmp_path: Path) -> None:
    articles = [
        {"paragraphs": [{"context": f"{a} {p}", "qas": [{"question": f"{a}{p}?", "answers": [{"text": "x"}] * 2}]}]}
        for a, p in ((0, 0), (1, 0))
    ]
    articles[1]["paragraphs"].append({"context": "1 1", "qas": [{"question": "11?", "answers": [{"text": "y"}]}]})
    path = tmp_path / "squad.json"
    path.write_text(json.dumps({"data": articles}), "utf-8")
    asked, (even, odd) = read_questions(path, 9)
    assert sorted(asked) == [("10?", 0, 1, ("x",)), ("11?", 1, 1, ("y",))]
    assert (sorted(even.values()), list(odd.values())) == (["0 0", "1 0"], ["1 1"])
    assert len(read_questions(path, 1)[0]) == 1
