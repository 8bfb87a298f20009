"""The times that tell things of one sort apart: the 7:40 train and the 7:50 train, Monday's meeting."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from language.calendar_marks import calendar_marks
from language.clock_times import hour_of_day
from language.content_words import content_keys, key_of
from language.lemmas import can_be_noun
from language.time_patterns import time_words

_BEFORE: Final = re.compile(
    r"(?:^|[.!?:;,“\"]\s*|\b(?i:the|an?|this|that|these|those|each|every|last|next|both|our|their|its|of)\s+|['’]s\s+"
    r"|\b[A-Z]\w+\s+)$"
)
"""What stands before a time that describes the thing behind it; behind a preposition, a time says when."""
_SAYS_WHEN: Final = re.compile(r"\b(?:at|by|until|till|from|since|about|around|before|after)\s+$", re.IGNORECASE)
_LISTED: Final = re.compile(r"\s*(?:,|,?\s*\b(?:and|or)\b)\s*(?:the\s+)?")
_WORD: Final = re.compile(r"[\s-]+([A-Za-z][\w'’-]*)")
_DESCRIBING: Final = 3
"""Most words that a thing has behind its time: "the 7:40 fast train"."""
_HALF: Final = 12 * 60
_DAY: Final = 2 * _HALF
_NAMED: Final = {"noon": _HALF, "midday": _HALF, "midnight": 0}
_TWELVE: Final = 12

Thing = tuple[str, str]
"""The key of a noun, and what sort of time it is told by: `clock`, `month` or `weekday`."""


def tells_another_time(asked: str, told: str) -> bool:
    """True when a text tells of the 7:50 train, and not of the 7:40 one, or of Monday where Tuesday was asked about."""
    wanted = timed_things(asked)
    if not wanted:
        return False
    things = timed_things(told)
    return any(thing in things and not times & things[thing] for thing, times in wanted.items())


@lru_cache(maxsize=16_384)
def timed_things(text: str) -> dict[Thing, frozenset[int]]:
    """The times of things: minutes of the day of a clock time, which may be two where morning and evening are open.

    Weekdays, as 0 to 6, belong to no thing, since a text seldom tells of several.
    """
    found: dict[Thing, set[int]] = {}
    listed: list[re.Match[str]] = []
    for match in _clock().finditer(text):
        goes_on = bool(listed) and _LISTED.fullmatch(text, listed[-1].end(), match.start()) is not None
        listed = [*listed, match] if goes_on else [match]
        if _describes(text, listed[0].start()):
            minutes = {minute for one in listed for minute in _minutes(one)}
            for thing in _things_behind(text, match.end()):
                found.setdefault((thing, "clock"), set()).update(minutes)
    for mark in calendar_marks(text):
        if mark.weekday is not None:
            found.setdefault(("", "weekday"), set()).add(mark.weekday)
        elif mark.month is not None and mark.day is None:
            for thing in _things_behind(text, mark.end):
                found.setdefault((thing, "month"), set()).add(mark.month)
    return {thing: frozenset(times) for thing, times in found.items()}


def _describes(text: str, start: int) -> bool:
    """Whether a time that starts here may tell which thing is meant, and not when something was."""
    return _BEFORE.search(text, 0, start) is not None and _SAYS_WHEN.search(text, 0, start) is None


def _things_behind(text: str, at: int) -> set[str]:
    """The keys of the nouns right behind a time."""
    found: set[str] = set()
    for _ in range(_DESCRIBING):
        match = _WORD.match(text, at)
        if match is None or not (match[1][0].isupper() or can_be_noun(match[1])) or not content_keys(match[1]):
            break
        found.add(key_of(match[1].casefold()))
        at = match.end()
    return found


def _minutes(match: re.Match[str]) -> set[int]:
    """The minutes of the day that a time on a clock can be."""
    if match["named"]:
        return {_NAMED[match["named"].lower()]}
    written = (match["hour"] or "").lower()
    hour = time_words().numbers.get(written) or (int(written) if written.isdigit() else None)
    if hour is None or hour >= _DAY // 60:
        return set()
    minute = int(match["minute"] or 0)
    if match["half"]:
        return {hour_of_day(hour, match["half"]) * 60 + minute}
    exact = hour > _TWELVE or written.startswith("0")
    first = hour * 60 + minute
    return {first} if exact else {first % _HALF, first % _HALF + _HALF}


@cache
def _clock() -> re.Pattern[str]:
    written = (
        word for word, number in time_words().numbers.items() if 1 <= number <= _TWELVE and len(word) > len("an")
    )
    hours = "|".join(sorted(written, key=len, reverse=True))
    half = r"(?P<half>[ap]\.?m\b\.?)"
    return re.compile(
        rf"(?<![\w.,:/-])(?:(?P<named>noon|midday|midnight)|(?P<hour>\d{{1,2}}|{hours})"
        rf"(?:[:.](?P<minute>[0-5]\d))?(?:\s?{half}|(?P<clock>[\s-]o['’]clock)|(?<=\d:[0-5]\d)))(?![\w:])",
        re.IGNORECASE,
    )
