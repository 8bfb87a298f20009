"""Whether a text tells of another name what a question asks of one: "the gate was made by Hasel, founded in 1911"."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from language.content_words import content_keys, key_of
from language.facts import asks_for_number, numbers_in
from language.lemmas import can_be_verb, is_past_or_participle
from language.lexicon import readings
from language.name_runs import name_spans
from language.quick_sentences import quick_sentences

_WORD: Final = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")


class _Asked(NamedTuple):
    """The thing and the deed, by their keys, of which a question asks time or place; active where the thing did it."""

    thing: frozenset[str]
    done: str
    active: bool


def tells_of_another(question: str, told: str) -> bool:
    """Whether a text names what the question asks about, and tells the asked time or place of another name only.

    Only questions are judged that ask of a name itself ("When was the Arlen gate founded?"), and only clauses that
    leave no doubt what they are told of; of all others it is not said.
    """
    asked = _asked(question)
    if asked is None or not asked.thing & content_keys(told):
        return False
    sentences = [sentence.text for sentence in quick_sentences(told)]
    places = [(one, place) for one in sentences for place in _done(asked, one)]
    if not places and asks_for_number(question):
        places = [(one, place) for one in sentences for place in numbers_in(one)]
    return bool(places) and all(_is_of_another(asked, one, place, told) for one, place in places)


def _asked(question: str) -> _Asked | None:
    opening = _pattern("asks").match(question.strip())
    if opening is None:
        return None
    rest = question.strip()[opening.end() :]
    start, end = next(name_spans(rest), (-1, -1))
    if start != 0 or rest[end - 2 : end].lower() in {"'s", "’s"}:
        return None
    leads_on = _pattern("describes").search(rest, end)
    words = list(_WORD.finditer(rest, end, leads_on.start() if leads_on else len(rest)))
    active = re.search(r"\bdid\b", opening.group(), re.IGNORECASE) is not None
    if active:
        verb = next((word for word in reversed(words) if can_be_verb(word.group())), None)
    else:
        verb = next((word for word in words if is_past_or_participle(word.group())), None)
    return None if verb is None else _Asked(content_keys(rest[: verb.start()]), key_of(verb.group()), active)


def _done(asked: _Asked, sentence: str) -> Iterator[int]:
    """Where a verb of a sentence tells what the question says was done."""
    same = (word.start() for word in _WORD.finditer(sentence) if key_of(word.group()) == asked.done)
    return (place for place in same if _is_verb(sentence, place))


def _is_of_another(asked: _Asked, sentence: str, place: int, told: str) -> bool:
    """Whether the nearest name before a place in a sentence is another one, and what stands there is told of it.

    A word of the lexicon that opens the sentence owes its capital to that.
    """
    start, end = max((span for span in name_spans(sentence) if span[1] <= place), default=(0, 0))
    owed = start == 0 and sentence[:end].lower() in readings()
    if (
        start == end
        or owed
        or content_keys(sentence[start:end]) & asked.thing
        or _is_same(sentence[start:end], asked, told)
    ):
        return False
    verb = place if _is_verb(sentence, place) else _verb_before(sentence, end, place)
    if verb is None:
        return False
    before, link = sentence[:start], sentence[end:verb]
    subject = _pattern("subject").fullmatch(link)
    if subject is not None:
        # What was asked about may be the object of an active verb, and the doer beside a passive one.
        undergoes = subject["passive"] is not None and not asked.active
        told_of = undergoes or not content_keys(sentence) & asked.thing
        return told_of and _pattern("opens").search(before) is not None
    return _pattern("aside").fullmatch(link) is not None and _pattern("within").search(before) is None


def _is_verb(sentence: str, place: int) -> bool:
    word = _WORD.match(sentence, place)
    return word is not None and is_past_or_participle(word.group())


def _verb_before(sentence: str, start: int, place: int) -> int | None:
    """Where the first verb between two places stands."""
    verbs = (word.start() for word in _WORD.finditer(sentence, start, place))
    return next((verb for verb in verbs if _is_verb(sentence, verb) and not _is_form(sentence, verb)), None)


def _is_form(sentence: str, place: int) -> bool:
    word = _WORD.match(sentence, place)
    return word is not None and not content_keys(word.group())


def _is_same(name: str, asked: _Asked, told: str) -> bool:
    """Whether a text says that a name is one of what was asked about: "Hasel is a gate", "the gate Hasel"."""
    for start, end in name_spans(told):
        if told[start:end] == name:
            *_, nearest = "", *_WORD.findall(told[:start])
            beside = told[max(0, start - 1) : start] == " " and key_of(nearest) in asked.thing
            if beside or _pattern("called").search(told[:start]) or _pattern("is_a").match(told, end):
                return True
    return False


def _pattern(entry: str) -> re.Pattern[str]:
    return re.compile(_table()[entry], re.IGNORECASE)


@cache
def _table() -> dict[str, str]:
    return tomllib.loads(files("language").joinpath("named_subjects.toml").read_text(encoding="utf-8"))
