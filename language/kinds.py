"""Kinds of happenings: one name for all words that tell of the same kind of thing."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from language.lemmas import lemma_of
from language.lexicon import readings

_SHORTEST_STEM: Final = 3
"""Letters that must be left of a noun before its ending, so that "wing" or "thing" are not made from verbs."""
_SHORTEST_UNKNOWN_STEM: Final = 5
"""The same for a noun the lexicon lacks: broken words of a damaged text ("ailure") are not made from verbs."""


class _Table(NamedTuple):
    kind_of_word: dict[str, str]
    event_nouns: frozenset[str]
    not_happenings: frozenset[str]
    from_verbs: dict[str, str]
    endings: tuple[tuple[str, tuple[str, ...]], ...]


@cache
def _table() -> _Table:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    kind_of_word: dict[str, str] = {}
    event_nouns: set[str] = set()
    for kind, words in data["kinds"].items():
        for word in (*words["verbs"], *words["nouns"]):
            if kind_of_word.setdefault(word, kind) != kind:
                raise ValueError(f"kinds.toml: {word} stands in {kind_of_word[word]} and in {kind}")
        event_nouns.update(words["nouns"])
    nouns = data["nouns"]
    endings = tuple((rule["noun"], tuple(rule["verb"])) for rule in data["endings"])
    return _Table(
        kind_of_word, frozenset(event_nouns), frozenset(nouns["not_happenings"]), nouns["from_verbs"], endings
    )


def kind_names() -> tuple[str, ...]:
    """The names of all kinds of the table, sorted. A word that no kind lists is a kind of its own besides these."""
    return tuple(sorted(set(_table().kind_of_word.values())))


@lru_cache(maxsize=65_536)
def kind_of(lemma: str) -> str:
    """The kind of happening that a word tells of.

    Args:
        lemma: Base form of a verb (with its particle behind a space: "break down") or of a noun, in lower case.

    Returns:
        The name of a kind of the table; for a noun made from a verb, the kind of that verb; else the lemma itself.
    """
    table = _table()
    if lemma in table.kind_of_word:
        return table.kind_of_word[lemma]
    verb = verb_behind(lemma)
    if verb is not None:
        return table.kind_of_word.get(verb, verb)
    first, _, particle = lemma.partition(" ")
    if particle:
        return lemma
    base = lemma_of(first, "VERB")
    return table.kind_of_word.get(base, lemma) if base != lemma else lemma


@lru_cache(maxsize=65_536)
def verb_behind(noun: str) -> str | None:
    """The verb that a noun of happening is made from: "detachment" is "detach"; none for other nouns."""
    table = _table()
    if noun in table.from_verbs:
        return table.from_verbs[noun]
    if noun in table.not_happenings or " " in noun:
        return None
    known = readings()
    if noun in known and "noun" not in known[noun] and not noun.endswith("ing"):
        return None
    shortest = _SHORTEST_STEM if noun in known else _SHORTEST_UNKNOWN_STEM
    for ending, replacements in table.endings:
        stem = noun.removesuffix(ending)
        if stem == noun or len(stem) < shortest:
            continue
        single = stem[:-1] if stem[-1] == stem[-2] else ""
        for verb in (*(stem + replacement for replacement in replacements), single):
            if verb and known.get(verb, {}).get("verb") == verb:
                return verb
    return None


@lru_cache(maxsize=65_536)
def is_event_noun(lemma: str) -> bool:
    """Whether a noun, by its lemma in lower case, names a happening: listed as one, or made from a verb."""
    return lemma in _table().event_nouns or verb_behind(lemma) is not None
