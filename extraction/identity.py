"""What identifies a happening: the traits of mentions and of clusters, what they share, and what keeps them apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from operator import eq
from typing import Any

from extraction.resolution_rules import Rules
from kg.records import DAY_OR_FINER, Mention, Modality, Polarity
from language.calendar_marks import calendar_marks
from language.clock_marks import clock_marks
from language.named_things import names_and_beside, tell_apart
from language.numbered_things import numbers_behind_words
from language.timed_things import timed_things

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_DIGIT = re.compile(r"\d")
_ORIGIN = re.compile(r"\bfrom\s+(?:the\s+)?([A-Z][^\W\d_]+(?:\s+[A-Z][^\W\d_]+)*)")

REALITY: dict[Modality, str] = {
    Modality.ACTUAL: "real",
    Modality.POSSIBLE: "real",
    Modality.PLANNED: "planned",
    Modality.HYPOTHETICAL: "hypothetical",
}
"""What was suspected and what was found can be one happening; what was planned or imagined is another."""


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, in its order and in lower case."""
    return tuple(word.casefold() for word in _WORD.findall(text))


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """An explicit time. `fine` when it is exact enough (a day or less) to identify a happening."""

    start: str
    end: str
    fine: bool

    def overlaps(self, other: Moment) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place by its content words.

    Attributes:
        named: True when one of them is a proper name.
        wide: True for a country or an ocean, which does not tell which happening it was.
    """

    words: tuple[str, ...]
    named: bool
    wide: bool

    @property
    def identifies(self) -> bool:
        """True when the same happening in the same place can be taken for one."""
        return self.named and not self.wide

    def differs(self, other: Place) -> bool:
        """True when the two cannot be the same place told more or less fully.

        A named place and a common one ("Arlen", "the control room") do not exclude each other, nor do a country and a
        place that may lie in it.
        """
        mine, theirs = set(self.words), set(other.words)
        alike = (self.named, self.wide) == (other.named, other.wide)
        return alike and not (mine <= theirs or theirs <= mine)


@dataclass(frozen=True, slots=True)
class Name:
    """A participant.

    Attributes:
        particular: True when it carries a number or a letter of its own, or a word that is not generic.
        numbered: The thing that is numbered and its numbers: ("gate", {"2"}); none for a name without a number.
    """

    words: frozenset[str]
    text: str
    particular: bool
    numbered: tuple[str, frozenset[str]] | None

    def matches(self, other: Name) -> bool:
        """True when one name tells the other more fully, or both carry the same code: `gauge g7`, `g7`, `gauge`."""
        if self.words <= other.words or other.words <= self.words:
            return True
        return any(_is_code(word) for word in self.words & other.words)


def _is_code(word: str) -> bool:
    """True for `g7` or `zk-2b`: letters with digits, which name one thing by themselves."""
    return bool(_DIGIT.search(word)) and not word.isdigit()


def read_name(text: str, rules: Rules) -> Name | None:
    """A participant as a name; none for a pronoun, a bare number or a bare "left"."""
    contrasting = frozenset[str]().union(*rules.contrasts)
    # "a" behind a thing is its letter: "pump A".
    every = words_of(text)
    words = tuple(word for at, word in enumerate(every) if word not in rules.function_words or (at and len(word) == 1))
    if not words or all(word in rules.pronouns or word.isdigit() or word in contrasting for word in words):
        return None
    numbers = frozenset(word for word in words if _is_code(word))
    # A leading number counts ("25 passenger"); one behind the thing, or a lone letter there, is its own name.
    numbers |= {word for word in words[1:] if word.isdigit() or len(word) == 1}
    head = next((word for word in words if word not in numbers), "") or re.split(r"[\d-]", words[0], maxsplit=1)[0]
    numbered = (head, numbers) if numbers else None
    particular = numbered is not None or any(word not in rules.generic for word in words)
    return Name(frozenset(words), " ".join(words), particular, numbered)


def read_names(mention: Mention, rules: Rules) -> list[Name]:
    """The participants of a mention, with the numbers that its text gives them: "gates 2 and 3"."""
    numbers = numbers_behind_words(mention.text)
    texts: list[str] = []
    absorbed: set[str] = set()
    for participant in mention.participants:
        behind = sorted({number for form in ("", "s", "es") for number in numbers.get(participant + form, ())})
        absorbed.update(behind)
        texts.append(" ".join([participant, *behind]))
    return [name for text in texts if text not in absorbed and (name := read_name(text, rules))]


def read_place(text: str, rules: Rules) -> Place | None:
    """A place as the document writes it, without articles and prepositions; none when nothing is left."""
    kept = [word for word in _WORD.findall(text) if word.casefold() not in rules.function_words]
    if not kept:
        return None
    words = tuple(word.casefold() for word in kept)
    return Place(words, any(word[0].isupper() for word in kept), " ".join(words) in rules.wide_places)


def _told_place(mention: Mention, rules: Rules) -> Place | None:
    """The place of a mention; else the named thing that something came from: "water from the Arlen dam"."""
    if mention.place:
        return read_place(mention.place, rules)
    origin = _ORIGIN.search(mention.text)
    return read_place(origin.group(1), rules) if origin else None


@dataclass(frozen=True, slots=True)
class Traits:
    """What is known of a happening from one mention, or from all mentions of a cluster.

    Attributes:
        numbers: For each mention the numbers of each numbered thing, so that "gates 2 and 3" does not tie 2 to 3; so
            too the times that things go by ("the 7:40 train"), and months, days and weekdays without a year.
        named: The names in each mention that has any, with the words beside them.
        by_hand: True when a person put mentions together that exclude each other.
    """

    kinds: frozenset[str]
    documents: frozenset[str]
    polarities: frozenset[Polarity]
    realities: frozenset[str]
    times: frozenset[Moment]
    incidents: frozenset[str]
    places: frozenset[Place]
    names: frozenset[Name]
    numbers: frozenset[tuple[str, frozenset[str]]]
    words: frozenset[str]
    named: frozenset[str] = frozenset()
    by_hand: bool = False

    @property
    def fine_times(self) -> list[Moment]:
        """Explicit times of day resolution or finer, sorted."""
        return sorted(moment for moment in self.times if moment.fine)


def traits_of(mention: Mention, rules: Rules) -> Traits:
    """The traits that one mention tells."""
    names = read_names(mention, rules)
    place = _told_place(mention, rules)
    times: frozenset[Moment] = frozenset()
    if mention.time_start and mention.time_end and mention.time_resolution:
        times = frozenset({Moment(mention.time_start, mention.time_end, mention.time_resolution in DAY_OR_FINER)})
    words = frozenset(words_of(mention.text))
    # Sides count like numbers: "left" excludes "right" as "gate 2" excludes "gate 3".
    numbers = {" ".join(sorted(group)): words & group for group in rules.contrasts if words & group}
    for name in names:
        if name.numbered:
            head, found = name.numbered
            numbers[head] = numbers.get(head, frozenset()) | found
    numbers |= _times_told(mention)
    named = names_and_beside(mention.text)
    return Traits(
        kinds=frozenset({mention.kind}),
        documents=frozenset({mention.document_id}),
        polarities=frozenset({mention.polarity}),
        realities=frozenset({REALITY[mention.modality]}),
        times=times,
        incidents=frozenset({mention.incident}) if mention.incident else frozenset(),
        places=frozenset({place}) if place else frozenset(),
        names=frozenset(names),
        numbers=frozenset(numbers.items()),
        words=words - rules.function_words,
        named=frozenset({named}) if named else frozenset(),
    )


def _times_told(mention: Mention) -> dict[str, frozenset[str]]:
    """The times that are no stretch of the calendar, in a mention or beside it, under names that no thing has."""
    beside = _times_in(mention.time_words) if mention.time_words is not None else {}
    return {**beside, **_times_in(mention.text)}


def _times_in(text: str) -> dict[str, frozenset[str]]:
    marks = calendar_marks(text)
    found = {f"{sort} of {thing}": frozenset(map(str, times)) for (thing, sort), times in timed_things(text).items()}
    found["month"] = frozenset(str(mark.month) for mark in marks if mark.month is not None)
    found["day of month"] = frozenset(str(mark.day) for mark in marks if mark.day is not None)
    found["minute of day"] = frozenset(str(minute) for mark in clock_marks(text) for minute in mark.minutes)
    return {name: times for name, times in found.items() if times}


def joined(one: Traits, other: Traits, by_hand: bool = False) -> Traits:
    """The traits of both together."""
    return Traits(
        kinds=one.kinds | other.kinds,
        documents=one.documents | other.documents,
        polarities=one.polarities | other.polarities,
        realities=one.realities | other.realities,
        times=one.times | other.times,
        incidents=one.incidents | other.incidents,
        places=one.places | other.places,
        names=one.names | other.names,
        numbers=one.numbers | other.numbers,
        words=one.words | other.words,
        named=one.named | other.named,
        by_hand=one.by_hand or other.by_hand or by_hand,
    )


def excluded(one: Traits, other: Traits) -> bool:
    """True when the two cannot be the same happening.

    Every value of one side is held against every value of the other, so that a cluster cannot chain two happenings
    together through a mention that tells little. Where a person joined what excludes itself, one value that fits is
    enough.
    """
    enough = any if one.by_hand or other.by_hand else all
    checks: tuple[tuple[frozenset[Any], frozenset[Any], Callable[[Any, Any], bool]], ...] = (
        (one.kinds, other.kinds, eq),
        (one.polarities, other.polarities, eq),
        (one.realities, other.realities, eq),
        (one.times, other.times, Moment.overlaps),
        (one.incidents, other.incidents, eq),
        (one.places, other.places, lambda here, there: not here.differs(there)),
        (one.named, other.named, lambda here, there: not tell_apart(here, there)),
    )
    for mine, theirs, fits in checks:
        if mine and theirs and not enough(fits(a, b) for a in mine for b in theirs):
            return True
    numbered = [bool(a & b) for (head, a), (same, b) in product(one.numbers, other.numbers) if head == same]
    return bool(numbered) and not enough(numbered)


def shared_names(one: Traits, other: Traits) -> list[Name]:
    """What takes part in both, each under its shorter name, particular ones first, then by text."""
    pairs = [(a, b) for a, b in product(one.names, other.names) if a.matches(b)]
    shorter = {min(a, b, key=lambda name: (len(name.words), name.text)) for a, b in pairs}
    return sorted(shorter, key=lambda name: (not name.particular, name.text))


def compatible_names(one: Traits, other: Traits) -> bool:
    """True unless both name participants and have none in common."""
    return not one.names or not other.names or bool(shared_names(one, other))


def shared_day(one: Traits, other: Traits) -> str | None:
    """The first day on which explicit fine times of both overlap, `2014-03-02`; none when there is no such day."""
    days = [max(a.start, b.start)[:10] for a, b in product(one.fine_times, other.fine_times) if a.overlaps(b)]
    return min(days, default=None)


def shared_place(one: Traits, other: Traits) -> str | None:
    """The named place that both tell; it may stand among the participants of one of them."""
    found = {place.words for place in one.places & other.places if place.identifies}
    for here, there in ((one, other), (other, one)):
        words = frozenset[str]().union(*(name.words for name in there.names))
        found |= {place.words for place in here.places if place.identifies and words.issuperset(place.words)}
    return " ".join(min(found)) if found else None


def weight_of(names: frozenset[Name] | list[Name], rules: Rules) -> float:
    """How much a set of participants says: 1 for a particular one, little for a generic one."""
    return sum(1.0 if name.particular else rules.generic_weight for name in names)
