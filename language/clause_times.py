"""The month, day, weekday or clock time, without a year, by which a clause tells when what it names happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from language.calendar_marks import calendar_marks
from language.clause_words import Span
from language.clauses import Clauses
from language.clock_marks import clock_marks
from language.tokens import Sentence
from language.word_classes import WordClass

W = WordClass
_OTHER_CLAUSE: Final = frozenset({W.SUBORDINATOR, W.RELATIVE})
_SAYS: Final = frozenset({W.FINITE, W.AUXILIARY, W.MODAL}) | _OTHER_CLAUSE
"""Words that part a time from what it is no time of: "*on Monday* the mayor *said* that a fault had caused it"."""
_NEAR: Final = 12
"""Most characters between a day and a clock time of that day: "on 9 June, at 8:40"."""


def time_beside(sentence: Sentence, clauses: Clauses, span: Span, other: Span) -> str | None:
    """The words of the time beside a span, in its own clause; none where none is told, or more than one.

    Args:
        sentence: The sentence.
        clauses: The same sentence with its word classes.
        span: The tokens that name a happening.
        other: The tokens of what a cue links with it, whose time is no time of this; else an empty span.
    """
    text = sentence.text
    days = [(mark.start, mark.end) for mark in calendar_marks(text)]
    clocks = [(mark.start, mark.end) for mark in clock_marks(text)]
    if not (days or clocks) or max(len(days), len(clocks)) > 1:
        return None
    first, last = sorted((*days, *clocks))[0], sorted((*days, *clocks))[-1]
    if last[0] - first[1] > _NEAR:
        return None
    inside = [
        place
        for place, token in enumerate(clauses.tokens)
        if token.start - sentence.start < last[1] and first[0] < token.end - sentence.start
    ]
    if not inside or not _is_of(clauses, (inside[0], inside[-1] + 1), span, other):
        return None
    return text[first[0] : last[1]]


def _is_of(clauses: Clauses, time: Span, span: Span, other: Span) -> bool:
    """Whether a time stands outside of both spans, and nothing between it and the span opens another clause."""
    spans = [one for one in (span, other) if one[0] < one[1]]
    if any(time[0] < end and start < time[1] for start, end in spans):
        return False
    opens, ends = min(start for start, _ in spans), max(end for _, end in spans)
    if opens < time[0] < ends:
        return _SAYS.isdisjoint(_between(clauses, time, span))
    # The day in front of "the road closed after ice had formed" is that of the closing alone, one behind it is not.
    farther = span != (min(spans) if time[0] < opens else max(spans))
    apart = farther and not _OTHER_CLAUSE.isdisjoint(_between(clauses, span, other))
    return not apart and _SAYS.isdisjoint(_between(clauses, time, (opens, ends)))


def _between(clauses: Clauses, one: Span, other: Span) -> Sequence[WordClass]:
    """The classes of the words between two spans."""
    (_, start), (end, _) = sorted((one, other))
    return clauses.classes[start:end]
