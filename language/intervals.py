"""Stretches of time as fixed-width UTC text with the resolution they are known at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

FIRST_YEAR: Final = 1000
LAST_YEAR: Final = 2999

_ORDER: Final = (
    "second",
    "minute",
    "hour",
    "part_of_day",
    "day",
    "week",
    "month",
    "quarter",
    "year",
    "decade",
    "range",
)


@dataclass(frozen=True, slots=True)
class TimeInterval:
    """A half-open stretch of time.

    Attributes:
        start: First moment, `2014-03-02T00:00:00Z`.
        end: One past the last moment, written the same way; later than `start`.
        resolution: How exactly the time is known: `second`, `minute`, `hour`, `part_of_day`, `day`, `week`, `month`,
            `quarter`, `year`, `decade` or `range`.
    """

    start: str
    end: str
    resolution: str

    @property
    def first(self) -> datetime:
        """The first moment, without a time zone; UTC is meant."""
        return datetime.fromisoformat(self.start).replace(tzinfo=None)

    @property
    def after(self) -> datetime:
        """One past the last moment, without a time zone; UTC is meant."""
        return datetime.fromisoformat(self.end).replace(tzinfo=None)

    @property
    def is_day_or_finer(self) -> bool:
        """Whether it is known at the resolution of a day, a part of one, or a clock time."""
        return _ORDER.index(self.resolution) <= _ORDER.index("day")


def interval(first: datetime, after: datetime, resolution: str) -> TimeInterval | None:
    """The interval between two moments in UTC; none when it is empty or leaves the years 1000 to 2999."""
    if after <= first or first.year < FIRST_YEAR or (after - timedelta(seconds=1)).year > LAST_YEAR:
        return None
    return TimeInterval(_text(first), _text(after), resolution)


def _text(moment: datetime) -> str:
    return moment.replace(tzinfo=UTC, microsecond=0).isoformat().replace("+00:00", "Z")


def day_interval(day: date) -> TimeInterval | None:
    """A whole day."""
    first = datetime(day.year, day.month, day.day)
    return interval(first, first + timedelta(days=1), "day")


def week_interval(day: date) -> TimeInterval | None:
    """The week, from Monday, that a day lies in."""
    first = datetime(day.year, day.month, day.day) - timedelta(days=day.weekday())
    return interval(first, first + timedelta(days=7), "week")


def month_interval(year: int, month: int, months: int = 1) -> TimeInterval | None:
    """One month, a quarter when `months` is 3, a range for any other number of months."""
    resolution = {1: "month", 3: "quarter"}.get(months, "range")
    last = year * 12 + month - 1 + months
    if not FIRST_YEAR <= year <= LAST_YEAR or last // 12 > LAST_YEAR + 1:
        return None
    return interval(datetime(year, month, 1), datetime(last // 12, last % 12 + 1, 1), resolution)


def year_interval(year: int, years: int = 1, resolution: str = "year") -> TimeInterval | None:
    """One year or several."""
    if not FIRST_YEAR <= year <= LAST_YEAR or year + years > LAST_YEAR + 1:
        return None
    return interval(datetime(year, 1, 1), datetime(year + years, 1, 1), resolution)


def calendar_day(year: int, month: int, day: int) -> date | None:
    """The day with these numbers; none when the calendar has no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
