"""The words that say what a text is about, as keys that can be compared between a question and a document."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files

from language.kinds import KindTable, kind_table
from language.lemmas import can_be_verb, lemma_of

_ACTION_ENDINGS = (
    ("ation", ("ate", "e", "")),
    ("ition", ("ite", "e", "")),
    ("sion", ("d", "de", "s", "se")),
    ("ion", ("e", "")),
    ("ure", ("e", "")),
    ("ment", ("", "e")),
)
"""Endings of nouns of action, and what the verb has in their place, the more frequent first."""
_SHORTEST_STEM = 4
_PARTICLES = frozenset({"away", "back"})
"""Second words of verbs without which the first one tells the same kind of thing: "washed away"."""
_WORD = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*")


@cache
def _form_words() -> tuple[frozenset[str], frozenset[str]]:
    table = tomllib.loads(files("language").joinpath("content_words.toml").read_text(encoding="utf-8"))
    return frozenset(table["function_words"].split()), frozenset(table["asking_words"].split())


def key_of(word: str) -> str:
    """The key under which a word is compared: the kind of happening it names, or else its lemma.

    So `failed`, `failure` and `breakdown` have one key, `pumps` has that of `pump`, and `seizure` that of `seize`.
    """
    return _key_of(word, kind_table())


@lru_cache(maxsize=65_536)
def _key_of(word: str, kinds: KindTable) -> str:
    lemma = lemma_of(word.lower().replace("’", "'").removesuffix("'s"))
    kind = kinds.kind_of(lemma)
    return kind if kind != lemma or can_be_verb(lemma) else kinds.kind_of(_verb_of(lemma))


def _verb_of(noun: str) -> str:
    """The verb that a noun of action is made from; the noun itself when there is none."""
    for ending, replacements in _ACTION_ENDINGS:
        stem = noun.removesuffix(ending)
        if stem != noun and len(stem) >= _SHORTEST_STEM:
            for replacement in replacements:
                if can_be_verb(stem + replacement) and lemma_of(stem + replacement, "VERB") == stem + replacement:
                    return stem + replacement
    return noun


def content_keys(text: str) -> frozenset[str]:
    """Keys of the content words of a text; empty when it has only words of form."""
    return _content_keys(text, kind_table())


@lru_cache(maxsize=16_384)
def _content_keys(text: str, kinds: KindTable) -> frozenset[str]:
    return frozenset(_content_words(text, kinds))


def content_words(text: str) -> dict[str, str]:
    """The content words of a text: key to the first word that has it, in the order of the text."""
    return dict(_content_words(text, kind_table()))


# One question reads the same sentences again and again.
@lru_cache(maxsize=4_096)
def _content_words(text: str, kinds: KindTable) -> Mapping[str, str]:
    function_words, _ = _form_words()
    words = _WORD.findall(text)
    lowers = [word.lower() for word in words]
    found: dict[str, str] = {}
    phrases, joined = _verbs_of_two_words(kinds), False
    for word, lower, behind in zip(words, lowers, (*lowers[1:], ""), strict=False):
        if joined or lower in function_words:
            joined = False
            continue
        firsts = phrases.get(behind)
        kind = None if firsts is None else firsts.get(lemma_of(word, "VERB"))
        joined = kind is not None
        found.setdefault(kind or _key_of(word, kinds), f"{word} {behind}" if joined else word)
    return found


@lru_cache(maxsize=16)
def _verbs_of_two_words(kinds: KindTable) -> Mapping[str, Mapping[str, str]]:
    """Listed verbs whose second word is a content word, as "run aground": their kinds, by second and first word."""
    function_words, _ = _form_words()
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for verb in kinds.listed_verbs:
        first, _, last = verb.partition(" ")
        if verb.count(" ") == 1 and last not in function_words and last not in _PARTICLES:
            found[last][first] = kinds.kind_of(verb)
    return dict(found)


def question_words(text: str) -> dict[str, str]:
    """Like `content_words`, without the words of asking ("cause", "led"), unless nothing else is there."""
    _, asking_words = _form_words()
    found = content_words(text)
    kept = {key: word for key, word in found.items() if word.lower() not in asking_words}
    return kept or found


def names_nothing(question: str) -> bool:
    """Whether a question has words of form, of asking and of courtesy only: "hello", "why", "what happened then?"."""
    _, asking_words = _form_words()
    # A word in capitals among others is a name ("What is IT?"), whatever it means in lower case.
    capitals = not question.isupper() and any(len(word) > 1 and word.isupper() for word in _WORD.findall(question))
    return not capitals and all(
        word.lower() in asking_words or word.lower() in _courtesies() for word in content_words(question).values()
    )


@cache
def _courtesies() -> frozenset[str]:
    table = tomllib.loads(files("language").joinpath("content_words.toml").read_text(encoding="utf-8"))
    return frozenset(table["courtesies"].split())


def unread_words(question: str, texts: Iterable[str]) -> list[str]:
    """The content words of a question that no text has, in its order."""
    known = frozenset().union(*map(content_keys, texts))
    return [word for key, word in question_words(question).items() if key not in known]
