"""What a sentence corrects: "caused *not by ice but by speed*", "closed *neither by snow nor by wind but* by rain".

The words in front of "but" are told as not so, and the sentence reads without them as it would have been written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from language.clause_words import VERBAL, Span
from language.clauses import Clauses
from language.tokens import Sentence
from language.word_classes import WordClass

W = WordClass
_LONGEST: Final = 16
"""Tokens within which "but" stands."""
_NO_CORRECTION: Final = frozenset(
    {"only", "just", "merely", "simply", "all", "every", "least", "because", "to", "that"}
)
"""Behind "not" they correct nothing: "*not only* ice but speed"."""
_PHRASE: Final = frozenset(
    {W.NOUN, W.DETERMINER, W.ADJECTIVE, W.NUMBER, W.PREPOSITION, W.CONJUNCTION, W.GERUND, W.PARTICIPLE}
)
_NAMES: Final = frozenset({W.NOUN, W.GERUND, W.NUMBER})


class Corrected(NamedTuple):
    """A sentence without what it corrects.

    Attributes:
        sentence: With the tokens that are left; its text and places are those of the document.
        excluded: The tokens of each phrase that is told as not so, of the whole sentence.
        gap: Place of the first token that was left out.
        left_out: The words that were.
    """

    sentence: Sentence
    excluded: tuple[Span, ...]
    gap: int = 0
    left_out: str = ""

    def left_of(self, text: str) -> str:
        """A text of the sentence without the words that were left out."""
        return " ".join(text.replace(self.left_out, " ").split()) if self.left_out else text


def corrected(sentence: Sentence) -> Corrected:
    """The sentence as it would read without "not X but"; the sentence itself where it corrects nothing."""
    lower = [token.lower for token in sentence.tokens]
    if "but" not in lower or {"not", "neither"}.isdisjoint(lower):
        return Corrected(sentence, ())
    return _corrected(sentence)


@lru_cache(maxsize=256)
def _corrected(sentence: Sentence) -> Corrected:
    clauses = Clauses(sentence)
    for place, word in enumerate(clauses.words):
        but = _but(clauses, place) if word in ("not", "neither") else None
        if but is None:
            continue
        tokens = (*sentence.tokens[:place], *sentence.tokens[but + 1 :])
        first, last = (sentence.tokens[at] for at in (place, but))
        left_out = sentence.text[first.start - sentence.start : last.end - sentence.start]
        excluded = tuple(_excluded(clauses, place + 1, but))
        return Corrected(replace(sentence, tokens=tokens), excluded, place, left_out)
    return Corrected(sentence, ())


def _but(clauses: Clauses, place: int) -> int | None:
    """Where "but" stands that goes with "not" or "neither"; none where what stands between is no phrase."""
    words, classes = clauses.words, clauses.classes
    but = next((at for at in range(place + 1, min(place + _LONGEST, len(words))) if words[at] == "but"), None)
    if but is None or but + 1 >= len(words) or words[place + 1] in _NO_CORRECTION:
        return None
    between = [at for at in range(place + 1, but) if words[at] not in (",", "nor", "neither")]
    if any(classes[at] not in _PHRASE for at in between) or not any(classes[at] in _NAMES for at in between):
        return None
    if (words[place] == "neither") is not ("nor" in words[place:but]):
        return None
    leads = classes[place + 1] is W.PREPOSITION
    if leads:
        return but if words[but + 1] == words[place + 1] else None
    if classes[but + 1] not in _PHRASE or classes[but + 1] is W.PREPOSITION:
        return None
    # "it was not ice, but the driver was drunk" goes on with a clause of its own.
    verb = next((at for at in range(but + 1, len(words)) if classes[at] in VERBAL or classes[at] is W.RELATIVE), None)
    own = clauses.has_verb(0, place) and verb is not None and classes[verb] in VERBAL
    return None if own else but


def _excluded(clauses: Clauses, start: int, end: int) -> Iterator[Span]:
    """The phrases between, each without its preposition."""
    first = start
    for at in range(start, end + 1):
        if at < end and clauses.words[at] not in ("nor", ","):
            continue
        opened = first + (first < at and clauses.classes[first] is W.PREPOSITION)
        if opened < at:
            yield opened, at
        first = at + 1
