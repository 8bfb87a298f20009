"""Whether an answer says what is known to be right, word for word, as SQuAD compares (Rajpurkar et al. 2016)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Final

_ARTICLES: Final = frozenset({"a", "an", "the"})
_WORD: Final = re.compile(r"\w+(?:[.,']\w+)*")


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, without punctuation and articles."""
    found = _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    return tuple(word for word in found if word not in _ARTICLES)


def exact(told: str, right: str) -> bool:
    """Whether both are the same words."""
    return words_of(told) == words_of(right)


def word_f1(told: str, right: str) -> float:
    """The harmonic mean of precision and recall over words, 0 to 1."""
    one, other = Counter(words_of(told)), Counter(words_of(right))
    if not one or not other:
        return float(one == other)
    return 2 * sum((one & other).values()) / (sum(one.values()) + sum(other.values()))


def holds(told: str, right: str) -> bool:
    """Whether the words of `right` stand in `told`, side by side and in order; never where it has no words."""
    words, sought = words_of(told), words_of(right)
    if not sought:
        return False
    return any(words[start : start + len(sought)] == sought for start in range(len(words) - len(sought) + 1))
