from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.calibration import Told, bin_of, brier_score, calibration_error, counts_of, points, table
from benchmarks.reliability_diagram import Point, draw
from benchmarks.sentence_claims import Judged

CLAIMS = st.lists(st.builds(Told, st.integers(500, 9_500), st.booleans()), min_size=1, max_size=30)


def test_bins_include_their_beginning_and_the_last_its_end() -> None:
    assert [bin_of(confidence) for confidence in (0, 999, 1_000, 9_999, 10_000)] == [0, 0, 1, 9, 9]


def test_confidences_that_come_true_have_no_calibration_error() -> None:
    counts = counts_of([Told(7_500, True)] * 3 + [Told(7_500, False)])
    assert calibration_error(counts) == 0
    assert brier_score(counts) == pytest.approx(0.75 * 0.25)


def test_no_claims_have_no_error() -> None:
    assert calibration_error(Counter()) == brier_score(Counter()) == 0


@given(CLAIMS)
def test_errors_are_those_of_their_definitions(claims: list[Told]) -> None:
    confidence = np.array([one.confidence for one in claims]) / 10_000
    right = np.array([one.right for one in claims], dtype=float)
    counts = counts_of(claims)
    assert brier_score(counts) == pytest.approx(np.mean((confidence - right) ** 2))
    bins = np.array([bin_of(one.confidence) for one in claims])
    expected = sum(
        np.mean(bins == place) * abs(np.mean(confidence[bins == place]) - np.mean(right[bins == place]))
        for place in set(bins)
    )
    assert calibration_error(counts) == pytest.approx(expected)


def test_every_bin_with_claims_has_its_line_and_its_point() -> None:
    column = [[(5_500, Judged(placed=False, stated=True))], [], [(5_600, Judged(placed=True, stated=True))]]
    figures = table([column])
    assert figures["claims"] == ["2"]
    assert figures["placed, confidence 0.5 to 0.6: mean confidence, share right, claims"] == ["0.56, 0.50, 2"]
    assert points(column, "placed") == [Point(pytest.approx(0.555), 0.5, 2)]
    assert points(column, "stated") == [Point(pytest.approx(0.555), 1.0, 2)]


def test_equal_figures_give_equal_pictures(tmp_path: Path) -> None:
    panels = {"rules": {"placed": [Point(0.55, 0.4, 12)], "stated": [Point(0.55, 0.7, 12)]}}
    for name in ("one.svg", "other.svg"):
        draw(tmp_path / name, panels)
    picture = (tmp_path / "one.svg").read_text("utf-8")
    assert picture == (tmp_path / "other.svg").read_text("utf-8")
    assert ">12</text>" in picture
    assert "stated" in picture
