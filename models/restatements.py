"""Whether a statement says anything that the texts beside it do not say already, by their words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

SAME_SHARE: Final = 0.9
"""Share of its words by which one text is taken to repeat another; a few may be added or left out."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ENDING: Final = re.compile(r"(?<=\w{3})(?:ies|ing|ied|es|ed|s|e|y)$")
"""What verbs and nouns end in beside a stem of three letters or more."""
_ARTICLES: Final = frozenset({"a", "an", "the"})


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared: small letters, without endings and articles."""
    words = (match.group().casefold() for match in _WORD.finditer(text))
    return [_ENDING.sub("", word) for word in words if word not in _ARTICLES]


def common_words(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest sequence of words that both have in this order, others between them or not."""
    lengths = [0] * (len(second) + 1)
    for word in first:
        before = 0
        for place, other in enumerate(second, 1):
            kept = lengths[place]
            lengths[place] = before + 1 if word == other else max(kept, lengths[place - 1])
            before = kept
    return lengths[-1]


def restates(statement: str, given: Sequence[str]) -> bool:
    """Whether a statement repeats one of the texts.

    It does where nearly all its words stand in one of them, or where nearly all words of one of them stand in it in
    their order (`Because A, B` repeats both). A statement that links words of several texts is no restatement.
    """
    words = words_of(statement)
    return any(_repeats(words, words_of(text)) for text in given)


def _repeats(words: Sequence[str], text: Sequence[str]) -> bool:
    if not words or not text:
        return False
    inside = (Counter(words) & Counter(text)).total()
    return inside >= SAME_SHARE * len(words) or common_words(words, text) >= SAME_SHARE * len(text)
