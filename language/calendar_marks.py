"""Months, days and weekdays that a text names without a year: enough to tell that two happenings are not one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from language.calendar_times import day_number, month_number
from language.time_patterns import TimePlace, find_times, time_words

_WITHOUT_YEAR: Final = frozenset({"day_month", "month_day", "month_alone"})
_OF_STRETCH: Final = re.compile(r"(?:since|until|till|by|throughout|from|before|after|to)\s+(?:the\s+)?", re.IGNORECASE)
"""Words before a time that begins or ends something, and is not when it happened."""
_OF_STRETCH_BEFORE: Final = re.compile(rf"\b{_OF_STRETCH.pattern}$", re.IGNORECASE)
_TO_ANOTHER: Final = re.compile(r"\s*(?:to|through|until|till|[-–—])\s*[A-Z]")
_NAMED_DAY: Final = re.compile(r"[A-Z]\w*\s$")
"""What makes a weekday the name of one day in history: "Black Monday"."""
_SHORT_MONTHS: Final = frozenset({"may", "june", "july"})


@dataclass(frozen=True, slots=True)
class CalendarMark:
    """One month, day of a month, or weekday.

    Attributes:
        start: First character in the text.
        end: One past the last character.
        month: 1 to 12; none for a weekday.
        day: 1 to 31; none where only the month or a weekday is told.
        weekday: 0 for Monday to 6; none for a month or a day of one.
    """

    start: int
    end: int
    month: int | None = None
    day: int | None = None
    weekday: int | None = None


@lru_cache(maxsize=16_384)
def calendar_marks(text: str) -> tuple[CalendarMark, ...]:
    """The months, days and weekdays, in the order of the text; those that only begin or end a stretch are left out."""
    found = [mark for place in find_times(text) if (mark := _read(place, text)) is not None]
    taken = [(mark.start, mark.end) for mark in found]
    found.extend(
        mark for mark in _before_nouns(text) if all(mark.end <= start or end <= mark.start for start, end in taken)
    )
    return tuple(sorted(found, key=lambda mark: mark.start))


def _read(place: TimePlace, text: str) -> CalendarMark | None:
    told = text[place.start : place.end]
    if _OF_STRETCH.match(told) or _OF_STRETCH_BEFORE.search(text, 0, place.start) or _TO_ANOTHER.match(text, place.end):
        return None
    if place.name == "weekday_alone":
        if not place.groups.get("which") and _NAMED_DAY.search(text, 0, place.start):
            return None
        weekday = time_words().weekdays[(place.groups["weekday"] or "").lower()]
        return CalendarMark(place.start, place.end, weekday=weekday)
    if place.name not in _WITHOUT_YEAR:
        return None
    day = place.groups.get("day")
    return CalendarMark(place.start, place.end, month_number(place.groups["month"]), day_number(day) if day else None)


def _before_nouns(text: str) -> Iterator[CalendarMark]:
    """The month of "the March leak"."""
    for match in _before_noun().finditer(text):
        yield CalendarMark(match.start(1), match.end(1), month_number(match[1]))


@cache
def _before_noun() -> re.Pattern[str]:
    months = (name.capitalize() for name in time_words().months if len(name) > len("sept") or name in _SHORT_MONTHS)
    return re.compile(rf"\b(?:[Tt]he|[Aa]n?|[Tt]h(?:is|at)|[Ll]ast)\s+({'|'.join(months)})(?:['’]s)?\s+(?=[a-z])")
