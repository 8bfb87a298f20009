"""Where the embedded view would give other values than a server, by what it finds, and what it says then."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Guard(StrEnum):
    """Where kglite would give other values than a server."""

    DIVISION = "division"
    DOMAIN = "domain"
    ROUNDING = "rounding"
    FLOAT_TEXT = "float-text"
    TIME_TEXT = "time-text"
    NUMBER = "number"
    MAP_ORDER = "map-order"
    DURATION_ORDER = "duration-order"
    SPACES = "spaces"
    LENGTH = "length"
    TRUTH_TEXT = "truth-text"


REFUSALS: Mapping[str, tuple[str, str]] = {
    Guard.DIVISION: ("a division by zero that gives no number", "Write CASE WHEN b <> 0 THEN a / b END."),
    Guard.DOMAIN: (
        "the root of a negative number, or the logarithm of one that is not positive",
        "Write CASE WHEN x > 0 THEN log(x) END.",
    ),
    Guard.ROUNDING: (
        "rounding a number that its digits put half-way and its bits below, or that is very large",
        "Write floor(x * 100 + 0.5) / 100.",
    ),
    Guard.FLOAT_TEXT: (
        "the text of a float of 10,000,000 and more, or below 0.001",
        "Leave it a number, or write toString(toInteger(x)).",
    ),
    Guard.TIME_TEXT: ("the text of a datetime", "Use time_start, which is text, or toString(date(x))."),
    Guard.NUMBER: (
        "a conversion of this value to a number or a truth value",
        "Write whole numbers of 64 bits, and texts as 12, 1.5 or true, without spaces.",
    ),
    Guard.MAP_ORDER: ("the least or greatest of maps", "Take it of one of their values: min(m.a)."),
    Guard.DURATION_ORDER: ("the least or greatest of durations", "Take it of their days: max(x.days)."),
    Guard.SPACES: (
        "trimming beside other white space than spaces, tabs and ends of lines",
        "Put spaces in its place first: trim(replace(x, '\\u00a0', ' ')).",
    ),
    Guard.LENGTH: (
        "a negative place or length of a text",
        "Write numbers from 0 on: CASE WHEN n > 0 THEN n ELSE 0 END.",
    ),
    Guard.TRUTH_TEXT: ("the sum of a text and a truth value", "Write toString(x) for the truth value."),
}
"""What is not known, and what to write instead, for each guard."""
