"""Names that share a word and are of different things: Mill Street and Mill Lane, Anna Meyer and Hanna Meyer."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile
from typing import Final, NamedTuple

from language.lexicon import readings
from language.name_runs import name_key, name_spans

_ARTICLE: Final = re.compile(r"\b(?:the|an?)\s+$", re.IGNORECASE)
_TITLE: Final = 2
"""Most letters of an initial or a title ("Dr", "Mr"), which tells no two persons apart."""


class _Name(NamedTuple):
    """The words of a name, in lower case, and whether an article stands before it."""

    words: tuple[str, ...]
    with_article: bool


def tells_of_namesake(asked: str, told: str, sorts: frozenset[str]) -> bool:
    """True when a text names a thing that differs in one word from what a question names, and not that itself.

    Two persons differ in the word before those that they share, which is no word of the lexicon ("Captain Meyer" may
    be Anna Meyer); two places in the last word, which tells the sort.

    Args:
        asked: The question.
        told: The text.
        sorts: Words that tell what sort of thing a name is of, such as "street".
    """
    wanted = [one for one in _names(asked) if len(one.words) > 1]
    if not wanted:
        return False
    others, words = _names(told), set(name_key(told).split())
    return any(
        not words.issuperset(one.words) and any(_differs(one, other, sorts) for other in others) for one in wanted
    )


@lru_cache(maxsize=16_384)
def _names(text: str) -> list[_Name]:
    return [
        _Name(tuple(name_key(text[start:end]).split()), _ARTICLE.search(text, 0, start) is not None)
        for start, end in name_spans(text)
    ]


def _differs(one: _Name, other: _Name, sorts: frozenset[str]) -> bool:
    if one.words[:-1] == other.words[:-1] and {one.words[-1], other.words[-1]} <= sorts:
        return one.words != other.words
    backwards = zip(reversed(one.words), reversed(other.words), strict=False)
    shared = len(list(takewhile(lambda pair: pair[0] == pair[1], backwards)))
    if not 0 < shared < min(len(one.words), len(other.words)):
        return False
    # "the Alberta Wildfire" may be the Fort McMurray Wildfire.
    if one.words[-1] in readings() and (one.with_article or other.with_article):
        return False
    return all(_tells_apart(name.words[-1 - shared]) for name in (one, other))


def _tells_apart(word: str) -> bool:
    return len(word) > _TITLE and word.isalpha() and word not in readings()
