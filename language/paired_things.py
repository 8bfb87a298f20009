"""The words that tell things of one sort apart: the old and the new bridge, the east wing, the spare pump."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from language.content_words import content_keys, key_of
from language.lemmas import can_be_noun

_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PLACED: Final = re.compile(r"(?P<noun>[\w'’-]+) (?:in|of|on|from|at) the $", re.IGNORECASE)
_PARTITIVE: Final = re.compile(r" of (?:the|these|those|its|his|her|their)(?: (?:two|three|four|five|six|\d+))? ")
_ANOTHER_WORDS: Final = ("other", "another")
_ANOTHER: Final = re.compile(r"\b(?:an)?other\b", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b\d{4}\b")
_OTHERS: Final = re.compile(r"\bother\s+(?:[a-z]+\s+)?[a-z]+s\b", re.IGNORECASE)
_ORDINAL: Final = re.compile(r"\b(?:second|third|fourth|fifth)\b", re.IGNORECASE)
_FIRST: Final = re.compile(r"\bfirst\b", re.IGNORECASE)
_COUNTED: Final = re.compile(
    r"\b(?:second|third|fourth|further|next|different|else|more|both|two|all)\b", re.IGNORECASE
)
"""Words by which a thing may be another one, though nobody calls it that."""
_REACH: Final = 40
"""Characters behind a word within which the nouns stand that it describes."""


class _Nouns(NamedTuple):
    """The keys of the nouns behind a word, and of those right behind it."""

    all: set[str]
    nearest: set[str]


def tells_other_of_pair(asked: str, told: str) -> bool:
    """True when a text tells of the old bridge, and of nothing new, where a question asks about the new bridge.

    Meant for the telling of one happening: a whole sentence may tell by the old bridge alone why the new one was built.
    """
    wanted = _described(asked)
    if _tells_of_another(asked, told):
        return True
    if not wanted:
        return False
    others = _described(told)
    words = {match.group().casefold() for match in _WORD.finditer(told)}
    return any(
        _of_same(nouns, others[other])
        for word, nouns in wanted.items()
        if word not in words
        for other in _contrasting(word)
        # A question about both is answered by what is told of either.
        if other in others and other not in wanted
    )


def _tells_of_another(asked: str, told: str) -> bool:
    """Whether just one of the two is of another thing of a sort that both name: "*another patient* died"."""
    marked, told_marked = bool(_ANOTHER.search(asked)), bool(_ANOTHER.search(told))
    if not marked and not told_marked:
        # Who asks for the second plane does not ask for the plane.
        marked = _ORDINAL.search(asked) is not None and _FIRST.search(told) is None
    if marked is told_marked or (told_marked and _YEAR.search(told)):
        # Its year tells which it is: "another fire broke out in 1902".
        return False
    marking, plain = (asked, told) if marked else (told, asked)
    if _OTHERS.search(marking):
        # Which "other factors" are meant, nobody says.
        return False
    words = (*_ANOTHER_WORDS, *(match.group().lower() for match in _ORDINAL.finditer(asked)))
    nouns = {noun for word in words for noun in _described(marking).get(word, _Nouns(set(), set())).nearest}
    named = [key_of(match.group()) for match in _WORD.finditer(marking)]
    # Where the sort is named twice, one of them may be the other.
    return any(named.count(noun) == 1 and noun in content_keys(plain) for noun in nouns) and not _COUNTED.search(plain)


def described_later(asked: str, told: str, at: int, whole: str) -> str | None:
    """The words by which a question names another thing than what is told without them: "the new seal".

    "The seal broke" tells nothing of the new seal where the document speaks of a new seal only behind it, and may where
    a new seal is told of before.

    Args:
        asked: The question.
        told: What is told.
        at: Where that starts in its document.
        whole: The text of the document.

    Returns:
        The word and the noun; none where nothing tells two things apart.
    """
    words = {match.group().casefold() for match in _WORD.finditer(told)}
    named = {key_of(word) for word in words}
    for word, nouns in _described(asked).items():
        if word in words or named.isdisjoint(nouns.nearest):
            continue
        places = list(_places(word, nouns, whole))
        if places and min(places) > at:
            noun = next(one.group() for one in _WORD.finditer(asked) if key_of(one.group()) in nouns.nearest)
            return f"{word} {noun}"
    return None


def _places(word: str, nouns: _Nouns, text: str) -> Iterator[int]:
    """Where a text has a word of the table before one of the nouns."""
    for match in re.finditer(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text, re.IGNORECASE):
        described = _described(text[match.start() : match.end() + _REACH]).get(word)
        if described is not None and _of_same(nouns, described):
            yield match.start()


@lru_cache(maxsize=16_384)
def _described(text: str) -> dict[str, _Nouns]:
    """The nouns that stand behind the words of the table, by the word, in lower case."""
    words = list(_WORD.finditer(text))
    found: dict[str, _Nouns] = {}
    for place, match in enumerate(words):
        word = match.group().casefold()
        if not _contrasting(word) and word not in _others():
            continue
        nouns = _nouns_behind(text, words, place) or _noun_before(text, words, place)
        if nouns:
            known = found.setdefault(word, _Nouns(set(), set()))
            known.nearest.add(nouns[0])
            known.all.update(nouns[:1] if word in _colours() else nouns)
    return found


def _nouns_behind(text: str, words: list[re.Match[str]], place: int) -> list[str]:
    """The keys of the one or two words behind that can name a thing: "stone" and "bridge" of "the old stone bridge"."""
    nouns: list[str] = []
    partitive = _PARTITIVE.match(text, words[place].end())
    if partitive is not None:
        place = next((at - 1 for at in range(place, len(words)) if words[at].start() >= partitive.end()), place)
        return [key_of(word.group()) for word in words[place + 1 : place + 2] if can_be_noun(word.group().casefold())]
    for before, match in zip(words[place:], words[place + 1 : place + 3], strict=False):
        word = match.group()
        if (
            not text[before.end() : match.start()].isspace()
            or not content_keys(word)
            or not can_be_noun(word.casefold())
        ):
            break
        nouns.append(key_of(word))
    return nouns


def _noun_before(text: str, words: list[re.Match[str]], place: int) -> list[str]:
    """The key of the noun that is told by where it is: "farmers in the *north*"."""
    before = _PLACED.search(text, 0, words[place].start())
    return [key_of(before["noun"])] if before is not None and can_be_noun(before["noun"].casefold()) else []


def _of_same(asked: _Nouns, told: _Nouns) -> bool:
    """Whether both name one sort of thing; the second words of both may be verbs, which name none."""
    return bool(asked.nearest & told.all or asked.all & told.nearest)


@cache
def _contrasting(word: str) -> frozenset[str]:
    """The words by which a thing is called that is not called by this one."""
    lines = (frozenset(line) for line in (*_table()["placed"], *_table()["colours"]))
    return frozenset[str]().union(*(line for line in lines if word in line)) - {word}


@cache
def _colours() -> frozenset[str]:
    return frozenset(word for line in _table()["colours"] for word in line)


@cache
def _others() -> frozenset[str]:
    return frozenset(_table()["others"])


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("language").joinpath("paired_things.toml").read_text(encoding="utf-8"))
