"""Whether "as" opens a reason: with what had come about before ("as its account had lost permission"), not while."""

from __future__ import annotations

from typing import Final

from language.clause_words import VERBAL
from language.clauses import Clauses
from language.word_classes import WordClass

W = WordClass
_MANNER: Final = frozenset(
    {"agree", "announce", "ask", "be", "believe", "command", "decide", "do", "expect", "fear", "foresee", "forecast"}
    | {"hope", "imagine", "instruct", "intend", "order", "plan", "predict", "promise", "request", "say", "suggest"}
    | {"suppose", "suspect", "teach", "tell", "train", "think", "want", "warn", "wish"}
)
"""Verbs by which "as" tells how: "as he had promised", "as had been agreed"."""
_LIKENESS: Final = frozenset({"as", "so", "such", "same", "just", "much"})
"""Words shortly before "as" by which it likens: "as soon as", "the same road as"."""
_SHORTLY: Final = 3
_NO_SUBJECT: Final = frozenset({W.RELATIVE, W.CONJUNCTION, W.SUBORDINATOR})
_JOINS: Final = frozenset({",", "as", "if", "though", "that", "who"})


def opens_finished(clauses: Clauses, first: int, end: int) -> bool:
    """Whether the clause behind "as" tells what had come about before what the main clause tells.

    Args:
        clauses: The sentence.
        first: The place of "as".
        end: Where its clause starts.
    """
    if not _LIKENESS.isdisjoint(clauses.words[max(first - _SHORTLY, 0) : first]):
        return False
    if not any(one in VERBAL for one in clauses.classes[:first]):
        return False
    place = end
    while place < len(clauses.classes) and clauses.classes[place] not in VERBAL:
        inside = place > end and clauses.classes[place] is W.PRONOUN
        if clauses.is_hard(place) or inside or clauses.classes[place] in _NO_SUBJECT or clauses.words[place] in _JOINS:
            return False
        place += 1
    if place == end or clauses.words[place : place + 1] != ["had"]:
        return False
    place += 1
    while place < len(clauses.classes) and (clauses.classes[place] is W.ADVERB or clauses.words[place] == "been"):
        place += 1
    finished = place < len(clauses.classes) and clauses.classes[place] is W.PARTICIPLE
    return finished and clauses.tokens[place].lemma.lower() not in _MANNER
