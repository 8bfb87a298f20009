"""When the times of a document are: what the calendar leaves open is settled by what the document told before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta

from language.calendar_times import DATES
from language.clock_times import CLOCKS, part_of_day
from language.intervals import (
    FIRST_YEAR,
    LAST_YEAR,
    TimeInterval,
    day_interval,
    interval,
    month_interval,
    week_interval,
    year_interval,
)
from language.time_patterns import Groups, TimePlace, time_words

_BACK = ("last", "previous", "preceding", "yesterday", "earlier", "ago", "before that", "beforehand")
_NEAR_DAYS = 366
"""A document that tells of times within so many days of its publication is news; dates without a year are near it."""
_HALF_AN_HOUR = timedelta(minutes=30)
_ON = ("next", "following", "tomorrow")


class Narrative:
    """What a document has told of time so far. Times must be resolved in the order of the text.

    Args:
        published: When the document was published; none when nobody knows.
    """

    def __init__(self, published: TimeInterval | None) -> None:
        self._published = published
        self._published_day = published.first.date() if published and published.is_day_or_finer else None
        self._told: TimeInterval | None = None
        self._dated: TimeInterval | None = None
        self._day: date | None = None
        self._relative: Mapping[str, Callable[[Groups], TimeInterval | None]] = {
            "part_of_day": self._part_of_day,
            "overnight": self._overnight,
            "deictic_day": self._deictic_day,
            "weekday_alone": self._weekday,
            "deictic_unit": self._deictic_unit,
            "shifted": self._shifted,
            "following": self._following,
            "within_the_hour": self._within_the_hour,
        }

    def resolve(self, place: TimePlace) -> TimeInterval | None:
        """When a place is, by itself; none when that cannot be known.

        It is remembered for the relative times to come, unless it is itself relative and coarser than a day: "a year
        earlier" compares, and the story goes on where it was.
        """
        if needs_day(place):
            if self._day is None or place.name == "part_of_day":
                return None
            return self._remember(CLOCKS[place.name](place.groups, self._day), self._day)
        found = self._calendar(place)
        if found is not None and place.name in self._relative and not found.is_day_or_finer:
            return found
        return self._remember(found, found.first.date() if found and found.is_day_or_finer else None)

    def resolve_on(self, day_place: TimePlace, clock_place: TimePlace) -> TimeInterval | None:
        """When a clock time or part of day is on the day that another place names."""
        whole = self._calendar(day_place)
        if whole is None or whole.resolution != "day":
            return self._remember(whole, None)
        day = whole.first.date()
        return self._remember(CLOCKS[clock_place.name](clock_place.groups, day) or whole, day)

    def _calendar(self, place: TimePlace) -> TimeInterval | None:
        if place.name in DATES:
            return DATES[place.name](place.groups, self._year_of)
        return self._relative[place.name](place.groups)

    def _remember(self, found: TimeInterval | None, day: date | None) -> TimeInterval | None:
        if found is not None:
            self._told = found
            self._day = day or self._day
            if found.is_day_or_finer or found.resolution == "month":
                self._dated = found
        return found

    def _year_of(self, month: int, day: int | None) -> int | None:
        """The year of the date told last, or, when that is near publication, the one that comes nearest to it."""
        dated, published = self._dated, self._published
        if published is None or published.resolution in ("year", "decade", "range"):
            if self._told is not None:
                return self._told.first.year
            return published.first.year if published is not None and published.resolution == "year" else None
        if dated is not None and abs((dated.first - published.first).days) > _NEAR_DAYS:
            return dated.first.year
        day_of_month = min(day or 1, 28)
        years = range(published.first.year - 1, published.first.year + 2)
        return min(years, key=lambda year: (abs((datetime(year, month, day_of_month) - published.first).days), year))

    def _anchor(self) -> TimeInterval | None:
        return self._told or self._published

    def _anchor_day(self) -> date | None:
        anchor = self._anchor()
        return anchor.first.date() if anchor is not None and anchor.is_day_or_finer else None

    def _part_of_day(self, groups: Groups) -> TimeInterval | None:
        which = _plain(groups["which"])
        if which in time_words().weekdays:
            day = self._last_weekday(which)
        elif which in ("yesterday", "tomorrow", "this"):
            day = _shift_day(self._published_day, _sign(which))
        else:
            day = _shift_day(self._anchor_day(), _sign(which))
        return part_of_day(groups, day) if day else None

    def _overnight(self, groups: Groups) -> TimeInterval | None:
        word = _plain(groups["part"])
        if word == "overnight":
            day = self._anchor_day()
        else:
            day = _shift_day(self._published_day, -1 if word.startswith("last") else 0)
        return part_of_day({"part": "overnight" if word == "overnight" else "night"}, day) if day else None

    def _deictic_day(self, groups: Groups) -> TimeInterval | None:
        day = _shift_day(self._published_day, _sign(_plain(groups["word"])))
        return day_interval(day) if day else None

    def _last_weekday(self, name: str) -> date | None:
        if self._published_day is None:
            return None
        back = (self._published_day.weekday() - time_words().weekdays[name]) % 7
        return _shift_day(self._published_day, -back)

    def _weekday(self, groups: Groups) -> TimeInterval | None:
        which, day = _plain(groups["which"]), self._last_weekday(_plain(groups["weekday"]))
        if day is not None and (which == "next" or (which == "last" and day == self._published_day)):
            day = _shift_day(day, 7 if which == "next" else -7)
        return day_interval(day) if day else None

    def _deictic_unit(self, groups: Groups) -> TimeInterval | None:
        if self._published is None:
            return None
        return _shift_unit(self._published, _plain(groups["unit"]), _sign(_plain(groups["which"])))

    def _following(self, groups: Groups) -> TimeInterval | None:
        anchor = self._anchor()
        return _shift_unit(anchor, _plain(groups["unit"]), _sign(_plain(groups["which"]))) if anchor else None

    def _within_the_hour(self, groups: Groups) -> TimeInterval | None:
        if self._told is None or self._told.resolution not in ("second", "minute"):
            return None
        return interval(self._told.first, self._told.first + timedelta(hours=1), "hour")

    def _shifted(self, groups: Groups) -> TimeInterval | None:
        way, unit = _plain(groups["way"]), _plain(groups["unit"]).rstrip("s")
        count = _count(groups["count"]) * (-1 if way in _BACK else 1)
        anchor = self._published if way == "ago" else self._anchor()
        if anchor is None:
            return None
        if unit in ("second", "minute", "hour"):
            return _shift_clock(anchor, unit, count)
        if groups["approx"] and unit == "day":
            return None
        return _shift_unit(anchor, unit, count)


def needs_day(place: TimePlace) -> bool:
    """Whether a place names a time within a day without saying which day."""
    return place.name in CLOCKS and not place.groups.get("which")


def _plain(word: str | None) -> str:
    words = " ".join((word or "").lower().split())
    return words.removeprefix("the ")


def _sign(which: str) -> int:
    return 1 if which in _ON else -1 if which in _BACK else 0


def _count(word: str | None) -> int:
    plain = (word or "").lower()
    return int(plain) if plain.isdigit() else time_words().numbers[plain]


def _shift_day(day: date | None, days: int) -> date | None:
    if day is None:
        return None
    shifted = datetime(day.year, day.month, day.day) + timedelta(days=days)
    return shifted.date() if FIRST_YEAR <= shifted.year <= LAST_YEAR else None


def _shift_clock(anchor: TimeInterval, unit: str, count: int) -> TimeInterval | None:
    """A number of hours or minutes from a moment that is itself known that well."""
    if anchor.resolution not in ("second", "minute", "hour"):
        return None
    if unit == "hour":
        middle = anchor.first + timedelta(hours=count)
        return interval(middle - _HALF_AN_HOUR, middle + _HALF_AN_HOUR, "hour")
    shift = timedelta(minutes=count) if unit == "minute" else timedelta(seconds=count)
    return interval(anchor.first + shift, anchor.after + shift, anchor.resolution)


def _shift_unit(anchor: TimeInterval, unit: str, count: int) -> TimeInterval | None:
    """The day, week, month or year that lies a number of them from a time that is known at least that well."""
    first = anchor.first
    if unit == "year" and anchor.resolution not in ("decade", "range"):
        return year_interval(first.year + count)
    if unit in ("month", "quarter") and anchor.resolution not in ("decade", "range", "year"):
        months = first.year * 12 + first.month - 1 + count * (3 if unit == "quarter" else 1)
        year, month = months // 12, months % 12 + 1
        return month_interval(year, month - (month - 1) % 3, 3) if unit == "quarter" else month_interval(year, month)
    if not anchor.is_day_or_finer and not (unit == "week" and anchor.resolution == "week"):
        return None
    day = _shift_day(first.date(), count * (7 if unit == "week" else 1))
    if day is None:
        return None
    return week_interval(day) if unit == "week" else day_interval(day)
