"""The numbers that tell things of one sort apart: gate 2 and gate 3, pump P-12, reactors R-3 and R-4."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_LISTED = re.compile(r"(?:\s*,|\s+(?:and|or|to))?\s+")
_NUMBER = re.compile(r"(?:(?i:no\.?|number|#)\s*)?(\d+[A-Za-z]?|[A-Z]{1,3}-?\d+[A-Za-z]?|[A-HJ-Z])\b(?![.:]\d)")


def numbers_behind_words(text: str) -> dict[str, list[str]]:
    """The numbers and codes that stand right behind a word, by the word; all in lower case."""
    found: dict[str, list[str]] = {}
    for word in _WORD.finditer(text):
        at = word.end()
        while (gap := _LISTED.match(text, at)) and (number := _NUMBER.match(text, gap.end())):
            found.setdefault(word.group().casefold(), []).append(number.group(1).casefold())
            at = number.end()
    return found
