"""Reads the times that a document tells, sentence by sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from language.intervals import TimeInterval
from language.narrative import Narrative, needs_day
from language.time_patterns import TimePlace, find_times, time_words
from language.tokens import Sentence

__all__ = ["TimeExpression", "TimeInterval", "TimeReader"]

_DAYS: Final = frozenset(
    {"iso", "day_month_year", "month_day_year", "day_month", "month_day", "weekday_alone", "deictic_day", "following"}
)
"""Patterns that name a day and may have a clock time or a part of the day beside them."""
_WITH_PREPOSITION: Final = frozenset(
    {"month_alone", "year_alone", "weekday_alone", "clock_without_mark", "part_of_day"}
)
"""Patterns that need a preposition to tell a time from a number; it is not part of the expression."""
_PREPOSITION: Final = re.compile(
    r"(?:\(|(?:in|on|at|by|of|since|until|during|from|before|after|throughout|around|circa|the(?=\s+\d))\s+)"
    r"(?:the\s+year\s+)?",
    re.IGNORECASE,
)
_LONGEST_LINK: Final = 40


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A stretch of a document that tells a time.

    Attributes:
        start: First character in the document.
        end: One past the last character.
        text: The words.
        interval: When it is.
    """

    start: int
    end: int
    text: str
    interval: TimeInterval


class TimeReader:
    """Reads one document; made anew for each.

    A clock time without a zone counts as UTC, since documents tell local times and seldom say which; one with a zone
    of known offset is converted. A clock time without a day is on the day told last, and is left out before any is
    told. "Three days later", "that evening" and the like count from the time told last, or from the day of
    publication; "last Tuesday" and "yesterday" always from the day of publication. A day or a month without a year is
    in the year told last, or, when that is near publication, in the year that brings it nearest to publication. A
    time that cannot be known is left out, and none is made finer than it is told: a month stays a month.

    Args:
        published: When the document was published; none when nobody knows.
    """

    def __init__(self, published: TimeInterval | None) -> None:
        self._narrative = Narrative(published)

    def read(self, sentence: Sentence) -> list[TimeExpression]:
        """The times of one sentence, in order, without overlap. Sentences must come in the order of the document."""
        found: list[TimeExpression] = []
        places = find_times(sentence.text)
        index = 0
        while index < len(places):
            place = places[index]
            after = places[index + 1] if index + 1 < len(places) else None
            joined = after is not None and _belong_together(place, after, sentence.text)
            if joined and after is not None:
                day, clock = (after, place) if needs_day(place) else (place, after)
                moment, end = self._narrative.resolve_on(day, clock), after.end
            else:
                moment, end = self._narrative.resolve(place), place.end
            if moment is not None:
                words = sentence.text[place.start : end].rstrip()
                lead = _PREPOSITION.match(words) if place.name in _WITH_PREPOSITION else None
                words = words[lead.end() :] if lead else words
                start = sentence.start + place.start + (lead.end() if lead else 0)
                found.append(TimeExpression(start, start + len(words), words, moment))
            index += 2 if joined else 1
        return found


def _belong_together(place: TimePlace, after: TimePlace, text: str) -> bool:
    between = text[place.end : after.start]
    if len(between) > _LONGEST_LINK:
        return False
    if needs_day(place) and after.name in _DAYS:
        return bool(time_words().clock_then_date.search(between))
    if needs_day(after) and place.name in _DAYS:
        return bool(time_words().date_then_clock.search(between))
    return False
