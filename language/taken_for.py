"""What a sentence names as what somebody blames, or takes something for: "blamed a bird strike", "took fog for smoke".

That it was there is theirs to say. The words are data (`taken_for.toml`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from language.clauses import Clauses
from language.lemmas import is_past_or_participle, lemma_of
from language.word_classes import WordClass

W = WordClass
_NAMING: Final = frozenset({W.NOUN, W.ADJECTIVE, W.NUMBER})
_REACH: Final = 12
"""Tokens behind a verb within which the preposition stands that parts what it is about from what it is taken for."""
_NEAR: Final = 4


def taken_for(clauses: Clauses) -> Iterator[int]:
    """The tokens of what is only blamed, thought of, or taken for so."""
    for place, token in enumerate(clauses.tokens):
        if clauses.classes[place] not in (W.FINITE, W.PARTICIPLE, W.INFINITIVE, W.GERUND):
            continue
        if token.lemma in _words("blaming"):
            yield from _blamed(clauses, place)
        if token.lemma in _words("mistaking"):
            yield from _behind(clauses, place, _words("for_what"))
        if token.lemma in _words("treating") and _is_at_first(clauses, place):
            yield from _behind(clauses, place, frozenset({"as"}))
        if token.lemma in _words("speaking") and clauses.words[place + 1 : place + 2] == ["of"]:
            yield from _phrase(clauses, place + 2)
        if token.lemma in _words("holding") and clauses.is_be(_before(clauses, place)):
            yield from range(*clauses.subject(_group(clauses, place)))
        if token.lemma in _words("holding") and not clauses.is_be(_before(clauses, place)):
            yield from _complement(clauses, place + 1)
    yield from _explanation(clauses)


def asks_for_it(question: str) -> bool:
    """Whether a question asks for just that: "who *blamed* a bird strike?"."""
    verbs = ("blaming", "mistaking", "treating", "speaking", "holding")
    return any(lemma_of(word, "VERB") in _words(name) for word in question.casefold().split() for name in verbs)


def _blamed(clauses: Clauses, verb: int) -> Iterator[int]:
    if clauses.is_be(_before(clauses, verb)):
        yield from _behind(clauses, verb, frozenset({"on"}))
        return
    ends = [at for at in range(verb + 1, _end(clauses, verb)) if clauses.words[at] in ("for", "on")]
    if ends and clauses.words[ends[0]] == "on":
        yield from _phrase(clauses, ends[0] + 1)
    else:
        yield from range(verb + 1, ends[0] if ends else _end(clauses, verb))


def _behind(clauses: Clauses, verb: int, prepositions: frozenset[str]) -> Iterator[int]:
    at = next((at for at in range(verb + 1, _end(clauses, verb)) if clauses.words[at] in prepositions), None)
    if at is not None:
        yield from _phrase(clauses, at + 1)


def _complement(clauses: Clauses, start: int) -> Iterator[int]:
    """A clause without "that" behind a verb of holding: "police believe *speed was a factor*"."""
    start += clauses.words[start : start + 1] == ["that"]
    near = clauses.tokens[start + 1 : start + _REACH // 2]
    told = any(is_past_or_participle(token.lower) for token in near)
    if start < len(clauses.words) and (told or clauses.subject_of_verb(start, len(clauses.words))):
        end = _clause_end(clauses, start)
        definite = False
        for place in range(start, end):
            # What has "the" was there: "speed was a factor in *the crash*".
            definite = clauses.words[place] == "the" or (definite and clauses.classes[place] in _NAMING)
            if not definite:
                yield place


def _explanation(clauses: Clauses) -> Iterator[int]:
    """What is told to be the likeliest explanation."""
    for place, word in enumerate(clauses.words):
        if clauses.is_be(place) and not _words("likely").isdisjoint(clauses.words[place + 1 : place + 1 + _NEAR]):
            behind = clauses.words[place + 1 : place + 2 + _NEAR]
            if not _words("explanations").isdisjoint(behind) and word in ("is", "was"):
                yield from range(*clauses.subject(place))


def _is_at_first(clauses: Clauses, place: int) -> bool:
    return not _words("at_first").isdisjoint(clauses.words[max(place - _NEAR, 0) : place + 1])


def _before(clauses: Clauses, place: int) -> int:
    """The word before a verb, adverbs and "at first" left out."""
    at = place - 1
    while at > 0 and (clauses.classes[at] is W.ADVERB or clauses.words[at] in ("first", "at", "been")):
        at -= 1
    return max(at, 0)


def _group(clauses: Clauses, place: int) -> int:
    """Where the group of a passive verb starts."""
    at = _before(clauses, place)
    while at > 0 and clauses.classes[at - 1] in (W.AUXILIARY, W.MODAL, W.ADVERB):
        at -= 1
    return at


def _phrase(clauses: Clauses, start: int) -> Iterator[int]:
    yield from range(start, _clause_end(clauses, start))


def _end(clauses: Clauses, verb: int) -> int:
    return min(_clause_end(clauses, verb + 1), verb + _REACH)


def _clause_end(clauses: Clauses, start: int) -> int:
    for at in range(start, len(clauses.words)):
        if clauses.is_hard(at) or clauses.words[at] in ("but", ",") or clauses.classes[at] is W.RELATIVE:
            return at
        if clauses.words[at] == "and" and clauses.subject_of_verb(at + 1, len(clauses.words)):
            return at
    return len(clauses.words)


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_table()[name])


@cache
def _table() -> dict[str, list[str]]:
    return tomllib.loads(files("language").joinpath("taken_for.toml").read_text(encoding="utf-8"))
