"""Whether a sentence can hold what a question for a fact asks for, by its words alone."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


def can_answer(question: str, told: str) -> bool:
    """Whether a text tells a number or a time, where the question asks for one; all texts can answer the others."""
    return _pattern("asks", "number").match(question.strip()) is None or bool(_pattern("tells", "number").search(told))


def points_back(sentence: str) -> bool:
    """Whether a sentence opens with a word for something that was named before it."""
    return _pattern("points_back", "opening").match(sentence) is not None


@cache
def _pattern(table: str, entry: str) -> re.Pattern[str]:
    read = tomllib.loads(files("language").joinpath("facts.toml").read_text(encoding="utf-8"))
    return re.compile(read[table][entry], re.IGNORECASE)
