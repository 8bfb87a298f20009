"""Lines that give one thing behind a label, and what a line that gives a cause gives it of.

A report often closes so: "The website went down on Monday. Root cause: an expired certificate."
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from language.kinds import is_event_noun, kind_of
from language.lemmas import lemma_of
from language.tokens import Sentence
from language.word_classes import BE, HAVE, WordClass, word_classes

W = WordClass
_FARTHEST: Final = 6
"""Sentences and lines before a label among which it is looked for what the cause is of."""
_VERBS: Final = frozenset({W.FINITE, W.PARTICIPLE})


def gives_cause(line: str) -> bool:
    """Whether a line is a label of a cause with what it is: "Root cause: an expired certificate"."""
    return _patterns()["cause"].match(line) is not None


def labelled_of(sentences: Sequence[Sentence], place: int) -> int | None:
    """The place of the sentence or heading that tells what a label gives the cause of; none where that is in doubt.

    It is the only happening since the heading. Where there are several, it is the one that the heading names, else the
    heading itself: "it went down at noon; it came back at one" is no place to guess. Other labels, and sentences that
    tell only how something is, are passed over.

    Args:
        sentences: Of one document, in order.
        place: Of the label.
    """
    found: list[int] = []
    for before in range(place - 1, max(place - _FARTHEST, 0) - 1, -1):
        one = sentences[before]
        if gives_cause(one.text):
            if found:
                break
            continue
        if _is_other_label(one.text):
            continue
        kinds = _happenings(one)
        if not one.prose:
            alike = [
                at for at in found if kinds & _happenings(sentences[at]) and not _opens_with_pronoun(sentences[at])
            ]
            found = alike if len(alike) == 1 else found if len(found) == 1 or not kinds else [before]
            break
        if one.text.rstrip("\"'”’)").endswith("?"):
            return None
        if kinds:
            found.append(before)
    return found[0] if len(found) == 1 else None


def gives_cause_above(line: str) -> bool:
    """Whether a line is a label of a cause that is known, of whatever stands above it."""
    label = _patterns()["cause"].match(line)
    return label is not None and _patterns()["unknown"].match(line, line.index(":") + 1) is None


def is_asked_for(question: str, line: str) -> bool:
    """Whether a question asks for what a label of a cause gives, in its own words: "What was the root cause?"."""
    asked = _patterns()["asked"].match(question)
    named = line.partition(":")[0].strip(" *_-").lower().removeprefix("the ")
    known = gives_cause_above(line) and not leaves_cause_open(line)
    return known and asked is not None and asked.group(1).lower() == named


def _opens_with_pronoun(sentence: Sentence) -> bool:
    return word_classes(sentence)[:1] == (W.PRONOUN,)


def _is_other_label(line: str) -> bool:
    patterns = _patterns()
    return patterns["any"].match(line) is not None and patterns["told"].match(line) is None


def behind_label(sentence: Sentence) -> int:
    """The token behind the colon of the label that opens a sentence; 0 where none does."""
    if _patterns()["any"].match(sentence.text) is None:
        return 0
    return next((at + 1 for at, token in enumerate(sentence.tokens) if token.lower.startswith(":")), 0)


def colon_behind_cause(sentence: Sentence, end: int) -> int | None:
    """The colon of "Cause of the crash: fog", where a label names what its cause is of and behind it one is given.

    Args:
        sentence: The sentence.
        end: The token behind "cause of".
    """
    colon = next((at for at in range(end, len(sentence.tokens)) if sentence.tokens[at].lower.startswith(":")), None)
    if colon is None or not gives_cause(sentence.text) or behind_label(sentence) != colon + 1:
        return None
    told = sentence.text[sentence.tokens[colon].end - sentence.start :]
    return None if _patterns()["unknown"].match(told) else colon


def leaves_cause_open(line: str) -> bool:
    """Whether a label of a cause leaves open whether it is one: "Cause: arson (unconfirmed)"."""
    return gives_cause(line) and _patterns()["open"].search(line) is not None


def _happenings(sentence: Sentence) -> frozenset[str]:
    """The kinds of what a sentence tells that came about, or a heading names: "Sinking of the ferry"."""
    found: set[str] = set()
    for token, word_class in zip(sentence.tokens, word_classes(sentence), strict=True):
        word = token.lower
        if sentence.prose and word_class in _VERBS and word not in BE | HAVE:
            found.add(kind_of(lemma_of(word, "VERB")))
        elif not sentence.prose and word_class in (W.NOUN, W.GERUND):
            found.update(kind_of(one) for one in {word, token.lemma.lower()} if is_event_noun(one))
    return frozenset(found)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    table = tomllib.loads(files("language").joinpath("labels.toml").read_text(encoding="utf-8"))
    return {name: re.compile(pattern) for name, pattern in table.items()}
