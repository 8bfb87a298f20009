"""Causes that by the dates told came after their effects: a document may state such a link, and it is not believed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from kg.records import CAUSAL_RELATIONS, Claim, Document, Event, Mention, Modality
from kg.store import Direction
from language.choices import is_prospective
from language.intervals import TimeInterval
from language.phrases import as_part
from language.question_times import QuestionTime, question_time
from language.told_dates import ToldDate, ToldDates
from reasoning.evidence import Quoter
from reasoning.room import Room

_HALF_YEAR: Final = 183
"""Days beyond which two dates without a year may well be of two years."""
_REACH: Final = 2_000
"""Characters around a statement in which other sentences may date what it links."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A happening in words, and when it was.

    Attributes:
        told: The time as the document writes it where it names no year, so that the year of `time` is any; else empty.
    """

    words: str
    time: TimeInterval
    told: str = ""

    @classmethod
    def of(cls, event: Event) -> Self | None:
        """An event; none when it has no time."""
        if event.time_start is None or event.time_end is None or event.time_resolution is None:
            return None
        words = as_part(event.description, opened_sentence=True)
        return cls(words, TimeInterval(event.time_start, event.time_end, event.time_resolution.value))

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Words that name their own stretch of the calendar; none when they name none."""
        return cls._at(text, question_time(text))

    @classmethod
    def asked(cls, event: Event, asked: QuestionTime | None) -> Self | None:
        """An event, dated by the question where documents give it no time."""
        return cls.of(event) or cls._at(event.description, asked)

    @classmethod
    def _at(cls, words: str, time: QuestionTime | None) -> Self | None:
        if time is None or time.interval is None:
            return None
        return cls(as_part(words, opened_sentence=True), time.interval)


@dataclass(frozen=True, slots=True)
class LateCause:
    """What is stated as a cause, and its effect, which was over when the cause began."""

    cause: Dated
    effect: Dated


def late_cause(cause: Dated | None, effect: Dated | None) -> LateCause | None:
    """The two, when their times say that the effect came first; never where that depends on years that are not told."""
    if cause is None or effect is None or effect.time.end > cause.time.start:
        return None
    of_any_year = bool(cause.told), bool(effect.told)
    if any(of_any_year) and not (all(of_any_year) and (cause.time.first - effect.time.first).days < _HALF_YEAR):
        return None
    return LateCause(cause, effect)


def is_planned(cause: Mention) -> bool:
    """Whether a cause is told as meant to be: the day it was meant for may well come after what it led to."""
    return cause.modality is Modality.PLANNED or is_prospective(cause.text)


class DatesAround:
    """When what a statement links was, by the sentences around it: "on 15 July a storm hit. The storm caused ..."."""

    def __init__(self, quoter: Quoter) -> None:
        """Takes what gives the texts."""
        self._quoter = quoter
        self._read: dict[tuple[str, int, int], ToldDates] = {}

    def cause(self, words: str, document_id: str, place: tuple[int, int]) -> Dated | None:
        """When a cause began; none where no sentence there tells.

        Args:
            words: The cause, as the statement names it.
            document_id: Where the statement stands.
            place: Its first character and one past its last.
        """
        return _as_told(words, self._around(document_id, place).of_cause(words, place))

    def effect(self, words: str, document_id: str, place: tuple[int, int]) -> Dated | None:
        """By when an effect had begun; likewise."""
        return _as_told(words, self._around(document_id, place).of_effect(words, place))

    def _around(self, document_id: str, place: tuple[int, int]) -> ToldDates:
        key = (document_id, *place)
        if key not in self._read:
            whole = self._quoter.text(document_id)
            start, end = max(0, place[0] - _REACH), place[1] + _REACH
            if start > 0:
                # No sentence, and no date, is read from its middle.
                start = max(whole.rfind("\n", start, place[0]), whole.rfind(". ", start, place[0]), start) + 1
            self._read[key] = ToldDates(whole[start:end], start, _published(self._quoter.document(document_id)))
        return self._read[key]


def _as_told(words: str, date: ToldDate | None) -> Dated | None:
    if date is None:
        return None
    return Dated(as_part(words, opened_sentence=True), date.interval, date.words if date.of_any_year else "")


def _published(document: Document) -> TimeInterval | None:
    """When a document was published; the last moment is of no use to a reader of times."""
    if document.published is None or document.published_resolution is None:
        return None
    return TimeInterval(document.published, document.published, document.published_resolution.value)


class LateCauses:
    """Which statements of some passages name a cause that came after its effect."""

    def __init__(self, passages: Sequence[str], room: Room, quoter: Quoter) -> None:
        """Takes where the statements are.

        Args:
            passages: Ids of the passages.
            room: Store and settings.
            quoter: Gives the texts.
        """
        self._around = DatesAround(quoter)
        self._store = room.store
        self._collection = room.collection
        self._late = self._by_graph(passages)

    def of(
        self,
        document_id: str,
        place: tuple[int, int],
        is_made_of: Callable[[Claim], bool],
        cause: str,
        effect: str,
    ) -> LateCause | None:
        """The cause and the effect of one statement by the times of its events, or else by the dates in the words.

        Those are its own words, or those of the sentences around it.

        Args:
            document_id: Where the statement stands.
            place: Its first character and one past its last.
            is_made_of: Whether a claim was made of it.
            cause: The words on the side of the cause.
            effect: Those on the side of the effect.
        """
        for claim, late in self._late.get(document_id, ()):
            if is_made_of(claim):
                return late
        if is_prospective(cause):
            return None
        at = document_id, place
        began = Dated.read(cause) or self._around.cause(cause, *at)
        if began is None:
            return None
        in_words = late_cause(began, Dated.read(effect) or self._around.effect(effect, *at))
        if in_words is None or self._is_dated(filter(is_made_of, self._store.claims_of(self._collection, document_id))):
            return None
        return in_words

    def _is_dated(self, claims: Iterable[Claim]) -> bool:
        """Whether the graph knows the times of both events, which it reads better than a side of a cue shows them."""
        pairs = [(claim.cause_mention, claim.effect_mention) for claim in claims]
        mentions = self._store.mentions(self._collection, sorted({id_ for pair in pairs for id_ in pair}))
        return any(all(mentions[id_].time_start is not None for id_ in pair) for pair in pairs)

    def _by_graph(self, passages: Sequence[str]) -> dict[str, list[tuple[Claim, LateCause]]]:
        store, collection = self._store, self._collection
        told = {id_ for ids in store.events_of_passages(collection, passages).values() for id_ in ids}
        edges = store.edges_at(collection, sorted(told), Direction.TO_EFFECTS, CAUSAL_RELATIONS) if told else []
        late = [edge for edge in edges if not edge.consistent]
        found: dict[str, list[tuple[Claim, LateCause]]] = defaultdict(list)
        if not late:
            return found
        events = store.events(collection, sorted({id_ for edge in late for id_ in (edge.cause, edge.effect)}))
        claims = store.claims(collection, sorted({id_ for edge in late for id_ in edge.claims}))
        causes = store.mentions(collection, sorted({claim.cause_mention for claim in claims.values()}))
        for edge in late:
            pair = late_cause(Dated.of(events[edge.cause]), Dated.of(events[edge.effect]))
            for claim in (claims[id_] for id_ in edge.claims if id_ in claims):
                if pair is not None and not is_planned(causes[claim.cause_mention]):
                    found[claim.document_id].append((claim, pair))
        return found
