from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from benchmarks.judged_claims import Judgement, Place
from extraction.standing import features
from extraction.statements import Located
from language.clauses import Clauses
from language.sentences import SentenceReader
from training import standing

TEXT = "The leak caused a fire. The pump stopped because of a worn seal in it. Rain fell.\n"


def judged(name: str, cause: str, effect: str, verdict: str) -> Judgement:
    spans = [f"{TEXT.index(words)}-{TEXT.index(words) + len(words)}" for words in (cause, effect)]
    return Judgement(Place(name, "CAUSES", *spans, "affirmed", "actual"), frozenset({"study"}), verdict)


def test_a_judged_claim_is_found_by_its_characters(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(TEXT, "utf-8")
    judgements = [
        judged("one.txt", "The leak", "a fire", "right"),
        judged("one.txt", "fire. The", "a worn seal", "wrong"),
    ]
    (example,) = standing.read_examples(tmp_path, judgements)
    sentence = SentenceReader().read(TEXT)[0]
    cause, effect = (Located(span, Clauses(sentence), 0) for span in ((0, 2), (3, 5)))
    assert example == (features("CAUSES", cause, effect), True, "one.txt")


def test_one_command_writes_the_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "reports").mkdir()
    judgements = []
    for number in range(standing._FOLDS):
        (tmp_path / "reports" / f"{number}.txt").write_text(TEXT, "utf-8")
        judgements.append(judged(f"{number}.txt", "The leak", "a fire", "right"))
        judgements.append(judged(f"{number}.txt", "seal in", "pump", "wrong-cause-span"))
    monkeypatch.setattr(standing, "read_judgements", lambda: judgements)
    output = tmp_path / "points.toml"
    monkeypatch.setattr(sys, "argv", ["standing", "--data", str(tmp_path), "--output", str(output)])
    standing.main()
    points = tomllib.loads(output.read_text("utf-8"))
    assert points["doubted_below"] == standing.BOUND
    assert points["cause_opens"] > 0
    assert set(points) - {"always", "doubted_below"} == set(
        next(standing.read_examples(tmp_path / "reports", judgements)).features
    )
