"""A denial of the reason and not of what happened: "it did not derail because of the speed; it derailed because".

"Not ... because" can be read both ways. Where the same thing is then told to have happened, with a reason, it is the
first reason that is denied.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from language.clause_words import Span
from language.clauses import Clauses
from language.cues import CueMatch, cue_table
from language.factuality import of_clause
from language.word_classes import WordClass

W = WordClass
_NEGATORS: Final = frozenset({"not", "n't"})
_JOINS: Final = frozenset({"clause", "phrase"})
_FULL: Final = frozenset({W.FINITE, W.PARTICIPLE, W.INFINITIVE})
_FARTHEST: Final = 12
"""Most tokens from a verb to the reason behind it."""


class Restated(NamedTuple):
    """What happened after all, told behind the denied reason.

    Attributes:
        span: The tokens of that clause, from its subject to its verb.
        follows: Whether it stands in the sentence behind.
    """

    span: Span
    follows: bool


def restated(clauses: Clauses, match: CueMatch, effect: Span, following: Clauses | None) -> Restated | None:
    """Where the sentence, or the one behind, tells that the denied effect of a reason did happen, for another one.

    Args:
        clauses: The sentence.
        match: The cue of the reason.
        effect: The tokens of the effect, before the cue.
        following: The sentence behind, where one follows.
    """
    if not _gives_reason(match):
        return None
    verb = _denied_verb(clauses, effect)
    if verb is None:
        return None
    span = _told_after_all(clauses, match.end, verb)
    if span is not None:
        return Restated(span, follows=False)
    span = None if following is None else _told_after_all(following, 0, verb)
    return None if span is None else Restated(span, follows=True)


def contrasted_from(clauses: Clauses, match: CueMatch) -> int | None:
    """Where the first of two reasons starts in "it did not happen because of X but because of Y": it did happen.

    None for a cue of another sentence, or of neither reason.
    """
    reasons = [one for one in cue_table().find(clauses.tokens) if _gives_reason(one)]
    for one, other in pairwise(reasons):
        if match.first in (one.first, other.first) and clauses.words[other.first - 1] == "but":
            return one.first if _denied_verb(clauses, (0, one.first)) is not None else None
    return None


def without_negators(clauses: Clauses, span: Span) -> str:
    """The words of a clause, affirmed."""
    return " ".join(clauses.tokens[at].text for at in range(*span) if clauses.words[at] not in _NEGATORS)


def _gives_reason(match: CueMatch) -> bool:
    return match.cue.construction in _JOINS and match.cue.right == "cause" and match.cue.relation != "BEFORE"


def _denied_verb(clauses: Clauses, effect: Span) -> str | None:
    """The lemma of the verb that "not" denies."""
    denied = next((place for place in range(*effect) if clauses.words[place] in _NEGATORS), effect[1])
    verb = next((place for place in range(denied, effect[1]) if clauses.classes[place] in _FULL), None)
    return None if verb is None else clauses.tokens[verb].lemma


def _told_after_all(clauses: Clauses, start: int, verb: str) -> Span | None:
    """The clause behind a place whose verb it is, affirmed as a fact, where a reason follows it."""
    reasons = [match.first for match in cue_table().find(clauses.tokens) if _gives_reason(match)]
    for place in range(start, len(clauses.words)):
        if clauses.tokens[place].lemma != verb or clauses.classes[place] not in _FULL:
            continue
        group = clauses.verb_group(place, frozenset())
        subject = clauses.subject(group)
        told = of_clause(clauses, (subject[0], place + 1))
        happened = subject[0] < subject[1] and told.polarity == "affirmed" and told.modality == "actual"
        if happened and any(place < reason <= place + _FARTHEST for reason in reasons):
            return subject[0], place + 1
    return None
