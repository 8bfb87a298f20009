"""The events of the graph that a question what if names, or those whose names come near where it names none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kg.records import Event, Evidence, Modality, Polarity, Stance
from language.facts import tells_opposite
from language.questions import Question, effects_question, how_question
from reasoning.evidence import Quoter
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.wording import event_words, say
from traversal.seeds import End, SeedSearch, find_seeds

Named = str | Event
"""A happening in words, or the very event."""
_SHOWN: Final = 3
"""Most events that are named where none matches."""


@dataclass(frozen=True, slots=True)
class EventsNamed:
    """What the words of a question mean in the graph.

    Attributes:
        causes: The events that are meant, best first; none where the words match nothing.
        effects: Likewise of the effect; none where none is asked about.
        as_told: What tells just what is supposed.
        near_causes: Events that the words may have been meant for, where they match nothing, best first.
        near_effects: Likewise of the effect.
    """

    causes: tuple[Event, ...]
    effects: tuple[Event, ...]
    as_told: Evidence | None
    near_causes: tuple[Event, ...]
    near_effects: tuple[Event, ...]


def events_named(event: Named, effect: Named | None, room: Room, supposed: bool | None) -> EventsNamed:
    """Finds what the words of a question mean.

    Args:
        event: What is supposed to be otherwise than told.
        effect: What is asked about especially; none where nothing is.
        room: Store and index.
        supposed: Whether the event is supposed to have happened; none for the contrary of what the documents tell.
    """
    words, of_effect = words_of(event), None if effect is None else words_of(effect)
    limit = room.settings.max_question_characters
    question = effects_question(words, limit) if of_effect is None else how_question(words, of_effect, limit)
    found = _matching(event, question, End.FOCUS if effect is None else End.CAUSE, room)
    causes = _told_as(found, None if supposed is None else not supposed, words)
    of_effects = () if effect is None else _matching(effect, question, End.FOCUS, room)
    taken = {one.id for one in causes}
    return EventsNamed(
        causes=causes,
        effects=tuple(one for one in _told_as(of_effects, None) if one.id not in taken),
        as_told=None if causes or supposed is None else _as_told(found, room),
        near_causes=_near(found),
        near_effects=_near(of_effects),
    )


def _near(found: tuple[Event, ...] | SeedSearch) -> tuple[Event, ...]:
    """The best of what matches only nearly: what is told of another name first."""
    if isinstance(found, tuple):
        return ()
    told: dict[str, Event] = {}
    for seed in (*found.others, *found.near):
        told.setdefault(event_words(seed.event), seed.event)
    return tuple(told.values())[:_SHOWN]


def _matching(named: Named, question: Question, end: End, room: Room) -> tuple[Event, ...] | SeedSearch:
    if isinstance(named, Event):
        return (named,)
    return find_seeds(question, room.index, room.store, room.collection, thresholds().graph.seeds, end)


def _told_as(found: tuple[Event, ...] | SeedSearch, happened: bool | None, words: str = "") -> tuple[Event, ...]:
    """Those that are told as having happened, or as not; of none of both, those the words say, else the contrary."""
    if isinstance(found, tuple):
        return found
    if happened is not None:
        events = [seed.event for seed in found.seeds]
        # What was off was not on: where the opposite is told, what is supposed is denied.
        denied = [tells_opposite(words, one.description) for one in events]
        affirmed = [(one.polarity is Polarity.AFFIRMED) is not other for one, other in zip(events, denied, strict=True)]
        return tuple(one for one, so in zip(events, affirmed, strict=True) if so is happened)
    same = tuple(seed.event for seed in found.seeds if not seed.opposite)
    return same or tuple(seed.event for seed in found.seeds)


def _as_told(found: tuple[Event, ...] | SeedSearch, room: Room) -> Evidence | None:
    """The sentence that tells as a fact what is supposed; none where no event has all words of it."""
    if isinstance(found, tuple) or not found.seeds:
        return None
    best, least = found.seeds[0], thresholds().verdicts.denied_premise_coverage
    if best.coverage < least:
        return None
    quoter = Quoter(room.store, room.collection)
    for mention in room.store.mentions_of_event(room.collection, best.event.id):
        if mention.modality is Modality.ACTUAL and mention.polarity is best.event.polarity:
            told = quoter.mention(mention)
            return quoter.span(told.document_id, told.sentence_start, told.sentence_end, Stance.AGAINST)
    return None


def words_of(named: Named) -> str:
    """Its words."""
    return named.description if isinstance(named, Event) else named


def unknown_told(named: Named, near: Sequence[Event]) -> str:
    """That no event matches, and the names of those that come near."""
    told = say("what_if", "unknown", event=words_of(named))
    names = ", ".join(f"“{event_words(one)}”" for one in near)
    return f"{told} {say('what_if', 'near', events=names)}" if names else told
