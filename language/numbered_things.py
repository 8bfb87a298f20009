"""The numbers that tell things of one sort apart: gate 2 and gate 3, pump P-12, reactors R-3 and R-4."""

from __future__ import annotations

import re

from language.content_words import key_of, question_words

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_LISTED = re.compile(r"(?:\s*,|\s+(?:and|or|to))?\s+")
_NUMBER = re.compile(r"(?:(?i:no\.?|number|#)\s*)?(\d+[A-Za-z]?|[A-Z]{1,3}-?\d+[A-Za-z]?|[A-HJ-Z])\b(?![.:]\d)")


def numbers_behind_words(text: str) -> dict[str, list[str]]:
    """The numbers and codes that stand right behind a word, by the word; all in lower case."""
    found: dict[str, list[str]] = {}
    at = 0
    for word in _WORD.finditer(text):
        if word.start() < at:
            continue
        at = word.end()
        while (gap := _LISTED.match(text, at)) and (number := _NUMBER.match(text, gap.end())):
            found.setdefault(word.group().casefold(), []).append(number.group(1).casefold())
            at = number.end()
    return found


def tells_another_number(asked: str, told: str) -> bool:
    """True when a text tells of gate 3, and not of gate 2, where a question asks about gate 2."""
    numbers = _by_thing(told)
    things = question_words(asked)
    return any(
        thing in things and thing in numbers and not wanted & numbers[thing]
        for thing, wanted in _by_thing(asked).items()
    )


def _by_thing(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word, numbers in numbers_behind_words(text).items():
        found.setdefault(key_of(word), set()).update(numbers)
    return found
