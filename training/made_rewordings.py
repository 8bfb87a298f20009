"""Other words and other constructions for what a sentence says: the same, wider ones, and those of something else.

Each function gives the words to change, for `training.tree_edits.rewritten`, or none where it finds no place for them.
The words are those of the table beside this file.
"""

from __future__ import annotations

import random
import tomllib
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from spacy.tokens import Span, Token

from training.tree_edits import Changes, finite_tag, inflected, noun_form, verb_tag

_MOST: Final = 3
"""Most words of a sentence that are changed together."""
_NEVER_APART: Final = frozenset(
    {"other", "same", "such", "own", "first", "last", "next", "only", "former", "several", "many", "more", "most"}
    | {"few", "fewer", "less", "main", "certain", "various", "due", "able", "total", "previous", "second", "third"}
)
"""Adjectives that are not said of a thing by "which is"."""
_LASTING: Final = frozenset({"be", "have", "know", "want", "need", "like", "seem", "love", "own", "contain", "believe"})
"""Verbs without a progressive form."""


def same_words(sentence: Span, draw: random.Random) -> Changes | None:
    """Words that say the same."""
    return _some(sentence, _tables()["same"], draw)


def wider_words(sentence: Span, draw: random.Random) -> Changes | None:
    """Words that say less: what holds of a dog holds of an animal."""
    return _some(sentence, _tables()["wider"], draw)


def other_words(sentence: Span, draw: random.Random) -> Changes | None:
    """A noun for another thing of the same sort: a car where there was a bus."""
    wider = _tables()["wider"].nouns
    found = []
    for word in sentence:
        for sort in wider.get(word.lemma_, ()) if _may_change(word) else ():
            others = [noun for noun, sorts in wider.items() if sort in sorts and noun != word.lemma_]
            found += [(word, other) for other in others if word.lemma_ not in wider.get(other, ())]
    if not found:
        return None
    word, other = draw.choice(found)
    return {word.i: noun_form(other, word)}


def which_clause(sentence: Span, draw: random.Random) -> Changes | None:
    """An adjective before its noun as a clause behind it."""
    was = "was" if "Past" in _tense(sentence.root) else "is"
    places = [
        word
        for word in sentence
        if word.dep_ == "amod"
        and word.pos_ == "ADJ"
        and word.head.pos_ == "NOUN"
        and word.i == word.head.i - 1
        and (word.i == sentence.start or word.nbor(-1).text != "-")
        and word.lower_ not in _NEVER_APART
        and word.head.morph.get("Number", []) == ["Sing"]
        and not word.head.lower_.endswith("ing")
    ]
    if not places:
        return None
    word = draw.choice(places)
    person = "person" in _tables()["wider"].nouns.get(word.head.lemma_, ())
    behind = word.head.nbor().text[0] if word.head.i + 1 < sentence.end else "."
    clause = f"{word.head.text}, {'who' if person else 'which'} {was} {word.lower_}"
    return {word.i: "", word.head.i: clause if behind in ".,;!?" else f"{clause},"}


def existential(sentence: Span, *, denied: bool) -> Changes | None:
    """That there was somebody or something doing it; `denied`, that there was nobody and nothing."""
    root, article = sentence.root, _article(sentence, {"a", "an", "the"} if denied else {"a", "an"})
    if article is None or root.lemma_ in _LASTING:
        return None
    helping = [word for word in root.children if word.dep_ in {"aux", "aux:pass"}]
    if len(helping) > 1 or any(word.lemma_ != "be" or word.i > root.i for word in helping):
        return None
    forms = (root.text,) if helping else inflected(root.lemma_, "VBG" if finite_tag(root) else "")
    if not forms:
        return None
    was = "was" if "Past" in _tense(helping[0] if helping else root) else "is"
    told = f"There {was} no" if denied else f"There {was} {article.lower_}"
    return dict.fromkeys((word.i for word in helping), "") | {root.i: forms[0], article.i: told}


def no_subject(sentence: Span) -> Changes | None:
    """That none did it."""
    article = _article(sentence, {"a", "an", "the"})
    return None if article is None else {article.i: "No"}


def _article(sentence: Span, articles: set[str]) -> Token | None:
    """The article at the beginning, where it is that of the one subject of a plain statement."""
    root, first = sentence.root, sentence[0]
    subjects = [word for word in root.children if word.dep_ == "nsubj"]
    plain = root.pos_ == "VERB" and not any(word.dep_ in {"conj", "expl", "ccomp"} for word in root.children)
    if not plain or len(subjects) != 1 or first.lower_ not in articles or first.head != subjects[0]:
        return None
    return first if subjects[0].morph.get("Number", []) == ["Sing"] and subjects[0].i < root.i else None


class _Words(NamedTuple):
    """What may stand for nouns and verbs, by their lemmas, and for adjectives and all else as they are written."""

    nouns: dict[str, list[str]]
    verbs: dict[str, list[str]]
    adjectives: dict[str, list[str]]
    others: dict[str, list[str]]


@cache
def _tables() -> dict[str, _Words]:
    read = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    tables: dict[str, _Words] = {}
    for name, kinds in read.items():
        tables[name] = _Words({}, {}, {}, {})
        for kind, pairs in kinds.items():
            for one, other in pairs:
                getattr(tables[name], kind).setdefault(one, []).append(other)
    return tables


def _some(sentence: Span, words: _Words, draw: random.Random) -> Changes | None:
    found: Changes = {}
    for word in sentence:
        forms = _forms(word, words)
        if forms:
            found[word.i] = draw.choice(forms)
    if not found:
        return None
    kept = draw.sample(sorted(found), draw.randint(1, min(_MOST, len(found))))
    return {place: found[place] for place in kept}


def _forms(word: Token, words: _Words) -> list[str]:
    """What may stand for a word, in its form."""
    if word.pos_ == "NOUN":
        return [noun_form(one, word) for one in words.nouns.get(word.lemma_, ())] if _may_change(word) else []
    if word.pos_ == "VERB":
        told = [inflected(one, verb_tag(word)) for one in words.verbs.get(word.lemma_, ())]
        return [forms[0] for forms in told if forms]
    return (words.adjectives if word.pos_ == "ADJ" else words.others).get(word.lower_, [])


def _may_change(word: Token) -> bool:
    """Whether a noun is no part of a compound, whose other part would then say something else."""
    return word.dep_ != "compound" and not any(child.dep_ in {"compound", "flat"} for child in word.children)


def _tense(word: Token) -> list[str]:
    helping = [child for child in word.children if child.dep_ in {"aux", "aux:pass", "cop"}]
    return [tense for one in (word, *helping) for tense in one.morph.get("Tense", [])]
