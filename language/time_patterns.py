"""Finds the places in a text that are written like times; says nothing yet of when they are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from language.lemmas import can_be_noun

_ANY_TIME: Final = re.compile(
    r"\d|day|[Nn]ight|[Mm]orning|[Ee]vening|[Nn]oon|[Tt]omorrow|[Ll]ater|[Ee]arlier|\bago\b|[Bb]efore that"
    r"|[Aa]fter that|[Aa]fterwards|[Bb]eforehand|[Hh]our|[Ww]eek|[Mm]onth|[Yy]ear|[Qq]uarter"
)
"""Every pattern but those with the name of a month needs one of these."""
_NEXT_WORD: Final = re.compile(r"\s+([a-z%]+)")
_LIKELY_YEARS: Final = range(1700, 2101)
"""Numbers of four digits that are read as years behind a preposition; others are quantities."""


@dataclass(frozen=True, slots=True)
class TimePlace:
    """One place: the name of its pattern in times.toml, and its groups.

    Attributes:
        start: First character in the text that was searched.
        end: One past the last character.
    """

    name: str
    start: int
    end: int
    groups: Mapping[str, str | None]


Groups = Mapping[str, str | None]
"""What a pattern found, by the name of the group."""


class TimeWords(NamedTuple):
    """The word tables of times.toml; keys in lower case."""

    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    numbers: Mapping[str, int]
    ordinals: Mapping[str, int]
    parts_of_day: Mapping[str, tuple[int, int]]
    zones: Mapping[str, int]
    quantities: frozenset[str]
    date_then_clock: re.Pattern[str]
    clock_then_date: re.Pattern[str]


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("times.toml").read_text(encoding="utf-8"))


@cache
def time_words() -> TimeWords:
    """The word tables, loaded once."""
    data = _data()
    months, weekdays, numbers, ordinals = (
        {name.lower(): int(number) for name, number in data[table].items()}
        for table in ("months", "weekdays", "numbers", "ordinals")
    )
    return TimeWords(
        months,
        weekdays,
        numbers,
        ordinals,
        {name: (int(hours[0]), int(hours[1])) for name, hours in data["parts_of_day"].items()},
        {name.lower(): int(minutes) for name, minutes in data["zones"].items()},
        frozenset(data["quantities"]["units"]),
        re.compile(_spaced(data["links"]["date_then_clock"])),
        re.compile(_spaced(data["links"]["clock_then_date"])),
    )


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    data = _data()
    full = [name for name in data["months"] if len(name) > 4 or name in ("May", "June", "July")]
    short = [name for name in data["months"] if name not in full]
    parts = sorted(data["parts_of_day"], key=lambda part: (-len(part), part))
    names = {
        **data["expressions"],
        "full_month": _either(full),
        "month": f"(?:{_either([*full, *(name.upper() for name in full)])}|{_either(short)}\\.?)",
        "weekday": _either(data["weekdays"]),
        "number": _either(sorted(data["numbers"], key=lambda word: (-len(word), word)), "i"),
        "ordinal": _either(data["ordinals"]),
        "part": _either([part for part in parts if part != "overnight"]),
        "zone": f"(?:(?:UTC|GMT)\\s?[+-]\\s?\\d{{1,2}}(?::?\\d\\d)?|{_either(data['zones'])})(?:\\s[Tt]ime)?",
    }
    return tuple((name, re.compile(_spaced(pattern.format(**names)))) for name, pattern in data["patterns"].items())


def _either(words: Any, flags: str = "") -> str:
    return f"(?{flags}:" + "|".join(re.escape(word).replace("\\ ", " ") for word in words) + ")"


def _spaced(pattern: str) -> str:
    """Let a space of the pattern stand for any white space, as lines of a document are wrapped."""
    marked = pattern.replace("[ -]", r"[\s-]").replace("[T ]", r"[T\s]")
    return marked.replace(" ?", r"\s*").replace(" ", r"\s+")


# A sentence is read for its times by several steps of one question.
@lru_cache(maxsize=4_096)
def find_times(text: str) -> tuple[TimePlace, ...]:
    """The places written like times, in order, without overlap."""
    if not _ANY_TIME.search(text) and not _names_month(text):
        return ()
    found: list[tuple[int, int, int, TimePlace]] = []
    for weight, (name, pattern) in enumerate(_patterns()):
        for match in pattern.finditer(text):
            if match.end() > match.start() and _is_time(name, match, text):
                place = TimePlace(name, match.start(), match.end(), match.groupdict())
                found.append((match.start(), -match.end(), weight, place))
    places: list[TimePlace] = []
    for start, _, _, place in sorted(found, key=lambda item: item[:3]):
        if not places or start >= places[-1].end:
            places.append(place)
    return tuple(places)


def without_times(text: str) -> str:
    """A text without what is written like a time in it."""
    for place in reversed(find_times(text)):
        text = text[: place.start] + text[place.end :]
    return text


@cache
def _month_pattern() -> re.Pattern[str]:
    return re.compile(_either(_data()["months"]))


def _names_month(text: str) -> bool:
    return _month_pattern().search(text) is not None


def _is_time(name: str, match: re.Match[str], text: str) -> bool:
    if name == "clock_without_mark":
        return match["bare"] is None or match["hours"] is not None
    if name == "range_of_years":
        return int(match["year"] or match["year3"]) in _LIKELY_YEARS
    if name != "year_alone":
        return True
    if int(match["year"]) not in _LIKELY_YEARS:
        return False
    if match["word"] is None:
        return text[match.end() : match.end() + 1] in (")", ",", ";")
    follows = _NEXT_WORD.match(text, match.end())
    if follows is None:
        return True
    word = follows[1]
    # "In 2019 profits fell": who opens a sentence with a number of things says it in words.
    counted = match["word"] != "In" and word.endswith("s") and len(word) > 3 and can_be_noun(word)
    return word not in time_words().quantities and not counted
