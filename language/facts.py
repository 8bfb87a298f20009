"""Whether a sentence can hold what a question for a fact asks for, by its words alone."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from language.lemmas import lemma_of

_WORD: Final = re.compile(r"\w+(?:['’]\w+)?")


def can_answer(question: str, told: str) -> bool:
    """Whether a text tells a number or a time, where the question asks for one; all texts can answer the others."""
    return not asks_for_number(question) or bool(numbers_in(told))


def asks_for_number(question: str) -> bool:
    """Whether only a number or a time answers a question."""
    return _pattern("asks", "number").match(question.strip()) is not None


def numbers_in(told: str) -> list[int]:
    """Where a text tells numbers or times."""
    return [match.start() for match in _pattern("tells", "number").finditer(told)]


def points_back(sentence: str) -> bool:
    """Whether a sentence opens with a word for something that was named before it."""
    return _pattern("points_back", "opening").match(sentence) is not None


def leaves_open(question: str, told: str) -> bool:
    """Whether a text says what is not known, denied or only supposed, and the question does not ask for that."""
    asked = _words(question)
    tables = ["leaves_open", *(["wanted"] if _pattern("wanted", "asked").search(question) is None else [])]
    found = (match for table in tables for match in _pattern(table, "words").finditer(told))
    return any(not _words(match.group()) <= asked for match in found)


def asks_once_more(text: str) -> bool:
    """Whether a text says that something happened more than once: "did the cable snap *before*?"."""
    return _pattern("once_more", "words").search(text) is not None


def tells_failing(question: str, told: str) -> bool | None:
    """Whether a text tells of the failing that a question asks for: "did it fail?", "it *failed to* ignite".

    Returns:
        False where it denies it ("it did not fail to"); none where the question asks for none, or the text has none.
    """
    failing = _pattern("failing", "words").search(told)
    if failing is None or lemma_of(failing["verb"].lower(), "VERB") not in {
        lemma_of(word, "VERB") for word in _words(question)
    }:
        return None
    return _pattern("failing", "turned").search(told[: failing.start()]) is None


def supposes(told: str) -> bool:
    """Whether a text supposes something: "if the levee had broken"."""
    return _pattern("supposes", "words").search(told) is not None


def opens_no_cause(before: str) -> bool:
    """Whether what follows these words is what something happened in spite of, or is only supposed: "despite the"."""
    return _pattern("no_cause", "words").search(before) is not None


def tells_opposite(question: str, told: str) -> bool:
    """Whether a text has the opposite of a word of the question, and not that word: "on", where "off" is asked."""
    asked, words = _words(question), _words(told)
    pairs = [(one, other) for pair in _table()["opposites"]["pairs"] for one, other in (pair, pair[::-1])]
    return any(one in asked and other not in asked and other in words and one not in words for one, other in pairs)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("language").joinpath("facts.toml").read_text(encoding="utf-8"))


@cache
def _pattern(table: str, entry: str) -> re.Pattern[str]:
    return re.compile(_table()[table][entry], re.IGNORECASE)
