"""Changing the words of a parsed sentence: what is left out, put in or inflected, written as a sentence again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lemminflect import getInflection
from spacy.tokens import Span, Token

Changes = dict[int, str]
"""What stands instead of words, by their places in the text; nothing for those that are left out."""
NEGATIONS: Final = frozenset({"not", "n't", "never"})
_PLURALS: Final = {"person": "people"}
"""The usual plural where the inflector knows another one."""
_ARTICLES: Final = frozenset({"a", "an"})


def rewritten(sentence: Span, changes: Changes) -> str:
    """The sentence with some words replaced; an empty text leaves a word out."""
    forms = [(changes.get(word.i, word.text), word) for word in sentence]
    kept = [(form, word) for form, word in forms if form]
    told = []
    for place, (form, word) in enumerate(kept):
        if form.lower() in _ARTICLES and place + 1 < len(kept):
            following, behind = kept[place + 1]
            if behind.i != word.i + 1 or behind.i in changes:
                told.append(form[0] + ("n" if following[0].lower() in "aeiou" else "") + word.whitespace_)
                continue
        told.append(form + word.whitespace_)
    return _tidy("".join(told), sentence)


def _tidy(text: str, sentence: Span) -> str:
    told = " ".join(text.split())
    for mark in (",", ".", ";", "!"):
        told = told.replace(f" {mark}", mark)
    told = told.replace(",,", ",").replace(",.", ".").strip(" ,")
    return told[:1].upper() + told[1:] if sentence[0].is_title else told


def phrase(words: Sequence[Token], sentence: Span) -> str:
    """A phrase as it stands in the middle of a sentence."""
    text = "".join(word.text_with_ws for word in words).strip()
    first = words[0]
    return text[:1].lower() + text[1:] if first.i == sentence.start and first.pos_ != "PROPN" else text


def written(sentence: Span) -> str:
    """The sentence as it is."""
    return _tidy(sentence.text, sentence)


def inflected(lemma: str, tag: str) -> tuple[str, ...]:
    """The usual form of a verb; none when the form is not known."""
    return tuple(getInflection(lemma, tag)[:1]) if tag else ()


def verb_tag(word: Token) -> str:
    """Penn's tag of a verb, from its features; empty when they do not tell."""
    forms, tense = word.morph.get("VerbForm", []), word.morph.get("Tense", [])
    if forms == ["Fin"]:
        return finite_tag(word)
    if forms == ["Inf"]:
        return "VB"
    if forms in (["Part"], ["Ger"]):
        return "VBN" if tense == ["Past"] else "VBG"
    return ""


def finite_tag(word: Token) -> str:
    """Penn's tag of a finite verb, from its features; empty for others."""
    if word.morph.get("VerbForm", []) != ["Fin"]:
        return ""
    if word.morph.get("Tense", []) == ["Past"]:
        return "VBD"
    third = word.morph.get("Person", []) == ["3"] and word.morph.get("Number", []) == ["Sing"]
    return "VBZ" if third else "VBP"


def noun_form(lemma: str, word: Token) -> str:
    """A noun, or the noun that begins or ends it ("body of water"), in the number of a word."""
    if word.morph.get("Number", []) != ["Plur"]:
        return lemma
    if lemma in _PLURALS:
        return _PLURALS[lemma]
    first, of, rest = lemma.partition(" of ")
    *before, last = first.split()
    return " ".join([*before, *getInflection(last, "NNS")[:1]]) + of + rest


def is_affirmed(sentence: Span, downward: frozenset[str]) -> bool:
    """Whether what is said holds of more than is said: no word denies it or asks for all."""
    return not any(word.lower_ in downward or word.lower_ in NEGATIONS for word in sentence)
