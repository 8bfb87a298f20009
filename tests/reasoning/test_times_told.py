"""A time is told as exactly as the documents know it, and never more."""

from __future__ import annotations

import pytest

from language.intervals import TimeInterval
from reasoning.times_told import time_told


@pytest.mark.parametrize(
    ("start", "end", "resolution", "told"),
    [
        ("2019-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "year", "2019"),
        ("2019-03-01T00:00:00Z", "2019-04-01T00:00:00Z", "month", "2019-03"),
        ("2019-03-04T00:00:00Z", "2019-03-05T00:00:00Z", "day", "2019-03-04"),
        ("2019-03-04T10:30:00Z", "2019-03-04T10:31:00Z", "minute", "2019-03-04 10:30"),
        ("2019-03-04T04:00:00Z", "2019-03-04T12:00:00Z", "part_of_day", "2019-03-04, morning"),
        ("2019-03-04T17:00:00Z", "2019-03-05T00:00:00Z", "part_of_day", "2019-03-04, evening"),
        ("2019-03-04T18:00:00Z", "2019-03-05T06:00:00Z", "part_of_day", "2019-03-04, night"),
        ("2010-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "decade", "2010 until 2019"),
        ("2019-04-01T00:00:00Z", "2019-07-01T00:00:00Z", "quarter", "2019-04 until 2019-06"),
        ("2019-05-06T00:00:00Z", "2019-05-13T00:00:00Z", "week", "2019-05-06 until 2019-05-12"),
        ("2019-01-01T00:00:00Z", "2021-01-01T00:00:00Z", "range", "2019 until 2020"),
    ],
)
def test_a_time_is_told_as_exactly_as_it_is_known(start: str, end: str, resolution: str, told: str) -> None:
    assert time_told(TimeInterval(start, end, resolution)) == told
