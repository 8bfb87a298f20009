"""Whether words taken out of a sentence are a whole clause or noun phrase, fit to stand in another sentence."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

from language.lemmas import can_be_noun, lemma_of
from language.phrases import is_clause
from language.quick_sentences import quick_sentences
from language.word_classes import WordClass, word_classes

W = WordClass

_NO_START = frozenset(
    {W.AUXILIARY, W.MODAL, W.FINITE, W.INFINITIVE, W.TO, W.CONJUNCTION, W.RELATIVE, W.SUBORDINATOR, W.PREPOSITION}
)
_NO_END = frozenset({W.DETERMINER, W.CONJUNCTION, W.TO, W.SUBORDINATOR, W.RELATIVE, W.AUXILIARY, W.MODAL})
_VERBS = frozenset({W.FINITE, W.AUXILIARY, W.MODAL})
_OBJECT = ((W.DETERMINER,), (W.NUMBER,), (W.PRONOUN,))
_SUBJECTS = frozenset({"he", "she", "it", "they", "we", "i", "you"})
_NOMINAL = frozenset({W.NOUN, W.NUMBER, W.PRONOUN, W.GERUND})
_AFTER_A_PHRASE = frozenset(
    {W.PUNCTUATION, W.CONJUNCTION, W.RELATIVE, W.SUBORDINATOR, W.AUXILIARY, W.MODAL, W.ADVERB, W.PREPOSITION}
)
_OPENING_MARKS = frozenset("([{-–—/")
_FOREIGN = re.compile(r":(?!\d)|[<>|•…]")
"""Marks of lists, tables and page breaks, which no phrase holds; "18:40" does."""


@dataclass(frozen=True, slots=True)
class _Table:
    infinitive_nouns: frozenset[str]
    opening_prepositions: frozenset[str]
    hanging_prepositions: frozenset[str]
    longest: int


@cache
def _table() -> _Table:
    table = tomllib.loads(files("language").joinpath("whole_phrases.toml").read_text(encoding="utf-8"))
    return _Table(
        infinitive_nouns=frozenset(table["infinitive_nouns"]),
        opening_prepositions=frozenset(table["opening_prepositions"]),
        hanging_prepositions=frozenset(table["hanging_prepositions"]),
        longest=table["longest"],
    )


@lru_cache(maxsize=4_096)
def is_whole(phrase: str) -> bool:
    """Whether a stretch of text reads as one clause or one noun phrase, with nothing missing at its ends.

    Doubtful ones are taken for broken: "had derailed", "the roof to collapse", "the release of", "strong".
    """
    sentences = quick_sentences(phrase)
    if len(sentences) != 1 or len(sentences[0].tokens) > _table().longest or _FOREIGN.search(phrase):
        return False
    words = [token.text.lower() for token in sentences[0].tokens]
    classes = word_classes(sentences[0])
    if classes[-1] in _NO_END or words[-1] in _table().hanging_prepositions:
        return False
    clause = is_clause(phrase) and not _is_object_with_infinitive(words, classes)
    fronted = classes[0] is W.PREPOSITION and (clause or words[0] in _table().opening_prepositions)
    if classes[0] in _NO_START and not fronted:
        return False
    return clause or _is_noun_phrase(words, classes)


def _is_noun_phrase(words: list[str], classes: tuple[WordClass, ...]) -> bool:
    """Whether it ends in a noun, holds no second one set beside it, and is no object with its infinitive.

    A deed ("killing two people") does not happen, and what somebody is told ("Maria that she had lost her job") and a
    second verb behind a relative clause are part of a clause.
    """
    if classes[-1] not in _NOMINAL or (classes[0] is W.GERUND and classes[1:2] in _OBJECT):
        return False
    if _verb_groups(classes) > (W.RELATIVE in classes) or _tells_somebody(words):
        return False
    for place in range(1, len(classes)):
        if classes[place] is W.DETERMINER and classes[place - 1] is W.NOUN:
            return False
        if classes[place] is W.FINITE:
            return False
    return not _is_object_with_infinitive(words, classes)


def _verb_groups(classes: tuple[WordClass, ...]) -> int:
    """How many groups of finite verbs there are."""
    opens = zip((W.PUNCTUATION, *classes), classes, strict=False)
    return sum(one in _VERBS and before not in _VERBS | {W.ADVERB} for before, one in opens)


def _tells_somebody(words: list[str]) -> bool:
    """Whether "that" opens what is told: "Maria *that she* had lost her job"."""
    return any(word == "that" and after in _SUBJECTS for word, after in pairwise(words))


def _is_object_with_infinitive(words: list[str], classes: tuple[WordClass, ...]) -> bool:
    """Whether a noun is followed by what it does in the infinitive: "the points to open", "the gates to remain closed".

    A word before the infinitive that may be a plural as well as a verb is taken for the plural.
    """
    for place in range(2, len(classes)):
        if classes[place - 1] is W.TO and classes[place] is W.INFINITIVE:
            nearest = words[place - 2]
            plural = classes[place - 2] is W.FINITE and nearest.endswith("s") and can_be_noun(nearest)
            before = classes[: place - 2] if plural else classes[: place - 1]
            nouns = {lemma_of(word, "NOUN") for word in words[:place]}
            return not _VERBS & {*before} and not nouns & _table().infinitive_nouns
    return False


def is_cut_off(sentence: str, start: int, end: int, cue: str) -> bool:
    """Whether a stretch of a sentence breaks off inside a phrase: "the impact | forces", "a combination | of".

    Args:
        sentence: The words around it, one sentence or two.
        start: Where the stretch starts in them, in characters.
        end: Where it ends.
        cue: Words that may stand right behind it all the same.
    """
    if sentence[:start].rstrip(" ")[-1:] in {"-", "–", "/"} or sentence[end:].lstrip()[:1] in _OPENING_MARKS:
        return True
    cue_words = frozenset(cue.lower().split())
    for each in quick_sentences(sentence):
        for token, word_class in zip(each.tokens, word_classes(each), strict=True):
            if token.start >= end:
                word = token.text.lower()
                follows = word_class in _AFTER_A_PHRASE or (word_class is W.FINITE and not can_be_noun(word))
                return word not in cue_words and (word in {"of", "to"} or not follows)
        if each.end >= end:
            return False
    return False
