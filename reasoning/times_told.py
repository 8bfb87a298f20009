"""When something was, in figures and words that are as exact as what is known of it, and never more."""

from __future__ import annotations

from bisect import bisect_right
from datetime import timedelta
from typing import Final

from kg.records import Resolution
from language.intervals import TimeInterval

_PARTS: Final = ((0, "early"), (4, "morning"), (11, "midday"), (12, "afternoon"), (17, "evening"))
"""From which hour on a part of the day has which name."""
_LENGTHS: Final = {Resolution.YEAR: 4, Resolution.MONTH: 7, Resolution.DAY: 10}
"""Characters of a time that are known at a resolution: 2019, 2019-03, 2019-03-04."""


def time_told(time: TimeInterval) -> str:
    """A stretch of time as exactly as it is known: “2019”, “2019-03”, “2019-03-04 10:30”, “2010 until 2019”."""
    resolution = Resolution(time.resolution)
    if resolution in _LENGTHS:
        return time.start[: _LENGTHS[resolution]]
    match resolution:
        case Resolution.SECOND | Resolution.MINUTE | Resolution.HOUR:
            return time.start[:16].replace("T", " ")
        case Resolution.PART_OF_DAY:
            return f"{time.start[:10]}, {_part_of_day(time)}"
    return _stretch(time)


def _part_of_day(time: TimeInterval) -> str:
    if (time.after - timedelta(seconds=1)).date() > time.first.date():
        return "night"
    return _PARTS[bisect_right(_PARTS, time.first.hour, key=lambda part: part[0]) - 1][1]


def _stretch(time: TimeInterval) -> str:
    """Its first and its last year, where it holds whole years; else months, else days."""
    last = (time.after - timedelta(seconds=1)).isoformat()
    bounds = time.start[5:10], time.end[5:10]
    length = 4 if bounds == ("01-01", "01-01") else 7 if all(one.endswith("-01") for one in bounds) else 10
    first, after = time.start[:length], last[:length]
    return first if first == after else f"{first} until {after}"
