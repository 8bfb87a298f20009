"""Causes that a sentence names only to say that they were none: "by *neither ice nor speed*", "by *no fault*".

The verb is affirmed, and what stands behind it is denied.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from language.clause_words import Span
from language.clauses import Clauses
from language.cues import CueMatch
from language.word_classes import WordClass

W = WordClass
_NAMING: Final = frozenset({"predicate", "phrase", "participle"})
_PHRASE: Final = frozenset(
    {W.NOUN, W.DETERMINER, W.ADJECTIVE, W.NUMBER, W.PREPOSITION, W.CONJUNCTION, W.GERUND, W.PARTICIPLE, W.PRONOUN}
    | {W.TO, W.INFINITIVE}
)
_NAMES: Final = frozenset({W.NOUN, W.GERUND, W.NUMBER, W.PRONOUN, W.INFINITIVE})
"""Behind "due to" a noun that can be a verb looks like an infinitive: "due to *ice*"."""


def none_of_them(clauses: Clauses, match: CueMatch) -> tuple[Span, ...]:
    """The phrases right behind a cue that are told to be no cause, each by itself; none where they are causes.

    "Because of no rain" tells of an absence, which may well be a cause: "no" denies only what did it, behind "by".
    """
    words, start = clauses.words, match.end
    if match.cue.right != "cause" or match.cue.construction not in _NAMING or start + 1 >= len(words):
        return ()
    opened, following = words[start], words[start + 1]
    if "neither" in words[match.first : start] and "nor" in words[start:]:
        return tuple(_parts(clauses, start))
    if opened == "no":
        if words[start - 1] != "by" or following in _affirming():
            return ()
        return tuple(_parts(clauses, start + 1))
    if opened == "none" and following == "of":
        return tuple(_parts(clauses, start + 2))
    if opened == "neither":
        return tuple(_parts(clauses, start + 1 + (following == "of")))
    return ()


def _parts(clauses: Clauses, start: int) -> list[Span]:
    """The phrases from a place on that "nor" and "or" part."""
    parts, first, place = [], start, start
    while place <= len(clauses.words):
        ends = place == len(clauses.words) or clauses.words[place] == "but" or clauses.classes[place] not in _PHRASE
        nor = not ends and clauses.words[place] in ("nor", "or")
        if ends or nor:
            opened = first + (first < place and clauses.classes[first] in (W.PREPOSITION, W.TO))
            if any(each in _NAMES for each in clauses.classes[opened:place]):
                parts.append((opened, place))
            first = place + 1
        if ends:
            break
        place += 1
    return parts


@cache
def _affirming() -> frozenset[str]:
    table = tomllib.loads(files("language").joinpath("none_of_them.toml").read_text(encoding="utf-8"))
    return frozenset(table["affirming"])
