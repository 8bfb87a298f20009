"""The names in a text: words with capitals that stand together."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from language.content_words import content_words

_WORD: Final = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_OWNING: Final = re.compile(r"['’]s$")
_GAPS: Final = frozenset({" ", "-", " & "})
_INITIAL: Final = 2
"""Most letters of a word behind which a full stop belongs to the name: "J. R. Ewing", "St. Helens"."""


def names_in(text: str) -> list[str]:
    """The names, each once, in the order of the text; of those that differ in case or a genitive the first one.

    A name begins and ends with a word that has a capital or is a number behind one, and is no word of form and none of
    the calendar. Whether the capital is owed to the start of a sentence is not asked.
    """
    found: dict[str, str] = {}
    for start, end in name_spans(text):
        name = _OWNING.sub("", text[start:end])
        found.setdefault(name_key(name), name)
    return list(found.values())


def opens_sentence(text: str, place: int) -> bool:
    """Whether a word that starts here may owe its capital to that: it opens the text, a sentence or a quotation."""
    return text[:place].rstrip()[-1:] in {"", ".", "!", "?", ":", "“", '"'}


def name_key(text: str) -> str:
    """The words of a name or of any text, in lower case, with one space on each side: a name that is told is in it."""
    words = (_OWNING.sub("", match.group()).casefold() for match in _WORD.finditer(text))
    return f" {' '.join(words)} "


def name_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the names stand, each time, in the order of the text; a genitive ending is within."""
    words = list(_WORD.finditer(text))
    place = 0
    while place < len(words):
        if not words[place].group()[0].isupper():
            place += 1
            continue
        end = _end(words, place, text)
        kept = [word for word in range(place, end + 1) if _names(words[word].group())]
        start = next((word for word in kept if words[word].group()[0].isupper()), None)
        if start is not None:
            yield words[start].start(), words[kept[-1]].end()
        place = end + 1


def _end(words: list[re.Match[str]], start: int, text: str) -> int:
    """The last word with a capital, or number, of the name that starts here."""
    end = at = start
    while at + 1 < len(words) and _joined(words[at], words[at + 1], text):
        word = words[at + 1].group()
        if word[0].isupper() or (word[0].isdigit() and at == end):
            end = at + 1
        elif word not in _table()["inside"]:
            break
        at += 1
    return end


def _joined(word: re.Match[str], follower: re.Match[str], text: str) -> bool:
    gap = text[word.end() : follower.start()]
    return gap in _GAPS or (gap == ". " and len(word.group()) <= _INITIAL)


def _names(word: str) -> bool:
    """Whether a word can begin or end a name."""
    return not word[0].islower() and word.casefold() not in _table()["calendar"] and bool(content_words(word))


@cache
def _table() -> dict[str, frozenset[str]]:
    table = tomllib.loads(files("language").joinpath("name_runs.toml").read_text(encoding="utf-8"))
    return {key: frozenset(words) for key, words in table.items()}
