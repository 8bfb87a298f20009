"""Names that are shortened to their first letters: the Federal Aviation Authority and the FAA."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from language.name_runs import name_spans

_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORTEST: Final = 2


def is_shortened(names: Iterable[str], text: str) -> bool:
    """Whether one of some words, in lower case, is made of the first letters of a name in a text, or of a part."""
    return not initials_in(text).isdisjoint(names)


@lru_cache(maxsize=16_384)
def initials_in(text: str) -> frozenset[str]:
    """The first letters of the words with a capital of each name, and of every row of them within, in lower case."""
    found: set[str] = set()
    for start, end in name_spans(text):
        letters = "".join(word[0] for word in _WORD.findall(text[start:end]) if word[0].isupper()).casefold()
        found.update(letters[at:to] for at in range(len(letters)) for to in range(at + _SHORTEST, len(letters) + 1))
    return frozenset(found)
