"""Whether an event fits the time that a question speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from kg.records import Document, Event, Resolution
from language.question_times import QuestionTime


class TimeFit(IntEnum):
    """How well an event fits the asked time; larger is better."""

    OUTSIDE = 0
    """It has a time of its own, and that is another one; or all its documents were published before the asked time."""
    UNKNOWN = 1
    """Nothing says when it was."""
    PUBLISHED = 2
    """It has no time of its own, but a document that tells of it was published within the asked time."""
    INSIDE = 3
    """Its own time overlaps the asked one."""


def time_fit(event: Event, documents: Sequence[Document], asked: QuestionTime | None) -> TimeFit:
    """How an event that these documents tell of fits the asked time; a question without a time fits everything.

    A document that was published after the asked time may well look back on it, so that says nothing.
    """
    if asked is None or not asked.intervals:
        return TimeFit.INSIDE
    if event.time_start is not None and event.time_end is not None:
        inside = any(event.time_start < part.end and part.start < event.time_end for part in asked.intervals)
        return TimeFit.INSIDE if inside else TimeFit.OUTSIDE
    published = [(d.published, d.published_resolution) for d in documents if d.published is not None]
    if any(_within(moment, asked) for moment, _ in published):
        return TimeFit.PUBLISHED
    last = max((moment for moment, resolution in published if resolution is not Resolution.YEAR), default=None)
    if last is not None and len(published) == len(documents) and last < min(part.start for part in asked.intervals):
        return TimeFit.OUTSIDE
    return TimeFit.UNKNOWN


def moment_of(event: Event, documents: Sequence[Document]) -> str:
    """The moment by which "the latest" is told: the event's own, or else when a document on it was published."""
    if event.time_start is not None:
        return event.time_start
    return max((document.published for document in documents if document.published is not None), default="")


def _within(moment: str, asked: QuestionTime) -> bool:
    return any(part.start <= moment < part.end for part in asked.intervals)
