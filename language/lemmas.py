"""Lemmas and word classes of English words without a tagger: the lexicon first, regular endings for words it lacks."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from language.lexicon import readings, unchanged_pasts

_CATEGORIES: Final = {
    "NOUN": ("noun",),
    "PROPN": ("noun",),
    "VERB": ("verb", "aux", "modal"),
    "AUX": ("aux", "modal", "verb"),
    "ADJ": ("adj", "adv"),
    "ADV": ("adv", "adj"),
}
_LONGEST: Final = 40
"""Longest string, in characters, that can be an English word; longer ones are codes and addresses, their own lemma."""


class _Open(NamedTuple):
    own_base: frozenset[str]
    fixed: dict[str, str]
    prefixes: tuple[str, ...]


@cache
def _open() -> _Open:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    prefixes = tuple(sorted(table["prefixes"]["inflect_alike"], key=lambda prefix: (-len(prefix), prefix)))
    return _Open(frozenset(table["own_base"]), dict(table["fixed"]), prefixes)


@lru_cache(maxsize=65_536)
def lemma_of(word: str, pos: str = "") -> str:
    """The base form of a word, in lower case.

    Args:
        word: One token, in any case.
        pos: Its universal part of speech; empty when nobody knows. Then a form that can be an inflected verb is read as
            one ("rose" is rise, "failed" is fail), but a noun in -ing stays a noun ("building", "warning").

    Raises:
        ModelMissing: the table of word forms is not installed.
    """
    lower = word.lower().replace("’", "'")
    table = _open()
    if lower in table.fixed:
        return table.fixed[lower]
    if len(lower) > _LONGEST or not any(letter.isalpha() for letter in lower):
        return lower
    found = _readings_of(lower)
    if not found:
        return lower
    for category in _CATEGORIES.get(pos, ()):
        if category in found:
            return found[category]
    if pos and pos not in _CATEGORIES:
        return lower
    return _untagged(lower, found)


def _untagged(lower: str, found: dict[str, str]) -> str:
    for auxiliary in ("aux", "modal"):
        if auxiliary in found:
            return found[auxiliary]
    noun, verb = found.get("noun"), found.get("verb")
    if verb is not None and verb != lower:
        stays_noun = noun == lower and (lower.endswith("ing") or lower in _open().own_base)
        return lower if stays_noun else verb
    if noun is not None:
        return noun
    if verb is not None:
        return verb
    return lower if lower in found.values() else next(iter(found.values()))


@lru_cache(maxsize=65_536)
def _readings_of(lower: str) -> dict[str, str]:
    """Base form by category: from the lexicon, else behind a prefix, else by regular endings; empty when none fits."""
    known = readings()
    if lower in known:
        return known[lower]
    for prefix in _open().prefixes:
        rest = lower.removeprefix(prefix)
        stem = rest.removeprefix("-")
        if rest != lower and len(stem) >= 4 and stem in known:
            joint = lower[: len(lower) - len(stem)]
            return {
                category: joint + base for category, base in known[stem].items() if category in ("noun", "verb", "adj")
            }
    first, hyphen, last = lower.rpartition("-")
    if hyphen and first and last in known:
        return {
            category: f"{first}-{base}" for category, base in known[last].items() if category in ("noun", "verb", "adj")
        }
    return _by_ending(lower)


def _by_ending(lower: str) -> dict[str, str]:
    known = readings()
    for ending in ("ing", "ed"):
        if lower.endswith(ending) and len(lower) > len(ending) + 2:
            stem = lower.removesuffix(ending)
            for base in (stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else ""):
                if base and ("verb" in known.get(base, {}) or "noun" in known.get(base, {})):
                    return {"verb": base}
    if lower.endswith("ies") and len(lower) > 4:
        return {"noun": lower[:-3] + "y"}
    if lower.endswith(("sses", "shes", "ches", "xes", "zes")):
        return {"noun": lower[:-2]}
    if lower.endswith("s") and len(lower) > 3 and not lower.endswith(("ss", "us", "is", "'s")):
        return {"noun": lower[:-1]}
    return {}


@lru_cache(maxsize=65_536)
def can_be_verb(word: str) -> bool:
    """Whether some form of a full verb is written like this word."""
    return "verb" in _readings_of(word.lower())


@lru_cache(maxsize=65_536)
def can_be_noun(word: str) -> bool:
    """Whether some form of a noun is written like this word."""
    return "noun" in _readings_of(word.lower())


@lru_cache(maxsize=65_536)
def can_be_adjective(word: str) -> bool:
    """Whether some form of an adjective is written like this word."""
    return "adj" in _readings_of(word.lower())


@lru_cache(maxsize=65_536)
def is_past_or_participle(word: str) -> bool:
    """Whether the word can be a past tense or a past participle: failed, rose, broken, cut."""
    lower = word.lower()
    base = _readings_of(lower).get("verb")
    if base is None:
        return False
    if base == lower:
        return lower in unchanged_pasts()
    return not lower.endswith("ing") and not _is_third_person(lower, base)


@lru_cache(maxsize=65_536)
def is_third_person(word: str) -> bool:
    """Whether the word can be a verb in the third person singular of the present: fails, goes, carries."""
    lower = word.lower()
    base = _readings_of(lower).get("verb")
    return base is not None and base != lower and _is_third_person(lower, base)


def _is_third_person(lower: str, base: str) -> bool:
    return lower in (base + "s", base + "es", base[:-1] + "ies", base + base[-1:] + "es") or lower in (
        "is",
        "has",
        "'s",
    )


@lru_cache(maxsize=65_536)
def is_gerund(word: str) -> bool:
    """Whether the word can be the -ing form of a verb: failing, flooding; not "ceiling", not "bring"."""
    lower = word.lower()
    base = _readings_of(lower).get("verb")
    return base is not None and base != lower and lower.endswith("ing")


@lru_cache(maxsize=4_096)
def gerund_of(verb: str) -> str:
    """The -ing form of a verb, given by its base form: closing, running, lying."""
    forms = [verb + "ing", verb + verb[-1:] + "ing", verb.removesuffix("e") + "ing", verb.removesuffix("ie") + "ying"]
    known = [form for form in forms if readings().get(form, {}).get("verb") == verb]
    return (known or forms)[0]
