from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.calibration import Calibration, rule_calibration

LINE = Calibration(slope=1.0, constant=0.0, prior=4.0, cues={"because": (9, 10), "after": (1, 10)})
CONFIDENCES = st.floats(0, 1)


def test_without_a_record_of_the_cue_the_line_alone_decides() -> None:
    assert LINE.of(0.7, "so") == pytest.approx(0.7)
    assert LINE._replace(constant=1.0).of(0.5, "so") == pytest.approx(0.7311, abs=1e-4)


def test_the_record_of_a_cue_weighs_by_how_often_it_was_seen() -> None:
    assert LINE.of(0.5, "because") == pytest.approx((9 + 4 * 0.5) / 14)
    assert LINE.of(0.5, "after") == pytest.approx((1 + 4 * 0.5) / 14)


@given(CONFIDENCES, CONFIDENCES, st.sampled_from(["because", "after", "so"]))
def test_more_confidence_never_means_less_probability(one: float, other: float, cue: str) -> None:
    low, high = LINE.of(min(one, other), cue), LINE.of(max(one, other), cue)
    assert 0 <= low <= high <= 1


def test_the_packaged_table_is_one_of_counts() -> None:
    packaged = rule_calibration()
    assert packaged.slope > 0
    assert packaged.cues
    assert all(0 <= right <= seen for right, seen in packaged.cues.values())
