"""Questions like the one that is asked, whose answer is another: what the evidence must not answer as well.

CF-RAG ("Counterfactual Reasoning for Retrieval-Augmented Generation", ICLR 2026) changes the role, time, entity,
category or scope of a question. Here an entity, a number or a qualifying word is exchanged for one that the documents
have in its place ("the night train to Marle" for "the night train to Bergen"): every question is about what is told.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from language.content_words import content_keys, key_of
from language.kinds import kind_table
from language.lemmas import lemma_of
from language.question_times import question_time

_WORD: Final = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class CounterfactualQuestion:
    """One of them.

    Attributes:
        text: The question.
        was: The word of the real question that is exchanged.
        now: What stands in its place.
        change: `entity`, `number` or `scope`.
        places: In how many of the texts the new word stands there.
        origin: Who proposed it: `words`, or the fingerprint of a language model.
    """

    text: str
    was: str
    now: str
    change: str
    places: int
    origin: str = "words"


@dataclass(frozen=True, slots=True)
class _Word:
    """A content word with the keys of those before and behind it; an empty key at an end."""

    start: int
    end: int
    text: str
    key: str
    before: str
    behind: str
    opens: bool


def counterfactual_questions(question: str, texts: Sequence[str], most: int) -> list[CounterfactualQuestion]:
    """The questions that the texts suggest, those first that more texts do.

    A name or a number is exchanged for another one that stands beside the same word, any other word only for one that
    stands between the same two words: a word that means the same would else make a question with the same answer.

    Args:
        question: The real one.
        texts: Sentences or passages.
        most: How many are made.
    """
    asked = list(_words(question))
    keys = {word.key for word in asked}
    places: Counter[tuple[int, str]] = Counter()
    kinds: dict[tuple[int, str], str] = {}
    for text in dict.fromkeys(texts):
        told: defaultdict[tuple[int, str], bool] = defaultdict(bool)
        for found in _words(text):
            for place, word in enumerate(asked):
                change = _change(word, found) if found.key not in keys else None
                if change is not None:
                    told[place, found.text] = True
                    kinds[place, found.text] = change
        places.update(told.keys())
    ranked = sorted(places, key=lambda one: (-places[one], one))
    return [
        CounterfactualQuestion(
            text=f"{question[: asked[place].start]}{now}{question[asked[place].end :]}",
            was=asked[place].text,
            now=now,
            change=kinds[place, now],
            places=places[place, now],
        )
        for place, now in ranked[:most]
    ]


def exchanged(question: str, was: str, now: str, texts: Sequence[str], origin: str) -> CounterfactualQuestion | None:
    """The question with some of its words exchanged; none where it is no counterfactual one by the same test.

    Args:
        question: The real one.
        was: One or more of its words that somebody proposes to exchange.
        now: What is proposed in their place.
        texts: Sentences or passages; what is proposed must stand in one of them where the words would.
        origin: Who proposes it.
    """
    asked = list(_phrases(question, was))
    if len(asked) != 1 or content_keys(now) & content_keys(question):
        return None
    told = [[_change(asked[0], found) for found in _phrases(text, now)] for text in dict.fromkeys(texts)]
    changes = [change for each in told for change in each if change is not None]
    if not changes:
        return None
    return CounterfactualQuestion(
        text=f"{question[: asked[0].start]}{now}{question[asked[0].end :]}",
        was=asked[0].text,
        now=now,
        change=changes[0],
        places=sum(any(each) for each in told),
        origin=origin,
    )


def ranked(questions: Sequence[CounterfactualQuestion], most: int) -> list[CounterfactualQuestion]:
    """Those first that more texts suggest, none twice."""
    kept = {one.text: one for one in reversed(questions)}
    return sorted(kept.values(), key=lambda one: (-one.places, questions.index(one)))[:most]


def _change(asked: _Word, told: _Word) -> str | None:
    """What would be changed if the second word stood for the first; none where it does not stand in its place."""
    if _is_happening(asked) or _is_happening(told):
        return None
    before = bool(asked.before) and asked.before == told.before
    behind = bool(asked.behind) and asked.behind == told.behind
    if _is_number(asked.text) or _is_number(told.text):
        return "number" if _shape(asked.text) == _shape(told.text) and (before or behind) else None
    if _is_name(asked) and _is_name(told):
        return "entity" if before or behind else None
    if _is_name(asked) or _is_name(told):
        return None
    return "scope" if before and behind else None


def _is_number(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def _shape(number: str) -> str:
    """What kind of number it is: that of a year, of a pump, of a day."""
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "0", number))


def _is_name(word: _Word) -> bool:
    return word.text[0].isupper() and not word.opens and not _is_of_calendar(word.text)


@cache
def _is_of_calendar(word: str) -> bool:
    """Whether it names a month or a day of the week: it is part of a time before a year, or by itself."""
    return any(
        start == 0 for text in (word, f"{word} 2000") if (time := question_time(text)) for start, _ in time.spans
    )


def _is_happening(word: _Word) -> bool:
    """Whether it tells what happened: another one of those makes another question altogether."""
    parts = [(part, lemma_of(part.lower())) for part in word.text.split()]
    return any(kind_table().kind_of(lemma) != lemma or part.endswith("ed") for part, lemma in parts)


def _words(text: str) -> Iterator[_Word]:
    """The content words of a text, in order."""
    found = [match for match in _WORD.finditer(text) if content_keys(match.group())]
    keys = ["", *(key_of(match.group()) for match in found), ""]
    for number, match in enumerate(found):
        lead = text[: match.start()].rstrip()
        opens = not lead or lead[-1] in ".!?:;\n"
        yield _Word(match.start(), match.end(), match.group(), keys[number + 1], keys[number], keys[number + 2], opens)


def _phrases(text: str, phrase: str) -> Iterator[_Word]:
    """Where a phrase of content words stands in a text, as if it were one word."""
    words = list(_words(text))
    for first, word in enumerate(words):
        for last in words[first:]:
            told = text[word.start : last.end]
            if len(told) > len(phrase):
                break
            if told == phrase:
                key = " ".join(sorted(content_keys(phrase)))
                yield _Word(word.start, last.end, told, key, word.before, last.behind, word.opens)
