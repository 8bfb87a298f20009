from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.pairs import HeldOut, Told, counts_of, figures_of, read_base, tells

OUT = HeldOut("Who holds the key?", ("the warden",), "a.txt", 4)


def test_no_pair_tells_a_held_out_answer() -> None:
    assert tells("Who?", "Warden", OUT, [])
    assert tells("Who?", "the warden of Marle", OUT, [])
    assert tells("Where does the warden live?", "Marle", OUT, [])
    assert tells("Where?", "Marle", OUT, ["the Marle"])
    assert not tells("Where?", "Marle", OUT, ["the mill of Marle"])


def test_one_question_of_each_paragraph_is_held_out_and_those_of_odd_articles_are_asked(tmp_path: Path) -> None:
    def paragraph(name: str) -> dict[str, object]:
        asked = [{"question": f"{name}{n}?", "answers": [{"text": f"{name} {n}", "answer_start": n}]} for n in range(3)]
        return {"context": f"text {name}", "qas": asked}

    path = tmp_path / "squad.json"
    articles = [{"paragraphs": [paragraph(name) for name in names]} for names in (("a",), ("b", "c"))]
    path.write_text(json.dumps({"data": articles}), "utf-8")
    base = read_base(path, 9)
    assert list(base.paragraphs) == ["00-00.txt", "01-00.txt", "01-01.txt"]
    assert sorted(one.paragraph for one in base.asked) == ["01-00.txt", "01-01.txt"]
    assert len(base.pairs) == 6
    assert not {question for question, _ in base.pairs} & {one.asked for one in base.asked}
    assert len(read_base(path, 1).asked) == 1


def test_recall_as_published_counts_what_was_read_and_covered_what_there_is() -> None:
    contexts = ("So the warden came.", "A warden lives there.", "Nobody came.")
    told = Told("Then the warden came.", contexts, own=(True, False, False))
    counts = counts_of(OUT, told, known=2)
    silent = counts_of(OUT, Told("", (), ()), known=1)
    figures = [float(figure.split()[0]) for figure in figures_of([counts, silent])]
    # One of the three words that were told is right: F1 is 2 / (3 + 1), and nothing for the silent one.
    assert figures == pytest.approx([0.0, 0.25, 0.5, 0.5, 2 / 3, 1 / 3], abs=1e-3)
    assert counts_of(OUT, Told("Warden", (), ()), 1)["exact"] == counts["questions"]
