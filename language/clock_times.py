"""Times within a known day: clock times, parts of the day. Local time counts as UTC unless a zone is named."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from language.intervals import TimeInterval, interval
from language.time_patterns import Groups, time_words

_ROUGHLY: Final = timedelta(minutes=15)
"""How far a clock time that is said to be approximate is taken to reach to either side."""
_OFFSET: Final = re.compile(r"(?:UTC|GMT)?\s?([+-])\s?(\d{1,2}):?(\d\d)?", re.IGNORECASE)


def zone_offset(zone: str | None) -> timedelta:
    """How far a zone is ahead of UTC; nothing for a zone that is not given or not known."""
    if not zone:
        return timedelta()
    match = _OFFSET.fullmatch(zone.strip())
    if match:
        ahead = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
        return ahead if match[1] == "+" else -ahead
    return timedelta(minutes=time_words().zones.get(zone.split()[0].lower(), 0))


def _clock(groups: Groups, day: date) -> TimeInterval | None:
    hour, minute = int(groups["hour"] or 0), groups.get("minute")
    second = groups.get("second")
    hour = hour_of_day(hour, groups.get("half"))
    first = datetime(day.year, day.month, day.day) + timedelta(
        hours=hour, minutes=int(minute or 0), seconds=int(second or 0)
    )
    first -= zone_offset(groups.get("zone"))
    if groups.get("approx") or groups.get("approx2"):
        return interval(first - _ROUGHLY, first + _ROUGHLY, "hour")
    if second is not None:
        return interval(first, first + timedelta(seconds=1), "second")
    if minute is not None:
        return interval(first, first + timedelta(minutes=1), "minute")
    return interval(first, first + timedelta(hours=1), "hour")


def hour_of_day(hour: int, half: str | None) -> int:
    """The hour from 0 to 23 of an hour on a clock of twelve; `half` is "am", "p.m." or none."""
    if half and hour <= 12:
        return hour % 12 + (12 if half.lower().startswith("p") else 0)
    return hour


def _named_clock(groups: Groups, day: date) -> TimeInterval | None:
    hours = 12 if groups["named"] == "noon" else 24
    first = datetime(day.year, day.month, day.day) + timedelta(hours=hours) - _ROUGHLY
    return interval(first, first + 2 * _ROUGHLY, "hour")


def _range_of_clocks(groups: Groups, day: date) -> TimeInterval | None:
    midnight = datetime(day.year, day.month, day.day) - zone_offset(groups["zone"])
    half = groups["half"]
    hour, hour2 = hour_of_day(int(groups["hour"] or 0), half), hour_of_day(int(groups["hour2"] or 0), half)
    first = midnight + timedelta(hours=hour, minutes=int(groups["minute"] or 0))
    last = midnight + timedelta(hours=hour2, minutes=int(groups["minute2"] or 0))
    if last <= first:
        last += timedelta(days=1)
    return interval(first, last + timedelta(minutes=1), "hour")


def part_of_day(groups: Groups, day: date) -> TimeInterval | None:
    """The hours of a part of the day: the morning, the evening, the night that begins on the day."""
    begin, end = time_words().parts_of_day[re.sub(r"[\s-]+", " ", groups["part"] or "").lower()]
    midnight = datetime(day.year, day.month, day.day)
    return interval(midnight + timedelta(hours=begin), midnight + timedelta(hours=end), "part_of_day")


CLOCKS: Final[Mapping[str, Callable[[Groups, date], TimeInterval | None]]] = {
    "clock": _clock,
    "clock_of_24": _clock,
    "clock_without_mark": _clock,
    "named_clock": _named_clock,
    "range_of_clocks": _range_of_clocks,
    "part_of_day": part_of_day,
}
"""For each pattern of a time within a day, what finds it on a given day."""
