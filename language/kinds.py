"""Kinds of happenings: one name for all words that tell of the same kind of thing."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from causetrail.errors import SettingInvalid
from language.lemmas import lemma_of
from language.lexicon import readings

_KEPT: Final = 65_536
"""Words whose kind is remembered."""
_SHORTEST_STEM: Final = 3
"""Letters that must be left of a noun before its ending, so that "wing" or "thing" are not made from verbs."""
_SHORTEST_UNKNOWN_STEM: Final = 5
"""The same for a noun the lexicon lacks: broken words of a damaged text ("ailure") are not made from verbs."""


class KindTable:
    """Which words tell of which kind; made from the parsed TOML of `kinds.toml`, and of a domain beside it."""

    def __init__(self, data: Mapping[str, Any], domain: Mapping[str, Any] | None = None) -> None:
        """Takes the packaged table, and kinds of a domain that come before it where they list the same word.

        Raises:
            SettingInvalid: a word stands in two kinds, or a kind has other fields than `verbs` and `nouns`.
        """
        self._kind_of_word: dict[str, str] = {}
        event_nouns: set[str] = set()
        listed_verbs: set[str] = set()
        for kinds in (domain or {}, data["kinds"]):
            listed: dict[str, str] = {}
            for kind, words in kinds.items():
                verbs, nouns = _words_of(kind, words)
                for word in (*verbs, *nouns):
                    if listed.setdefault(word, kind) != kind:
                        raise _wrong(kind, f"{word!r} stands in {listed[word]} too")
                event_nouns.update(nouns)
                listed_verbs.update(verbs)
            self._kind_of_word = {**listed, **self._kind_of_word}
        rules = data["nouns"]
        self.listed_verbs = frozenset(listed_verbs)
        self._event_nouns = frozenset(event_nouns)
        self._not_happenings = frozenset(rules["not_happenings"])
        self._from_verbs: dict[str, str] = rules["from_verbs"]
        self._endings = tuple((rule["noun"], tuple(rule["verb"])) for rule in data["endings"])
        self.kind_of = lru_cache(maxsize=_KEPT)(self._kind_of)
        self.verb_behind = lru_cache(maxsize=_KEPT)(self._verb_behind)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all kinds, sorted."""
        return tuple(sorted(set(self._kind_of_word.values())))

    def is_event_noun(self, lemma: str) -> bool:
        """Whether a noun names a happening."""
        return lemma in self._event_nouns or self.verb_behind(lemma) is not None

    def _kind_of(self, lemma: str) -> str:
        if lemma in self._kind_of_word:
            return self._kind_of_word[lemma]
        verb = self.verb_behind(lemma)
        if verb is not None:
            return self._kind_of_word.get(verb, verb)
        first, _, particle = lemma.partition(" ")
        if particle:
            return lemma
        base = lemma_of(first, "VERB")
        return self._kind_of_word.get(base, lemma) if base != lemma else lemma

    def _verb_behind(self, noun: str) -> str | None:
        if noun in self._from_verbs:
            return self._from_verbs[noun]
        if noun in self._not_happenings or " " in noun:
            return None
        known = readings()
        if noun in known and "noun" not in known[noun] and not noun.endswith("ing"):
            return None
        shortest = _SHORTEST_STEM if noun in known else _SHORTEST_UNKNOWN_STEM
        for ending, replacements in self._endings:
            stem = noun.removesuffix(ending)
            if stem == noun or len(stem) < shortest:
                continue
            single = stem[:-1] if stem[-1] == stem[-2] else ""
            for verb in (*(stem + replacement for replacement in replacements), single):
                if verb and known.get(verb, {}).get("verb") == verb:
                    return str(verb)
        return None


def _words_of(kind: str, words: object) -> tuple[Sequence[str], Sequence[str]]:
    if not isinstance(words, Mapping) or not set(words) <= {"verbs", "nouns"}:
        raise _wrong(kind, "a kind is written as { verbs = [...], nouns = [...] }")
    verbs, nouns = words.get("verbs", []), words.get("nouns", [])
    for one in (verbs, nouns):
        if not isinstance(one, list) or not all(isinstance(word, str) and word == word.lower() for word in one):
            raise _wrong(kind, "its verbs and nouns are lists of words in lower case")
    return verbs, nouns


def _wrong(kind: str, reason: str) -> SettingInvalid:
    return SettingInvalid(name="kinds", value=repr(kind), reason=reason)


@cache
def packaged_kinds() -> KindTable:
    """The table of `kinds.toml` alone."""
    return KindTable(packaged_kind_data())


def packaged_kind_data() -> dict[str, Any]:
    """`kinds.toml`, parsed."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


IN_USE: Final[ContextVar[KindTable | None]] = ContextVar("kind_table", default=None)
"""The table that is in use, when it is not the packaged one; `language.domain` sets it."""


def kind_table() -> KindTable:
    """The table in use."""
    return IN_USE.get() or packaged_kinds()


def kind_names() -> tuple[str, ...]:
    """The names of all kinds of the table, sorted. A word that no kind lists is a kind of its own besides these."""
    return kind_table().names


def kind_of(lemma: str) -> str:
    """The kind of happening that a word tells of.

    Args:
        lemma: Base form of a verb (with its particle behind a space: "break down") or of a noun, in lower case.

    Returns:
        The name of a kind of the table; for a noun made from a verb, the kind of that verb; else the lemma itself.
    """
    return kind_table().kind_of(lemma)


def verb_behind(noun: str) -> str | None:
    """The verb that a noun of happening is made from: "detachment" is "detach"; none for other nouns."""
    return kind_table().verb_behind(noun)


def is_event_noun(lemma: str) -> bool:
    """Whether a noun, by its lemma in lower case, names a happening: listed as one, or made from a verb."""
    return kind_table().is_event_noun(lemma)
