"""Dates are printed as exactly as they are known."""

from __future__ import annotations

import pytest

from api.printing import date_text
from kg.records import Resolution


@pytest.mark.parametrize(
    ("resolution", "told"),
    [
        (Resolution.SECOND, "2014-05-02"),
        (Resolution.DAY, "2014-05-02"),
        (Resolution.WEEK, "2014-05-02"),
        (Resolution.MONTH, "2014-05"),
        (Resolution.QUARTER, "2014-Q2"),
        (Resolution.YEAR, "2014"),
        (Resolution.DECADE, "2010s"),
        (None, "2014-05-02"),
    ],
)
def test_a_date_tells_no_more_than_is_known(resolution: Resolution | None, told: str) -> None:
    assert date_text("2014-05-02T10:00:00Z", resolution) == told


def test_no_date_is_told_in_words() -> None:
    assert date_text(None, None) == "undated"
