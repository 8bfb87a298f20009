"""Whether "as" opens a reason: with what had come about before ("as its account had lost permission"), not while."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from language.lemmas import is_past_or_participle, lemma_of

TAKES_AS: Final = frozenset(
    {"appoint", "brand", "cite", "class", "classify", "consider", "define", "describe", "detect", "elect", "establish"}
    | {"give", "identify", "know", "label", "list", "mark", "mention", "name", "pose", "quote", "rate", "recognise"}
    | {"recognize", "regard", "report", "see", "show", "take", "treat", "understand", "use", "view"}
)
"""Verbs that say of somebody what they are: "the man *named as* the thief had fled"."""
_MANNER: Final = frozenset(
    {"agree", "announce", "ask", "believe", "command", "decide", "do", "expect", "fear", "foresee", "forecast"}
    | {"hope", "imagine", "instruct", "intend", "order", "plan", "predict", "promise", "request", "say", "suggest"}
    | {"suppose", "suspect", "teach", "tell", "think", "train", "want", "warn", "wish"}
)
"""Verbs by which "as" tells how: "as he had promised", "as had been agreed"."""
_LIKENESS: Final = frozenset({"as", "so", "such", "same", "just", "much"})
"""Words shortly before "as" by which it likens: "as soon as", "the same road as"."""
_SHORTLY: Final = 3
_JOINS: Final = frozenset(
    {"as", "if", "though", "that", "who", "which", "and", "or", "but", "when", "while", "because"}
)
_PRONOUNS: Final = frozenset({"he", "she", "it", "they", "we", "i", "you"})
_BETWEEN: Final = frozenset({"been", "not", "n't", "already", "just", "never", "also", "long", "only"})
_AUXILIARIES: Final = frozenset({"is", "was", "were", "are", "did", "does", "do", "has", "have", "had", "could"})


def opens_finished(words: Sequence[str], first: int, end: int) -> bool:
    """Whether the clause behind "as" tells what had come about before what the main clause tells.

    Args:
        words: The sentence in lower case.
        first: The place of "as".
        end: Where its clause starts.
    """
    before = words[:first]
    if not _LIKENESS.isdisjoint(before[-_SHORTLY:]) or lemma_of("".join(before[-1:]), "VERB") in TAKES_AS:
        return False
    if not any(word in _AUXILIARIES or is_past_or_participle(word) for word in before):
        return False
    place = end
    while place < len(words) and words[place] != "had":
        word = words[place]
        if not word[0].isalnum() or word in _JOINS or (place > end and word in _PRONOUNS):
            return False
        place += 1
    if place == end:
        return False
    place += 1
    while place < len(words) and (words[place] in _BETWEEN or words[place].endswith("ly")):
        place += 1
    told = "".join(words[place : place + 1])
    return is_past_or_participle(told) and lemma_of(told, "VERB") not in _MANNER
