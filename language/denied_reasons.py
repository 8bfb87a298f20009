"""A denial of the reason and not of what happened: "it did not derail because of the speed; it derailed because".

"Not ... because" can be read both ways. Where the same thing is then told to have happened, with a reason, it is the
first reason that is denied.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple

from language.clause_words import Span
from language.clauses import Clauses
from language.content_words import content_keys, key_of
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
    told = _keys(clauses, effect)
    span = _told_after_all(clauses, match.end, verb)
    if span is not None and _is_same(_keys(clauses, span), told, verb):
        return Restated(span, follows=False)
    span = None if following is None else _told_after_all(following, 0, verb)
    if following is None or span is None or not _is_same(_keys(following, span), told, verb):
        return None
    return Restated(span, follows=True)


def denies_happening_or_reason(clauses: Clauses) -> bool:
    """Whether a sentence denies what happened, or only a reason of it: "it did not burst because of frost"."""
    reasons = [match for match in cue_table().find(clauses.tokens) if _gives_reason(match)]
    return any(_denied_verb(clauses, (0, match.first)) is not None for match in reasons)


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
        reasoned = any(place < reason <= place + _FARTHEST for reason in reasons)
        if happened and (reasoned or clauses.words[place + 1 : place + 2] == ["from"]):
            return subject[0], place + 1
    return _brought_about(clauses, start, verb)


def _keys(clauses: Clauses, span: Span) -> frozenset[str]:
    return content_keys(" ".join(clauses.words[slice(*span)]))


def _is_same(told: frozenset[str], denied: frozenset[str], verb: str) -> bool:
    """Whether two clauses with one verb tell of one thing: "it burst" and "the tank burst", not "the boiler burst"."""
    of, other = told - {key_of(verb)}, denied - {key_of(verb)}
    return of <= other or other <= of


def _brought_about(clauses: Clauses, start: int, verb: str) -> Span | None:
    """What is told behind a place to have been brought about: "rust *made the tank burst*", "caused the burst"."""
    told = of_clause(clauses, (start, len(clauses.words)))
    if (told.polarity, told.modality) != ("affirmed", "actual"):
        return None
    spans = [
        clauses.complement(match.end)
        if match.cue.right == "effect"
        else clauses.subject(clauses.verb_group(match.first, frozenset()))
        for match in cue_table().find(clauses.tokens)
        if match.first >= start and match.cue.relation == "CAUSES" and match.cue.construction == "predicate"
    ]
    spans += [
        clauses.complement(place + 1)
        for place in range(start, len(clauses.words))
        if clauses.classes[place] is W.FINITE and clauses.tokens[place].lemma in _making()
    ]
    for first, end in spans:
        named = [place for place in range(first, end) if key_of(clauses.words[place]) == key_of(verb)]
        if named and first < named[0]:
            return first, end
    return None


@cache
def _making() -> frozenset[str]:
    table = tomllib.loads(files("language").joinpath("denied_reasons.toml").read_text(encoding="utf-8"))
    return frozenset(table["making"])
