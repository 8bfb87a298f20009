"""What is denied to be the only cause, and not to be a cause: "not *only* by ice", "not *solely* due to ice".

The words are data (`sole_causes.toml`).
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from language.clauses import Clauses
from language.word_classes import WordClass

_FARTHEST: Final = 4
"""Tokens from "not" to the word that limits it: "not caused *solely* by ice"."""
_LONGEST: Final = 14
"""Tokens from "not" to "alone" behind the cause."""
_NAMES: Final = (WordClass.NOUN, WordClass.GERUND, WordClass.NUMBER, WordClass.INFINITIVE)
"""Behind "due to" a noun that can be a verb looks like an infinitive: "due to *ice*"."""


def is_not_only(clauses: Clauses, place: int) -> bool:
    """Whether a word of denial tells of more, and denies nothing: "*not only* ice but speed"."""
    return clauses.words[place + 1 : place + 2] in (["only"], ["just"], ["merely"])


def is_not_alone(clauses: Clauses, place: int) -> bool:
    """Whether a word of denial denies no more than that something was the only cause: "*not* due to ice alone"."""
    table, words = _table(), clauses.words
    if words[place] not in ("not", "n't"):
        return False
    joined = False
    for at in range(place + 1, min(place + _LONGEST, len(words))):
        if clauses.is_hard(at) or words[at] in (",", "but"):
            return False
        following = words[at + 1] if at + 1 < len(words) else ""
        limits = words[at] in table["solely"] or (words[at] in table["only"] and at > place + 1)
        if limits and at <= place + _FARTHEST and (following in table["joins"] or following in table["caused"]):
            return True
        if words[at] == "alone" and joined and clauses.classes[at - 1] in _NAMES:
            return True
        joined = joined or words[at] in table["joins"]
    return False


@cache
def _table() -> dict[str, frozenset[str]]:
    table = tomllib.loads(files("language").joinpath("sole_causes.toml").read_text(encoding="utf-8"))
    return {name: frozenset(words) for name, words in table.items()}
