"""Spans of arguments by a dependency tree: for sentences that a parser has read.

The construction of the cue is found by the same rules with or without a tree; the tree then sets the bounds. Labels of
Universal Dependencies and of spaCy's English pipelines are understood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from extraction.antecedents import Argument, Arguments
from language.clause_words import Span
from language.clauses import Clauses
from language.cues import CueMatch
from language.tokens import Token
from language.word_classes import WordClass

_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass", "nsubj:pass", "csubj", "csubjpass", "csubj:pass"})
_OBJECTS: Final = frozenset({"obj", "dobj", "pobj", "obl", "obl:agent", "xcomp", "ccomp", "nmod", "pcomp"})
_ADVERBIAL: Final = frozenset({"advcl", "ccomp", "acl", "pcomp"})


def by_syntax(match: CueMatch, here: Clauses, found: Arguments) -> Arguments:
    """The same arguments with the bounds that the tree gives them; unchanged where the tree has none to give."""
    if match.cue.construction == "predicate" and not match.cue.keeps:
        return _of_verb(match, here, found)
    if match.cue.construction == "clause" and not match.cue.keeps:
        return _of_subordinator(match, here, found)
    return found


def _of_verb(match: CueMatch, here: Clauses, found: Arguments) -> Arguments:
    tokens = here.tokens
    verb = next((place for place in range(match.first, match.end) if tokens[place].pos == "VERB"), -1)
    if verb < 0:
        return found
    governed = [place for place, token in enumerate(tokens) if token.head == verb and place != verb]
    subject = next((place for place in governed if tokens[place].dep in _SUBJECTS and place < match.first), -1)
    left = found.left
    if subject >= 0 and not left.before and _overlaps(_subtree(tokens, subject), left.span):
        left = _bounded(here, _subtree(tokens, subject), left)
    inside = set(range(match.first, match.end))
    objects = [
        place
        for place in range(match.end, len(tokens))
        if tokens[place].head in inside and tokens[place].dep in _OBJECTS
    ]
    right = found.right
    if objects and right.span[0] < right.span[1]:
        end = max(_subtree(tokens, place)[1] for place in objects)
        right = _bounded(here, (right.span[0], _before_relative(here, right.span[0], end)), right)
    return replace(found, left=left, right=right)


def _of_subordinator(match: CueMatch, here: Clauses, found: Arguments) -> Arguments:
    tokens = here.tokens
    verb = tokens[match.end - 1].head
    if not 0 <= verb < len(tokens) or tokens[verb].dep not in _ADVERBIAL or found.left.before:
        return found
    main = tokens[verb].head
    clause, sentence = _subtree(tokens, verb), _subtree(tokens, main)
    left = (sentence[0], clause[0]) if clause[0] > main else (clause[1], sentence[1])
    stop = min((place for place in here.stops if place > match.end), default=clause[1])
    right = _bounded(here, (match.end, min(clause[1], stop)), found.right)
    return replace(found, left=_bounded(here, left, found.left) if here.has_verb(*left) else found.left, right=right)


def _subtree(tokens: Sequence[Token], root: int) -> Span:
    """First and last token that hang from a token, itself included; a faulty tree with a cycle ends too."""
    below = {root}
    grown = True
    while grown:
        more = {place for place, token in enumerate(tokens) if token.head in below} - below
        grown = bool(more)
        below |= more
    return min(below), max(below) + 1


def _before_relative(here: Clauses, start: int, end: int) -> int:
    return next((place for place in range(start + 1, end) if here.classes[place] is WordClass.RELATIVE), end)


def _overlaps(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _bounded(here: Clauses, span: Span, otherwise: Argument) -> Argument:
    trimmed = here.trimmed(*span)
    return Argument(trimmed) if here.has_content(*trimmed) else otherwise
