from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from tests.training.test_relation_heads import rows
from training import rule_calibration
from training.rule_calibration import Seen, as_toml, best_prior, fitted

CLAIMS = [
    Seen(place % 10, 0.4 + 0.05 * (place % 10), "because" if place % 2 else "after", bool(place % 2))
    for place in range(40)
]


def test_a_cue_that_is_always_right_is_told_from_one_that_never_is() -> None:
    calibration = fitted(CLAIMS, 2.0)
    assert calibration.cues == {"because": (20, 20), "after": (0, 20)}
    assert calibration.of(0.6, "because") > 0.9
    assert calibration.of(0.6, "after") < 0.1


def test_where_cues_tell_all_their_own_record_weighs_most() -> None:
    assert best_prior(CLAIMS) == min(rule_calibration._PRIORS)


def test_the_table_can_be_read_again() -> None:
    calibration = fitted([*CLAIMS, Seen(0, 0.5, 'so "thick" that', True)], 5.0)
    table = tomllib.loads(as_toml(calibration))
    assert (table["slope"], table["constant"], table["prior"]) == calibration[:3]
    assert {cue: tuple(record) for cue, record in table["cues"].items()} == calibration.cues


def test_one_command_makes_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "causal_news_corpus"
    folder.mkdir()
    for split, (first, last) in {"train": (0, 18), "dev": (18, 20)}.items():
        for task, made in enumerate(rows(first, last), start=1):
            (folder / f"{split}_subtask{task}.csv").write_text(made, "utf-8")
    # Of a sentence of its own, so that not every claim is right.
    with (folder / "train_subtask1.csv").open("a", encoding="utf-8") as file:
        file.writelines(f"Gate {number} jammed because the crane had slipped .,0\n" for number in range(12))
    target = tmp_path / "calibration.toml"
    monkeypatch.setattr(sys, "argv", ["rule_calibration", "--data", str(tmp_path), "--output", str(target)])
    rule_calibration.main()
    right, seen = tomllib.loads(target.read_text("utf-8"))["cues"]["because"]
    assert 0 < right < seen
