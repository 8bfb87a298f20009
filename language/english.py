"""Which language a text is written in, so that only English text is read for claims."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from language.lexicon import readings

UNDETERMINED: Final = "und"
"""ISO 639-2 code for text whose language nobody can tell: none, numbers, a few names."""

_STRETCH: Final = 2_000
"""Characters looked at in each of the beginning, the middle and the end."""
_SHORT: Final = 20
"""Texts with fewer words are too short for letter statistics: function words decide first."""
_LEAST_LETTERS: Final = 3
_NOT_LETTERS: Final = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+|[\W\d_]+")
_KNOWN: Final = 0.8
"""Part of the words of a short text that the English lexicon has to know when no function word tells."""


def detect_language(text: str) -> str:
    """ISO 639-1 code of the language, or `und`.

    Judged by letters only, on at most 6,000 characters from beginning, middle and end; the same text always gets the
    same code. Short text counts as English when it has English function words or consists of English words.
    """
    letters = " ".join(_NOT_LETTERS.sub(" ", stretch) for stretch in _stretches(text)).lower()
    words = letters.split()
    if len("".join(words)) < _LEAST_LETTERS:
        return UNDETERMINED
    if len(words) < _SHORT and letters.isascii() and _is_short_english(words):
        return "en"
    from py3langid import classify

    code, _ = classify(" ".join(words))
    return str(code)


def _is_short_english(words: list[str]) -> bool:
    if sum(word in _function_words() for word in words) >= max(1, len(words) // 6):
        return True
    known = readings()
    long_words = [word for word in words if len(word) > 2]
    return bool(long_words) and sum(word in known for word in long_words) >= _KNOWN * len(long_words)


def _stretches(text: str) -> list[str]:
    if len(text) <= 3 * _STRETCH:
        return [text]
    middle = len(text) // 2 - _STRETCH // 2
    return [text[:_STRETCH], text[middle : middle + _STRETCH], text[-_STRETCH:]]


@cache
def _function_words() -> frozenset[str]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return frozenset(table["function_words"])
