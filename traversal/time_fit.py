"""Whether an event fits the time that a question speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from kg.records import Document, Event, Resolution
from language.calendar_marks import CalendarMark
from language.intervals import TimeInterval
from language.question_times import QuestionTime, fits_mark, matches

_COARSE = frozenset({Resolution.QUARTER, Resolution.YEAR, Resolution.DECADE, Resolution.RANGE})
"""Times that may hold any month."""


class TimeFit(IntEnum):
    """How well an event fits the asked time; larger is better."""

    OUTSIDE = 0
    """It has a time of its own, and that is another one; or all its documents were published before the asked time."""
    UNKNOWN = 1
    """Nothing says when it was."""
    PUBLISHED = 2
    """It has no time of its own, but a document that tells of it was published within the asked time."""
    INSIDE = 3
    """Its own time is one that is asked about."""


def time_fit(
    event: Event, documents: Sequence[Document], asked: QuestionTime | None, marks: Sequence[CalendarMark] = ()
) -> TimeFit:
    """How an event that these documents tell of fits the asked time; a question without a time fits everything.

    A document that was published after the asked time may well look back on it, so that says nothing.

    Args:
        event: The event.
        documents: Those that tell of it.
        asked: The time in the question.
        marks: Months, days and weekdays without a year by which it is told; they speak where it has no time of its own.
    """
    if asked is None or (asked.interval is None and asked.month is None):
        return TimeFit.INSIDE
    own = _interval(event.time_start, event.time_end, event.time_resolution)
    if own is not None:
        if matches(asked, own):
            return TimeFit.INSIDE
        vague = asked.interval is None and event.time_resolution in _COARSE
        return TimeFit.UNKNOWN if vague else TimeFit.OUTSIDE
    fits = [fits_mark(asked, mark) for mark in marks]
    if True in fits:
        return TimeFit.INSIDE
    if False in fits:
        return TimeFit.UNKNOWN if None in fits else TimeFit.OUTSIDE
    if any(published_in(document, asked) for document in documents):
        return TimeFit.PUBLISHED
    dated = [(d.published, d.published_resolution) for d in documents if d.published is not None]
    if asked.interval is not None and len(dated) == len(documents):
        known = [moment for moment, resolution in dated if resolution not in _COARSE]
        if len(known) == len(dated) and max(known) < asked.interval.start:
            return TimeFit.OUTSIDE
    return TimeFit.UNKNOWN


def published_in(document: Document, asked: QuestionTime) -> bool:
    """Whether a document says that it was published within the asked time."""
    if document.published is None or document.published_resolution is None:
        return False
    # The least stretch that holds the moment: text sorts as time does, and "~" sorts after "Z".
    return matches(
        asked, TimeInterval(document.published, f"{document.published}~", document.published_resolution.value)
    )


def moment_of(event: Event, documents: Sequence[Document]) -> str:
    """The moment that orders events: its own, or else when the last document on it was published; else empty."""
    if event.time_start is not None:
        return event.time_start
    return max((document.published for document in documents if document.published is not None), default="")


def _interval(start: str | None, end: str | None, resolution: Resolution | None) -> TimeInterval | None:
    if start is None or end is None or resolution is None:
        return None
    return TimeInterval(start, end, resolution.value)
