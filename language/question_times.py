"""What a question says of time: a stretch of the calendar, a day or month of any year, or which of several it means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from language.calendar_marks import CalendarMark
from language.calendar_times import DATES, day_number, month_number
from language.clock_times import CLOCKS
from language.intervals import TimeInterval, calendar_day, day_interval, month_interval
from language.time_patterns import TimePlace, find_times, time_words

_ORDER: Final = re.compile(
    r"\b(?:the\s+)?(?:(?P<latest>latest|most\s+recent|newest|last)|(?P<first>first|earliest|oldest))\b"
    r"(?!\s+(?:\d|two|three|few|aid|officer|name|resort|night|week|month|year|decade|century|minute|[a-z]+day)\b)",
    re.IGNORECASE,
)
_PREPOSITION: Final = re.compile(
    r"\b(?:in|on|at|during|of|from|since|by|around|about|back\s+in|last)\s+(?:the\s+)?$", re.IGNORECASE
)
_IN_MONTH: Final = re.compile(r"\b(?:in|during|of|last|this|since|from)\s+([a-z]{3,9})\b")
_YEARS: Final = range(1900, 2100)
_NO_YEAR: Final = frozenset({"day_month", "month_day", "month_alone"})

_YEAR: Final = re.compile(r"(?<![\d.,:])(1[0-9]{3}|20[0-9]{2})(?![\d.,:]?\d)")


@dataclass(frozen=True, slots=True)
class QuestionTime:
    """When, in a question.

    Attributes:
        interval: The stretch of the calendar it names; none when it names none.
        month: 1 to 12 for a month named without a year; else none.
        day: 1 to 31 for a day of that month; else none.
        latest: Whether it asks for the last of several.
        first: Whether it asks for the first of several.
        spans: Where it says so, as (start, end) offsets of the question, prepositions included, so that these words can
            be left out of what the question is about; the calendar first, then the order.
    """

    interval: TimeInterval | None
    month: int | None
    day: int | None
    latest: bool
    first: bool
    spans: tuple[tuple[int, int], ...]

    @property
    def start(self) -> int:
        """First character of its first words in the question."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """One past the last character of its first words in the question."""
        return self.spans[0][1]

    @property
    def intervals(self) -> tuple[TimeInterval, ...]:
        """The stretches it can mean; without a year, one for each year from 1900 to 2099; empty without a time."""
        if self.interval is not None:
            return (self.interval,)
        return () if self.month is None else _of_every_year(self.month, self.day)


def question_time(text: str) -> QuestionTime | None:
    """What a question says of time; none when it says nothing. The first time named counts."""
    capitalised = _with_capital_months(_not_all_capitals(text))
    named = month = day = None
    spans: list[tuple[int, int]] = []
    places = find_times(capitalised)
    for place, after in zip(places, (*places[1:], None), strict=False):
        found = _read(place, after)
        if found is None:
            continue
        named, month, day, end = found
        before = _PREPOSITION.search(text, 0, place.start)
        spans.append((before.start() if before else place.start, end))
        break
    order = _ORDER.search(text)
    if order is not None and any(start < order.end() and order.start() < end for start, end in spans):
        order = None
    if order is not None:
        spans.append((order.start(), order.end()))
    if not spans:
        return None
    latest = order is not None and order["latest"] is not None
    first = order is not None and order["first"] is not None
    return QuestionTime(named, month, day, latest, first, tuple(spans))


def without_time(text: str) -> str:
    """A text without the words that say when."""
    time = question_time(text)
    for start, end in sorted(time.spans if time is not None else (), reverse=True):
        text = text[:start] + text[end:]
    return text


def matches(time: QuestionTime, interval: TimeInterval) -> bool:
    """Whether a happening of this time can be one that the question means.

    A stretch of the calendar matches when the two overlap. A month or day without a year matches in any year, but only
    a happening whose own time is known at least that well. Order is for the caller, who knows the others.
    """
    if time.interval is not None:
        return time.interval.start < interval.end and interval.start < time.interval.end
    if time.month is None:
        return True
    known = interval.is_day_or_finer or (time.day is None and interval.resolution in ("week", "month"))
    first = interval.first
    return known and first.month == time.month and time.day in (None, first.day)


def names_other_year(time: QuestionTime, text: str) -> bool:
    """Whether a text names years, as bare numbers too, and none that an asked stretch of the calendar lies in."""
    years = {int(year) for year in _YEAR.findall(text)}
    if time.interval is None or not years:
        return False
    first, end = int(time.interval.start[:4]), int(time.interval.end[:4])
    return years.isdisjoint(range(first, max(end, first + 1)))


def fits_mark(time: QuestionTime, mark: CalendarMark) -> bool | None:
    """Whether what a text tells of a month, a day or a weekday can be the asked time; none where that stays open."""
    month, day, weekday = time.month, time.day, None
    if time.interval is not None:
        if time.interval.is_day_or_finer:
            first = time.interval.first
            month, day, weekday = first.month, first.day, first.weekday()
        elif time.interval.resolution == "month":
            month = time.interval.first.month
    if mark.weekday is not None:
        return False if weekday is not None and weekday != mark.weekday else None
    if month is None or mark.month is None:
        return None
    if month != mark.month or (None not in (day, mark.day) and day != mark.day):
        return False
    return True if day is None or mark.day is not None else None


@cache
def _of_every_year(month: int, day: int | None) -> tuple[TimeInterval, ...]:
    if day is None:
        found = [month_interval(year, month) for year in _YEARS]
    else:
        days = [calendar_day(year, month, day) for year in _YEARS]
        found = [day_interval(each) for each in days if each is not None]
    return tuple(each for each in found if each is not None)


def _read(place: TimePlace, after: TimePlace | None) -> tuple[TimeInterval | None, int | None, int | None, int] | None:
    if place.name in _NO_YEAR:
        day = place.groups.get("day")
        return None, month_number(place.groups["month"]), day_number(day) if day else None, place.end
    if place.name not in DATES:
        return None
    named = DATES[place.name](place.groups, lambda month, day: None)
    if named is None:
        return None
    if named.resolution == "day" and after is not None and after.name in CLOCKS and not after.groups.get("which"):
        clock = CLOCKS[after.name](after.groups, named.first.date())
        if clock is not None:
            return clock, None, None, after.end
    return named, None, None, place.end


def _not_all_capitals(text: str) -> str:
    """A question that is written in capitals throughout, in small letters; each character keeps its place."""
    small = text.lower()
    return small if text.isupper() and len(small) == len(text) else text


def _with_capital_months(text: str) -> str:
    """People write questions in lower case; names of months behind a preposition or a number get their capital."""
    months = time_words().months

    def capital(match: re.Match[str]) -> str:
        word = match[1]
        return match[0][: match.start(1) - match.start()] + (word.capitalize() if word in months else word)

    text = _IN_MONTH.sub(capital, text)
    text = re.sub(r"\b\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?([a-z]{3,9})\b", capital, text)
    return re.sub(r"(?<!\w)([a-z]{3,9})(?=\s+\d{1,4}\b)", capital, text)
