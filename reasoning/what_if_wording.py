"""What a removal does, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kg.records import Edge, Event, Polarity
from reasoning.wording import as_sentence, event_words, say

Ends = tuple[tuple[Event, Event], ...]
"""Links, each as its cause and its effect."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is told; as in `WhatIf`, but for links, of which only the ends are named.

    Attributes:
        causes: With the place where each is told first, as `alike`.
        effects: Ids of the events that were asked about, and of what is told like them.
        doubtful: Ids of what falls by links only some of which are told as a fact.
        unsure: Whether what leads to the effects is told only as possible.
    """

    causes: tuple[tuple[Event, str], ...]
    alike: tuple[tuple[Event, str], ...]
    effects: frozenset[str]
    doubtful: frozenset[str]
    unsure: bool
    links_only: bool
    taken: Ends
    fallen: tuple[Event, ...]
    standing: tuple[Event, ...]
    unprevented: tuple[Event, ...]
    freed: tuple[Event, ...]
    still_prevented: tuple[Event, ...]
    necessary: bool | None
    sufficient: bool | None
    cut: Ends


def told_of(found: Found) -> str:
    """All of it, of what falls and stands the effects alone where some were asked about."""
    sentences = [_taken_away(found)]
    if found.alike:
        sentences.append(say("what_if", "alike", events=_tellings(found.alike)))
    of_effects = found.effects
    surely = [one for one in found.fallen if one.id not in found.doubtful]
    maybe = [one for one in found.fallen if one.id in found.doubtful]
    for entry, events in (("falls", surely), ("might_fall", maybe), ("stands", found.standing)):
        shown = [one for one in events if not of_effects or one.id in of_effects]
        sentences += _listed(entry, shown)
    sentences += _listed("unprevented", found.unprevented)
    sentences += _listed("freed", found.freed)
    sentences += _listed("still_prevented", found.still_prevented)
    if found.unsure and not found.links_only:
        sentences.append(say("what_if", "unsure"))
    if found.sufficient is not None and not found.links_only:
        entries = {True: "necessary", False: "not_necessary", None: "necessity_open"}
        sentences.append(say("what_if", entries[found.necessary]))
        sentences.append(say("what_if", "sufficient" if found.sufficient else "not_sufficient"))
    if found.cut and not found.links_only:
        sentences.append(say("what_if", "cut", links=_linked(found.cut)))
    return " ".join(map(as_sentence, sentences))


def between_ends(edges: Sequence[Edge], events: Mapping[str, Event]) -> Ends:
    """Links by their ends, each once."""
    return tuple(dict.fromkeys((events[edge.cause], events[edge.effect]) for edge in edges))


def _taken_away(found: Found) -> str:
    if found.links_only:
        return say("what_if", "links", links=_linked(found.taken))
    first, *others = found.causes
    entry = "events" if first[0].polarity is Polarity.AFFIRMED else "denied_events"
    # Several may have one name: what was taken away is not clear then without the places.
    return say("what_if", entry, event=_tellings(found.causes) if others else event_words(first[0]))


def _tellings(told: Sequence[tuple[Event, str]]) -> str:
    return "; ".join(say("what_if", "telling", event=event_words(one), place=place) for one, place in told)


def _linked(ends: Ends) -> str:
    return "; ".join(say("what_if", "link", cause=event_words(a), effect=event_words(b)) for a, b in ends)


def _listed(entry: str, events: Sequence[Event]) -> list[str]:
    named = dict.fromkeys(map(event_words, events))
    return [say("what_if", entry, events="; ".join(named))] if named else []
