"""The numbers that tell things of one sort apart: gate 2 and gate 3, pump P-12, reactors R-3 and R-4."""

from __future__ import annotations

import re

from language.content_words import key_of, question_words

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_LISTED = re.compile(r"(?:\s*,|\s+(?:and|or|to))?\s+")
_NUMBER = re.compile(
    r"(?:(?i:no\.?|number|#)\s*)?(\d+(?:\.\d+)*[A-Za-z]?|[A-Z]{1,3}-?\d[\dA-Za-z]*|[A-HJ-Z])\b(?![.:]\d)"
)


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
    wanted = _by_thing(asked)
    if not wanted:
        return False
    numbers, things = _by_thing(told), question_words(asked)
    return any(thing in things and thing in numbers and not each & numbers[thing] for thing, each in wanted.items())


def numbered_apart(asked: str, told: str, at: int, whole: str) -> str | None:
    """The thing with its number that a question asks about, where a text tells of another one: "gate 2".

    Where the document names gate 2 before, what is told may be of gate 2, though a sentence names gate 3 beside it.

    Args:
        asked: The question.
        told: What is told.
        at: Where that starts in its document.
        whole: The text of the document.
    """
    if not tells_another_number(asked, told):
        return None
    told_of, before = _by_thing(told), _by_thing(whole[:at])
    for word, numbers in numbers_behind_words(asked).items():
        others = told_of.get(key_of(word), set())
        if others and others.isdisjoint(numbers) and before.get(key_of(word), set()).isdisjoint(numbers):
            return f"{word} {numbers[0]}"
    return None


def _by_thing(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word, numbers in numbers_behind_words(text).items():
        found.setdefault(key_of(word), set()).update(numbers)
    return found
