"""Names of like spelling that are of different things: Tower Rowe and Tower Bowe, Isk and Usk, Berg and Bergh."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product, zip_longest
from typing import Final, NamedTuple

from language.content_words import content_words, key_of
from language.lemmas import can_be_noun
from language.lexicon import readings
from language.name_runs import opens_sentence

_WORD: Final = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_OWNING: Final = re.compile(r"['’]s?$")
_SHORTEST: Final = 3
"""Fewest letters of a name that is no acronym: of two letters, one that differs is half of the word."""
_CAPITALS: Final = 2
"""Fewest letters of an acronym."""


class _Name(NamedTuple):
    """A word of a name.

    Attributes:
        word: As it is compared: in lower case, without accents and a genitive ending.
        acronym: Whether it is written in capitals throughout.
        opens: Whether it may owe its capital to the start of a sentence.
        describes: Whether the word behind can be what it describes: "Cuban missiles".
    """

    word: str
    acronym: bool
    opens: bool
    describes: bool


def tells_alike_name(asked: str, told: str) -> bool:
    """True when a text has a name that differs in a letter from one that a question names, and not that itself.

    Plurals and genitives, accents, "Cuba" and "Cuban", and what is listed as one name in two spellings do not differ.
    A question without any capital may name what the lexicon does not have.
    """
    wanted = _names_asked(asked)
    if not wanted:
        return False
    others = _names(told)
    if not others:
        return False
    here, there = _words(asked), _words(told)
    return any(
        not _is_among(one.word, there) and not _is_among(other.word, here) and _differ(one, other)
        for one, other in product(wanted, others)
    )


@lru_cache(maxsize=4096)
def _names_asked(text: str) -> tuple[_Name, ...]:
    plain = text.lower() if text.isupper() else text
    if any(letter.isupper() for letter in plain.lstrip()[1:]):
        return _names(plain)
    found = (_folded(word) for word in content_words(plain).values())
    unknown = (word for word in found if word.isalpha() and len(word) >= _SHORTEST and not _is_known(word))
    return (*_names(plain), *(_Name(word, False, False, False) for word in unknown))


@lru_cache(maxsize=65_536)
def _names(text: str) -> tuple[_Name, ...]:
    return tuple(_read(text))


def _read(text: str) -> Iterator[_Name]:
    matches = list(_WORD.finditer(text))
    for match, behind in zip_longest(matches, matches[1:]):
        written = _OWNING.sub("", match.group())
        word = _folded(written)
        acronym = written.replace(".", "").isupper()
        if not written[0].isupper() or word in _table().no_names or not (acronym or content_words(written)):
            continue
        if len(word) < (_CAPITALS if acronym else _SHORTEST) or not word.isalnum():
            continue
        opens = opens_sentence(text, match.start())
        describes = (
            behind is not None
            and text[match.end() : behind.start()].isspace()
            and (behind.group()[0].isupper() or can_be_noun(behind.group()))
        )
        yield _Name(word, acronym, opens, describes)


@lru_cache(maxsize=65_536)
def _words(text: str) -> frozenset[str]:
    return frozenset(_folded(match.group()) for match in _WORD.finditer(text))


@lru_cache(maxsize=65_536)
def _folded(word: str) -> str:
    """A word in lower case, without full stops, a genitive ending and accents."""
    bare = _OWNING.sub("", word).casefold().replace(".", "").translate(_table().letters)
    return "".join(letter for letter in unicodedata.normalize("NFKD", bare) if not unicodedata.combining(letter))


def _is_among(word: str, words: frozenset[str]) -> bool:
    """Whether a word is among others, in the singular, in the plural or in another spelling."""
    return any(form in words for form in (word, f"{word}s", f"{word}es", word.removesuffix("s"))) or any(
        word in spelt and not spelt.isdisjoint(words) for spelt in _table().spellings
    )


def _differ(one: _Name, other: _Name) -> bool:
    """Whether two names are alike in their spelling, and no two forms or spellings of one."""
    if not _is_one_letter_off(one.word, other.word):
        return False
    if _is_known(one.word) and _is_known(other.word):
        # "Rain" is no other thing than "Drain": common words with a capital may be no names, and have other spellings.
        return not (one.opens or other.opens) and not _is_same_word(one.word, other.word)
    if one.acronym and other.acronym:
        return len(one.word) == len(other.word)
    shorter, longer = sorted((one, other), key=lambda name: len(name.word))
    if not longer.word.startswith(shorter.word):
        return True
    ending = longer.word[len(shorter.word) :]
    return ending != "s" and not (ending in _table().of_peoples and longer.describes)


def _is_same_word(one: str, other: str) -> bool:
    return key_of(one) == key_of(other) or _american(one) == _american(other)


def _american(word: str) -> str:
    for british, american in _table().american:
        word = re.sub(british, american, word)
    return word


def _is_known(word: str) -> bool:
    return word in readings()


@lru_cache(maxsize=65_536)
def _is_one_letter_off(one: str, other: str) -> bool:
    """Whether one letter more, less or other, or two that changed places, make one word of the other.

    "Mueller" is how "Müller" is written without the dots, and "Muller" too.
    """
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    shorter, longer = sorted((one, other), key=len)
    at = next((place for place, letter in enumerate(shorter) if letter != longer[place]), len(shorter))
    if len(shorter) < len(longer):
        spelt_out = longer[at] == "e" and longer[at - 1 : at] in {"a", "o", "u"} and at < len(shorter)
        return shorter[at:] == longer[at + 1 :] and not spelt_out
    swapped = shorter[at : at + 2] == longer[at : at + 2][::-1] and shorter[at + 2 :] == longer[at + 2 :]
    return swapped or shorter[at + 1 :] == longer[at + 1 :]


class _Table(NamedTuple):
    no_names: frozenset[str]
    letters: dict[int, str]
    of_peoples: frozenset[str]
    american: tuple[tuple[str, str], ...]
    spellings: tuple[frozenset[str], ...]


@cache
def _table() -> _Table:
    table = tomllib.loads(files("language").joinpath("alike_names.toml").read_text(encoding="utf-8"))
    return _Table(
        no_names=frozenset(table["no_names"]),
        letters={ord(letter): plain for letter, plain in table["letters"].items()},
        of_peoples=frozenset(table["of_peoples"]),
        american=tuple((british, american) for british, american in table["american"]),
        spellings=tuple(frozenset(spelt) for spelt in table["spellings"]),
    )
