"""What a sentence names beside a happening that it tells of, where that may be its cause in words that no cue knows."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib.resources import files

from language.content_words import content_keys, key_of, question_words
from language.facts import leaves_open
from language.named_things import tells_another_thing
from language.stated_causes import stated_causes
from language.time_nouns import time_nouns
from language.tokens import Sentence
from language.word_classes import WordClass, word_classes

W = WordClass
_NAMING = frozenset({W.NOUN, W.FINITE, W.PARTICIPLE, W.INFINITIVE, W.GERUND})
_BEFORE_PURPOSE = frozenset({W.NOUN, W.NUMBER, W.PRONOUN, W.ADVERB, W.PARTICIPLE, W.PUNCTUATION})
_VERBS = frozenset({W.FINITE, W.AUXILIARY, W.MODAL})
_MOST_FOR_CAUSE = 2 / 3
"""Share of the words of a happening that a sentence has to name where its other words point at a cause."""


class Beside(IntEnum):
    """What stands beside a happening in a sentence: the more, the likelier its cause."""

    NOTHING = 0
    """Nothing, or only when and where; or the sentence does not tell of the happening."""
    SOMETHING = 1
    """Something, by which nobody is told that it is the cause."""
    CAUSE = 2
    """Something in words by which it may be told as the cause."""


@dataclass(frozen=True, slots=True)
class _Table:
    may_cause: re.Pattern[str]
    no_cause: re.Pattern[str]
    of_before: re.Pattern[str]
    places: frozenset[str]
    bare: frozenset[str]


def named_beside(words: str, sentence: Sentence, *, forward: bool = False) -> Beside:
    """What a sentence names beside a happening.

    What it states of the happening by a cue that is known does not count: of a cause that is denied, of what followed.

    Args:
        words: The happening, as a question or a document tells it.
        sentence: A sentence.
        forward: Whether what followed is looked for, not what led to it.
    """
    asked, told = frozenset(question_words(words)), content_keys(sentence.text)
    if not asked or not sentence.prose:
        return Beside.NOTHING
    share = len(asked & told) / len(asked)
    if share < _MOST_FOR_CAUSE or tells_another_thing(words, sentence.text):
        return Beside.NOTHING
    if leaves_open(words, sentence.text):
        # "The cause of the fire is not known."
        return Beside.NOTHING
    purpose = frozenset[str]() if forward else _purpose(sentence) - asked
    apart = _stated_apart(sentence, asked, forward=forward) - purpose
    if not _others(sentence, asked | apart):
        return Beside.NOTHING
    table = _table()
    by_words = table.may_cause.search(table.no_cause.sub(" ", sentence.text)) is not None
    if by_words or purpose or _is_done_by_another(sentence, asked):
        return Beside.CAUSE
    return Beside.SOMETHING if share == 1.0 else Beside.NOTHING


def holds_own_cause(words: str) -> bool:
    """Whether words for a happening seem to tell its cause along with it: "its float was jammed by ice"."""
    return _by_phrase().search(_table().no_cause.sub(" ", words)) is not None


def may_tell_cause_of_before(sentence: Sentence) -> bool:
    """Whether a sentence may give the cause of what the one before tells: "The reason is simple: ..."."""
    if not sentence.prose or _table().of_before.search(sentence.text) is None:
        return False
    # What states the cause of something else says nothing of the sentence before.
    return not any(content_keys(one.effect) for one in stated_causes(sentence) if not one.reaches_back)


def _stated_apart(sentence: Sentence, asked: frozenset[str], *, forward: bool) -> frozenset[str]:
    """Words that a cue puts on the other side: what the happening led to, or what is denied to have led to it."""
    apart: frozenset[str] = frozenset()
    for stated in stated_causes(sentence):
        if not forward and stated.cue.text == "so that" and stated.modality == "planned":
            # What it was done for is why it was done: "the gate was shut *so that nobody could leave*".
            continue
        cause, effect = content_keys(stated.cause), content_keys(stated.effect)
        here, there = (effect, cause) if forward else (cause, effect)
        apart |= content_keys(stated.cue_text)
        if len(asked & here) > len(asked & there):
            apart |= there
        elif (stated.actual and not stated.affirmed) or stated.cue.relation == "PREVENTS":
            apart |= here
    return apart


def _purpose(sentence: Sentence) -> frozenset[str]:
    """What a sentence says that something is done for, by an infinitive: "we moved it *to prevent a repeat*"."""
    classes = word_classes(sentence)
    for at in range(1, len(classes) - 1):
        opens = classes[at] is W.TO and classes[at + 1] is W.INFINITIVE
        if opens and classes[at - 1] in _BEFORE_PURPOSE and _VERBS.intersection(classes[:at]):
            return content_keys(sentence.text[sentence.tokens[at].start - sentence.start :])
    return frozenset()


def _others(sentence: Sentence, known: frozenset[str]) -> list[int]:
    """The tokens that name something else than what is known, a time, a place or an amount."""
    table, classes = _table(), word_classes(sentence)
    found: list[int] = []
    place_name = False
    for at, token in enumerate(sentence.tokens):
        name = at > 0 and token.text[:1].isupper()
        before = sentence.tokens[at - 1].lower if at else ""
        place_name = name and (place_name or before in table.places)
        if place_name or classes[at] not in _NAMING or not token.text[:1].isalpha():
            continue
        keys = content_keys(token.text)
        if keys and not keys & known and key_of(token.text) not in known and token.lemma not in table.bare:
            found.append(at)
    return found


def _is_done_by_another(sentence: Sentence, asked: frozenset[str]) -> bool:
    """Whether the happening is what a verb says that something else did: "*rain* ruined the harvest"."""
    classes = word_classes(sentence)
    verb = next((at for at, one in enumerate(classes) if one is W.FINITE), -1)
    if verb <= 0 or key_of(sentence.tokens[verb].text) not in asked:
        return False
    subject = [at for at in range(verb) if classes[at] is W.NOUN]
    behind = frozenset().union(*(content_keys(token.text) for token in sentence.tokens[verb + 1 :]))
    named = all(key_of(sentence.tokens[at].text) not in asked for at in subject)
    return bool(subject) and named and bool(behind & asked)


@cache
def _table() -> _Table:
    table = tomllib.loads(files("language").joinpath("beside.toml").read_text(encoding="utf-8"))
    return _Table(
        may_cause=re.compile(table["may_cause"], re.IGNORECASE),
        no_cause=re.compile(table["no_cause"], re.IGNORECASE),
        of_before=re.compile(table["of_before"], re.IGNORECASE),
        places=frozenset(table["places"].split()),
        bare=frozenset(table["units"].split()) | frozenset(table["of_telling"].split()) | time_nouns(),
    )


@cache
def _by_phrase() -> re.Pattern[str]:
    return re.compile(r"\b(?:was|were|is|are|been|being|got)\b.* by \w", re.IGNORECASE)
