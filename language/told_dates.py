"""When a happening was, by another sentence of its document: "on 15 July *a storm* hit. *The storm* caused the leak".

Only what one sentence dates beyond doubt counts: it tells one time, in one clause, as a fact, of one happening that its
document does not tell twice.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

from language.clause_words import VERBAL, Span
from language.clauses import Clauses
from language.content_words import content_keys, key_of
from language.intervals import TimeInterval, day_interval
from language.lemmas import is_past_or_participle
from language.quick_sentences import quick_sentences
from language.stated_causes import stated_as, stated_causes, stated_orders
from language.time_patterns import find_times
from language.times import TimeExpression, TimeReader
from language.tokens import Sentence
from language.word_classes import WordClass

W = WordClass
_DEFINITE: Final = frozenset({"the", "this", "that", "these", "those", "its", "his", "her", "their", "our"})
_INDEFINITE: Final = frozenset({"a", "an"})
_IN_PHRASE: Final = frozenset({W.NOUN, W.ADJECTIVE, W.NUMBER, W.ADVERB, W.PARTICIPLE, W.GERUND})
_AUXILIARIES: Final = frozenset({W.AUXILIARY, W.MODAL, W.ADVERB})
_OPENS_OTHER: Final = frozenset({W.RELATIVE, W.SUBORDINATOR})
_ANY_YEAR: Final = 2000
"""Stands for the year where a document names none; a leap year."""
_WITHOUT_YEAR: Final = frozenset({"day_month", "month_day", "month_alone"})
_COUNTED_ON: Final = frozenset({"shifted", "following"})
"""Times that count from the one told before: "three days later"."""


@dataclass(frozen=True, slots=True)
class ToldDate:
    """When a happening was.

    Attributes:
        words: The time as the document writes it.
        interval: When that is, in some year where the document names none.
        of_any_year: Whether it names none.
    """

    words: str
    interval: TimeInterval
    of_any_year: bool


@dataclass(frozen=True, slots=True)
class _Dated:
    """A sentence that tells one time."""

    sentence: Sentence
    time: TimeExpression
    date: ToldDate


class ToldDates:
    """The happenings that the sentences of a stretch of a document date."""

    def __init__(self, text: str, offset: int, published: TimeInterval | None) -> None:
        """Takes the stretch.

        Args:
            text: Its words.
            offset: Where it starts in its document.
            published: When the document was published; none when nobody knows.
        """
        self._sentences = [one for one in quick_sentences(text, offset) if one.prose]
        self._published = published

    def of_cause(self, words: str, place: tuple[int, int]) -> ToldDate | None:
        """When a cause began; none where that is not told.

        Args:
            words: The cause, as its sentence names it.
            place: Where that sentence starts and ends.
        """
        own = self._named_in(words, place)
        if own is not None:
            return own
        told = self._told(words, place, _verbs("came_about"))
        if not told:
            return None
        first = min(told, key=lambda one: one.interval.start)
        # A time that any sentence names with it, and that is earlier, may be of its beginning.
        head = _head(words)
        named = [one.date for one in self._dated if head in _keys(one.sentence) and not _is_at(one.sentence, place)]
        return None if any(one.interval.start < first.interval.start for one in named) else first

    def of_effect(self, words: str, place: tuple[int, int]) -> ToldDate | None:
        """By when an effect had begun; none where that is not told. The arguments are those of `of_cause`."""
        own = self._named_in(words, place)
        if own is not None:
            return own
        told = self._told(words, place, _verbs("came_about") | _verbs("was_there"))
        return min(told, key=lambda one: one.interval.start, default=None)

    @cached_property
    def _read(self) -> list[tuple[Sentence, list[TimeExpression]]]:
        """The sentences with their times."""
        # Without a year, dates still tell an order.
        nominal = day_interval(date(_ANY_YEAR, 7, 1)) if self._of_any_year else self._published
        reader = TimeReader(nominal)
        return [(one, reader.read(one)) for one in self._sentences]

    @cached_property
    def _of_any_year(self) -> bool:
        places = [place.name for one in self._sentences for place in find_times(one.text)]
        known = (_WITHOUT_YEAR | _COUNTED_ON).issuperset(places)
        return self._published is None and known and _WITHOUT_YEAR.issuperset(places[:1])

    @cached_property
    def _dated(self) -> list[_Dated]:
        return [
            _Dated(one, times[0], ToldDate(times[0].text, times[0].interval, self._of_any_year))
            for one, times in self._read
            if len(times) == 1 and len(find_times(one.text)) <= 2
        ]

    def _named_in(self, words: str, place: tuple[int, int]) -> ToldDate | None:
        """The one time that the words name themselves."""
        times = [time for one, told in self._read if _is_at(one, place) for time in told if time.text in words]
        return ToldDate(times[0].text, times[0].interval, self._of_any_year) if len(times) == 1 else None

    def _told(self, words: str, place: tuple[int, int], verbs: frozenset[str]) -> list[ToldDate]:
        """The times that sentences tell of the happening; none where it may be one of several."""
        head, keys = _head(words), content_keys(words)
        others = [one for one in self._dated if not _is_at(one.sentence, place)]
        if not head or not _is_known(words):
            return []
        told = [one for one in others if _dates(one, head, keys, verbs)]
        if not told or self._may_be_another(head, place):
            return []
        begun = {one.date.interval.start for one in told if _dates(one, head, keys, _verbs("came_about"))}
        again = any(token.lower == "again" for one in told for token in one.sentence.tokens)
        return [] if len(begun) > 1 or again else [one.date for one in told]

    def _may_be_another(self, head: str, place: tuple[int, int]) -> bool:
        """Whether the document tells of more than one such happening, or of one only behind the place."""
        introduced = 0
        for one in self._sentences:
            for opening in _openings(one, head):
                if not _others().isdisjoint(opening):
                    return True
                if not _INDEFINITE.isdisjoint(opening):
                    introduced += 1
                    if one.start >= place[0]:
                        return True
        return introduced > 1


def _is_at(sentence: Sentence, place: tuple[int, int]) -> bool:
    return sentence.start < place[1] and place[0] < sentence.end


def _is_known(words: str) -> bool:
    """Whether words speak of a happening that was told before: "the storm", "Storm Ida"."""
    first = words.split(maxsplit=1)[:1]
    named = [one for one in words.split()[1:] if one[:1].isupper()]
    return bool(first) and (first[0].lower() in _DEFINITE or (bool(named) and first[0].lower() not in _INDEFINITE))


def _head(words: str) -> str:
    """The key of the noun that a phrase, or the subject of a clause, is about."""
    for sentence in quick_sentences(words):
        head = _head_in(Clauses(sentence), 0, len(sentence.tokens))
        if head >= 0:
            return key_of(sentence.tokens[head].text)
    return ""


def _head_in(clauses: Clauses, start: int, end: int) -> int:
    """The last noun of the first noun phrase of a span; -1 where there is none."""
    for place in range(start, end):
        if clauses.classes[place] is W.NOUN and (place + 1 >= end or clauses.classes[place + 1] is not W.NOUN):
            return place
    return -1


def _openings(sentence: Sentence, head: str) -> Iterator[frozenset[str]]:
    """The words before each noun of a key in its phrase, the article among them."""
    places = [place for place, token in enumerate(sentence.tokens) if key_of(token.lower) == head]
    if not places:
        return
    clauses = Clauses(sentence)
    for place in (each for each in places if clauses.classes[each] is W.NOUN):
        start = place
        while start > 0 and clauses.classes[start - 1] in _IN_PHRASE:
            start -= 1
        article = start - 1 if start > 0 and clauses.classes[start - 1] in (W.DETERMINER, W.PRONOUN) else start
        yield frozenset(clauses.words[article:place])


def _dates(dated: _Dated, head: str, keys: frozenset[str], verbs: frozenset[str]) -> bool:
    """Whether a sentence tells when a happening of these words came about, or was found."""
    sentence = dated.sentence
    if not keys & _keys(sentence):
        return False
    linked = stated_causes(sentence) or any(not one.reaches_back for one in stated_orders(sentence))
    if linked or stated_as(sentence) != (True, True):
        return False
    clauses = Clauses(sentence)
    if not _OPENS_OTHER.isdisjoint(clauses.classes) or _has_other_clause(clauses):
        return False
    verb = _verb(clauses)
    if verb < 0:
        return False
    if key_of(clauses.words[verb]) in keys and keys <= _keys(sentence):
        return True
    subject = _without_time(clauses, clauses.subject(clauses.verb_group(verb, frozenset())), dated.time)
    passive = clauses.classes[verb] is W.PARTICIPLE
    told = subject
    if clauses.words[subject[0] : subject[1]] == ["there"] and clauses.is_be(verb):
        told = (verb + 1, len(clauses.words))
    elif clauses.tokens[verb].lemma not in verbs:
        return False
    elif clauses.tokens[verb].lemma in _verbs("was_there") and not passive and not _is_about(clauses, told, head):
        told = (verb + 1, len(clauses.words))
    return _is_about(clauses, told, head) and keys <= content_keys(" ".join(clauses.words[slice(*told)]))


def _without_time(clauses: Clauses, span: Span, time: TimeExpression) -> Span:
    """A subject without the time in front of it: "*three days later* a storm"."""
    behind = next((at for at in range(*span) if clauses.tokens[at].start >= time.end), span[0])
    return (behind, span[1]) if time.end <= clauses.tokens[max(behind, span[0])].start else span


def _verb(clauses: Clauses) -> int:
    """The full verb of a sentence; -1 where it has none."""
    verb = next((at for at, one in enumerate(clauses.classes) if one in VERBAL), -1)
    if verb < 0:
        # "a storm hit": with nothing behind it the word may be a noun.
        last = max((at for at, word in enumerate(clauses.words) if word.isalpha()), default=-1)
        return last if last > 0 and is_past_or_participle(clauses.words[last]) else -1
    while verb + 1 < len(clauses.words) and clauses.classes[verb] in _AUXILIARIES:
        if clauses.classes[verb + 1] is W.DETERMINER:
            break
        verb += 1
    return verb


def _is_about(clauses: Clauses, span: Span, head: str) -> bool:
    place = _head_in(clauses, *span)
    return place >= 0 and key_of(clauses.words[place]) == head


def _has_other_clause(clauses: Clauses) -> bool:
    """Whether a second clause with a subject of its own follows: "and the storm ended"."""
    joins = [at for at, one in enumerate(clauses.classes) if one is W.CONJUNCTION or clauses.words[at] == ";"]
    return any(clauses.subject_of_verb(at + 1, len(clauses.words)) for at in joins)


def _keys(sentence: Sentence) -> frozenset[str]:
    return content_keys(sentence.text)


@cache
def _table() -> dict[str, frozenset[str]]:
    raw = tomllib.loads(files("language").joinpath("told_dates.toml").read_text(encoding="utf-8"))
    return {name: frozenset(words.split()) for name, words in raw.items()}


def _verbs(name: str) -> frozenset[str]:
    return _table()[name]


def _others() -> frozenset[str]:
    return _table()["others"]
