"""Times that the calendar alone settles: days, months, quarters, years, decades and ranges of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from language.clock_times import zone_offset
from language.intervals import TimeInterval, calendar_day, day_interval, interval, month_interval, year_interval
from language.time_patterns import Groups, time_words

YearOf = Callable[[int, int | None], int | None]
"""Says which year a month (1-12), and a day of it or none, is in when the text does not say; none when nobody knows."""

_NUMBER: Final = re.compile(r"\d+")


def month_number(word: str | None) -> int:
    """1 to 12 for the name of a month, whole or short, in any case."""
    return time_words().months[(word or "").rstrip(".").lower()]


def day_number(word: str | None) -> int:
    """The number in "2nd" or "02"."""
    match = _NUMBER.search(word or "")
    return int(match.group()) if match else 0


def _number(word: str | None) -> int | None:
    return int(word) if word else None


def _day(groups: Groups, year_of: YearOf) -> TimeInterval | None:
    month, day = month_number(groups["month"]), day_number(groups["day"])
    year = _number(groups.get("year")) or year_of(month, day)
    found = calendar_day(year, month, day) if year else None
    return day_interval(found) if found else None


def _iso(groups: Groups, year_of: YearOf) -> TimeInterval | None:
    found = calendar_day(int(groups["year"] or 0), int(groups["month"] or 0), int(groups["day"] or 0))
    if found is None or groups["hour"] is None:
        return day_interval(found) if found else None
    second = groups["second"]
    try:
        first = datetime(
            found.year, found.month, found.day, int(groups["hour"]), int(groups["minute"] or 0), int(second or 0)
        )
    except ValueError:
        return day_interval(found)
    first -= zone_offset(groups["zone"])
    if second is not None:
        return interval(first, first + timedelta(seconds=1), "second")
    return interval(first, first + timedelta(minutes=1), "minute")


def _slashed(groups: Groups, year_of: YearOf) -> TimeInterval | None:
    """A date in figures; where day and month cannot be told apart, the range from one reading to the other."""
    year, one, two = int(groups["year"] or 0), int(groups["one"] or 0), int(groups["two"] or 0)
    readings = {calendar_day(year, two, one), calendar_day(year, one, two)}
    days = sorted(day for day in readings if day is not None)
    if len(days) == 1 or (days and groups["mark"] == "."):
        return day_interval(days[0] if len(days) == 1 else date(year, two, one))
    return _days(days[0], days[1]) if days else None


def _days(first: date | None, last: date | None) -> TimeInterval | None:
    if first is None or last is None or last < first:
        return None
    after = datetime(last.year, last.month, last.day) + timedelta(days=1)
    return interval(datetime(first.year, first.month, first.day), after, "range")


def _range_of_days(groups: Groups, year_of: YearOf) -> TimeInterval | None:
    word2 = groups.get("month2") or groups["month"]
    word = groups["month"] or word2
    month, month2 = month_number(word), month_number(word2)
    day, day2 = day_number(groups["day"]), day_number(groups["day2"])
    year2 = _number(groups["year2"]) or year_of(month2, day2)
    if year2 is None:
        return None
    year = _number(groups["year"]) or (year2 if month <= month2 else year2 - 1)
    return _days(calendar_day(year, month, day), calendar_day(year2, month2, day2))


def _range_of_months(groups: Groups, year_of: YearOf) -> TimeInterval | None:
    month, month2, year2 = month_number(groups["month"]), month_number(groups["month2"]), int(groups["year2"] or 0)
    year = _number(groups["year"]) or (year2 if month <= month2 else year2 - 1)
    months = (year2 - year) * 12 + month2 - month + 1
    if months < 2:
        return None
    found = month_interval(year, month, months)
    return TimeInterval(found.start, found.end, "range") if found else None


def _range_of_years(groups: Groups, year_of: YearOf) -> TimeInterval | None:
    first = int(groups["year"] or groups["year3"] or 0)
    last = int(groups["year2"] or groups["year4"] or 0)
    return year_interval(first, last - first + 1, "range") if last > first else None


def _month(groups: Groups, year_of: YearOf) -> TimeInterval | None:
    month = month_number(groups["month"])
    year = _number(groups.get("year")) or year_of(month, None)
    return month_interval(year, month) if year else None


def _quarter(groups: Groups, year_of: YearOf) -> TimeInterval | None:
    number = int(groups["digit"] or time_words().ordinals[(groups["ordinal"] or "first").lower()])
    year = _number(groups["year"] or groups["year2"]) or year_of(number * 3 - 2, None)
    return month_interval(year, number * 3 - 2, 3) if year else None


def _decade(groups: Groups, year_of: YearOf) -> TimeInterval | None:
    first = int(groups["decade"] or 0)
    return (
        year_interval(first, 100, "range") if first % 100 == 0 and first < 2000 else year_interval(first, 10, "decade")
    )


def _year(groups: Groups, year_of: YearOf) -> TimeInterval | None:
    return year_interval(int(groups["year"] or 0))


DATES: Final[Mapping[str, Callable[[Groups, YearOf], TimeInterval | None]]] = {
    "iso": _iso,
    "slashed": _slashed,
    "range_of_days": _range_of_days,
    "range_of_days_american": _range_of_days,
    "range_of_months": _range_of_months,
    "range_of_years": _range_of_years,
    "day_month_year": _day,
    "month_day_year": _day,
    "day_month": _day,
    "month_day": _day,
    "quarter": _quarter,
    "month_year": _month,
    "month_alone": _month,
    "decade": _decade,
    "year_alone": _year,
}
"""For each pattern of a time that the calendar settles, what finds it."""
