"""Clock times at which a text says that something was, without its day: "*at 8:40* the pump failed"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from language.clock_times import hour_of_day
from language.time_patterns import Groups, find_times

_EXACT: Final = frozenset({"clock", "clock_of_24", "clock_without_mark"})
_AT: Final = re.compile(r"\b(?:at|time)\s+$", re.IGNORECASE)
"""What stands before a time that says when; "the 8:40 train" goes by its time, and "by 8:40" ends a stretch."""
_HALF: Final = 12 * 60
_TWELVE: Final = 12


@dataclass(frozen=True, slots=True)
class ClockMark:
    """One clock time.

    Attributes:
        start: First character in the text, that of its preposition.
        end: One past the last character.
        minutes: The minutes of the day that it can be: two where morning and evening are open.
    """

    start: int
    end: int
    minutes: frozenset[int]


@lru_cache(maxsize=16_384)
def clock_marks(text: str) -> tuple[ClockMark, ...]:
    """The clock times that are told to the minute, in the order of the text; those told roughly are left out."""
    found = []
    for place in find_times(text):
        groups = place.groups
        if place.name not in _EXACT or groups.get("minute") is None or groups.get("approx") or groups.get("approx2"):
            continue
        said = (groups.get("at") or "").lower()
        before = _AT.search(text, 0, place.start)
        if said not in ("at", "time") and before is None:
            continue
        start = place.start if before is None else before.start()
        found.append(ClockMark(start, place.end, _minutes(groups)))
    return tuple(found)


def _minutes(groups: Groups) -> frozenset[int]:
    hour, half = groups["hour"] or "0", groups.get("half")
    first = hour_of_day(int(hour), half) * 60 + int(groups["minute"] or 0)
    exact = half is not None or int(hour) > _TWELVE or (len(hour) > 1 and hour.startswith("0"))
    return frozenset({first}) if exact else frozenset({first % _HALF, first % _HALF + _HALF})
