"""What a sentence names that did not come about: "put out *before it reached the store*", "the *merger* fell through".

The words are data (`forestalled.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from language.clause_words import VERBAL
from language.clauses import Clauses
from language.lemmas import lemma_of
from language.word_classes import WordClass

W = WordClass
_BACK: Final = 4
"""Tokens before a clause within which the verb stands that keeps it from coming about, or an adverb of it."""


def forestalled(clauses: Clauses) -> Iterator[int]:
    """The tokens of what was kept from coming about, came to nothing, or would come about on a condition alone."""
    for place, word in enumerate(clauses.words):
        if word == "before" and _keeps_off(clauses, place):
            yield from range(place + 1, _end(clauses, place + 1))
        if clauses.classes[place] in VERBAL | {W.PARTICIPLE} and _fails(clauses, place):
            yield from range(*clauses.subject(_group(clauses, place)))
    if clauses.words[:2] in (["only", "if"], ["only", "when"]):
        yield from range(len(clauses.words))


def asks_for_failing(question: str) -> bool:
    """Whether a question asks for just that: "did the merger *fall through*?"."""
    verbs = {phrase[0] for phrase in _phrases()} - {"never", "not"}
    return any(lemma_of(word, "VERB") in verbs for word in re.findall(r"[\w-]+", question.casefold()))


def _keeps_off(clauses: Clauses, before: int) -> bool:
    behind = range(before + 1, _end(clauses, before + 1))
    verb = next((at for at in behind if clauses.classes[at] in VERBAL), None)
    if verb is None:
        return False
    if clauses.words[verb] in _words("modals"):
        return True
    stopped = [at for at in range(before) if clauses.tokens[at].lemma in _words("stopping")]
    return bool(stopped) and not _words("negators") & frozenset(clauses.words[max(stopped[-1] - _BACK, 0) : before])


def _fails(clauses: Clauses, verb: int) -> bool:
    words = [clauses.tokens[verb].lemma, *clauses.words[verb + 1 : verb + 4]]
    return any(words[: len(phrase)] == phrase for phrase in _phrases())


def _group(clauses: Clauses, place: int) -> int:
    while place > 0 and clauses.classes[place - 1] in (W.AUXILIARY, W.MODAL, W.ADVERB):
        place -= 1
    return place


def _end(clauses: Clauses, start: int) -> int:
    for at in range(start, len(clauses.words)):
        if clauses.is_hard(at) or clauses.words[at] in (",", "but"):
            return at
    return len(clauses.words)


@cache
def _phrases() -> tuple[list[str], ...]:
    return tuple(phrase.split() for phrase in _table()["came_to_nothing"])


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_table()[name])


@cache
def _table() -> dict[str, list[str]]:
    return tomllib.loads(files("language").joinpath("forestalled.toml").read_text(encoding="utf-8"))
