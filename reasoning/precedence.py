"""Whether a cause that is offered comes before an event: a cause does not come after its effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kg.records import Modality, Relation
from kg.store import Direction
from language.choices import is_prospective
from language.question_times import question_time
from reasoning.choice_report import Precedence
from reasoning.findings import Findings, budget_of
from reasoning.links import LinkReader
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.time_order import orders
from traversal.deadline import Deadline
from traversal.expansion import joined, meet
from traversal.removal import leads
from traversal.seeds import Seed


class Span(NamedTuple):
    """A stretch of time, as two texts that sort as the times do."""

    start: str
    end: str


def precedence(
    option: str, event: str, found: Findings, room: Room, reader: LinkReader, deadline: Deadline
) -> Precedence:
    """Whether the option comes before the event, by what its words say, the times of its events, and what orders them.

    What follows from the event by the graph, and does not lead to it as well, comes after it.

    What somebody meant to do counts as an antecedent of what followed (the archival rule of Columbaro et al.): the time
    it was meant for says nothing of when it was meant, so it never comes too late by that time.

    Args:
        option: The cause that is offered, in words.
        event: What happened, in words.
        found: The search for a way from the option to the event.
        room: Store and index.
        reader: Gives each link the claims that are reliable enough.
        deadline: When the search has to end.
    """
    causes = [] if found.cause is None else _sure(found.cause.seeds)
    effects = _sure(found.focus.seeds)
    ordered = _ordered(causes, effects, room)
    if ordered is not Precedence.UNKNOWN:
        return ordered
    if not found.chains and _follows(causes, effects, room, reader, deadline):
        return Precedence.AFTER
    first, last = _told(option) or _of(causes), _told(event) or _of(effects)
    if first is None or last is None:
        return Precedence.UNKNOWN
    if first.end <= last.start:
        return Precedence.BEFORE
    meant = is_prospective(option) or any(seed.event.modality is Modality.PLANNED for seed in causes)
    return Precedence.AFTER if last.end <= first.start and not meant else Precedence.UNKNOWN


def _follows(
    causes: Sequence[Seed], effects: Sequence[Seed], room: Room, reader: LinkReader, deadline: Deadline
) -> bool:
    """Whether links that are stated as facts lead from what happened to what is offered as its cause."""
    firsts, lasts = sorted({seed.event.id for seed in effects}), sorted({seed.event.id for seed in causes})
    if not firsts or not lasts or {*firsts} & {*lasts}:
        return False
    parts = meet(firsts, lasts, room.store, room.collection, budget_of(room), deadline)
    links = reader.links(joined(parts).edges)
    stated = [link.edge for link in links if link.best is not None and link.stated_as_fact]
    return leads(firsts, lasts, stated, (Relation.CAUSES, Relation.ENABLES))


def _sure(seeds: Sequence[Seed]) -> list[Seed]:
    """The events that are spoken of as the very thing that was asked about."""
    least = thresholds().graph.sure_match
    return [seed for seed in seeds if seed.match >= least and not seed.opposite]


def _told(text: str) -> Span | None:
    """The stretch of the calendar that a text names."""
    time = question_time(text)
    return None if time is None or time.interval is None else Span(time.interval.start, time.interval.end)


def _of(seeds: Sequence[Seed]) -> Span | None:
    """From the first beginning to the last end of events; none where one of them has no time."""
    spans = [
        Span(seed.event.time_start, seed.event.time_end)
        for seed in seeds
        if seed.event.time_start is not None and seed.event.time_end is not None
    ]
    if not spans or len(spans) < len(seeds):
        return None
    return Span(min(span.start for span in spans), max(span.end for span in spans))


def _ordered(causes: Sequence[Seed], effects: Sequence[Seed], room: Room) -> Precedence:
    """What the documents say of their order in words, where they say it one way only."""
    firsts, lasts = {seed.event.id for seed in causes}, {seed.event.id for seed in effects}
    before = any(edge.effect in lasts for edge in orders([*firsts], Direction.TO_EFFECTS, room))
    after = any(edge.cause in lasts for edge in orders([*firsts], Direction.TO_CAUSES, room))
    if before is after:
        return Precedence.UNKNOWN
    return Precedence.BEFORE if before else Precedence.AFTER
