"""The date a document gives itself, as fixed-width UTC text with its resolution; nothing is guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from kg.records import Resolution

MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sep", "sept"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}
"""English names of months, long and short, with their numbers."""

LONGEST = 64
"""A date field longer than this is prose, in characters."""
FIRST_YEAR, LAST_YEAR = 1500, 2199
"""Years outside this range are counters or placeholders, not dates of publication."""

_CLOCK = (
    r"(?:[T ,]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[AaPp][Mm])?"
    r"\s*(?:[A-Z]{1,4}|[+-]\d{2}:?\d{2})?(?:\s*\(\w+\))?)?"
)
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_PATTERNS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern + r"$", re.IGNORECASE)
    for pattern in (
        r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})" + _CLOCK,
        r"(?P<y>\d{4})-(?P<m>\d{2})",
        r"(?P<y>\d{4})",
        r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})(?:T\d{4,6}Z?)?",
        r"D:(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})[\d'Z+-]*",
        _WEEKDAY + r"(?P<d>\d{1,2})(?:st|nd|rd|th)?[ -](?P<name>[a-z]+)\.?,?[ -](?P<y>\d{4})" + _CLOCK,
        _WEEKDAY + r"(?P<name>[a-z]+)\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})" + _CLOCK,
        r"(?P<name>[a-z]+)\.?,? (?P<y>\d{4})",
    )
)
"""Forms that leave no doubt about which number is the day. `03/04/2014` is not among them."""


@dataclass(frozen=True, slots=True)
class Published:
    """When a document was published.

    Attributes:
        start: First moment of the day, month or year, `2014-03-02T00:00:00Z`. The calendar date is the one the
            document writes; its time of day and zone are not kept.
        resolution: DAY, MONTH or YEAR.
    """

    start: str
    resolution: Resolution


def parse_date(value: object) -> Published | None:
    """The date that a field holds; none when it holds none, or one that can be read in two ways.

    Args:
        value: Text of a field. Anything but text is no date.
    """
    if not isinstance(value, str) or len(value) > LONGEST:
        return None
    text = " ".join(value.split())
    for pattern in _PATTERNS:
        found = pattern.match(text)
        if found:
            return _published(found.groupdict())
    return None


def _published(parts: dict[str, str | None]) -> Published | None:
    name = parts.get("name")
    month = MONTHS.get(name.lower(), 0) if name else int(parts.get("m") or 1)
    resolution = Resolution.DAY if parts.get("d") else Resolution.MONTH if name or parts.get("m") else Resolution.YEAR
    try:
        day = date(int(parts["y"] or 0), month, int(parts.get("d") or 1))
    except ValueError:
        return None
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        return None
    return Published(f"{day.isoformat()}T00:00:00Z", resolution)
