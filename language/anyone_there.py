"""Whether a text tells of somebody in a place: a scaffold that fell onto a van tells of nobody in the van."""

from __future__ import annotations

import re
from typing import Final

from language.content_words import content_keys, key_of

_ASKED: Final = re.compile(
    r"\W*(?:was|were|is|are) (?:there )?(?:any|some)(?:one|body|thing) (?P<word>[a-z]+) (?P<place>.+?)\W*",
    re.IGNORECASE,
)
_ALIKE: Final = (
    {"in", "inside", "within", "aboard"},
    {"on", "upon", "aboard", "onboard"},
    {"under", "below", "beneath", "underneath"},
    {"near", "by", "beside"},
    {"at"},
)
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_REACH: Final = 5
"""Words behind a preposition within which the noun of its phrase stands."""


def tells_none_there(question: str, told: str) -> bool:
    """Whether a question asks for anybody or anything in a place, and a text names that place in another relation only.

    Args:
        question: The question.
        told: A sentence, or a part of one.
    """
    asked = _ASKED.fullmatch(question)
    alike = (
        frozenset[str]()
        if asked is None
        else frozenset().union(*(each for each in _ALIKE if asked["word"].lower() in each))
    )
    if asked is None or not alike:
        return False
    nouns = content_keys(asked["place"])
    words = [word.lower() for word in _WORD.findall(told)]
    return not any(
        word in alike and not nouns.isdisjoint(map(key_of, words[at + 1 : at + 1 + _REACH]))
        for at, word in enumerate(words)
    )
