"""Whether two events that were not resolved into one may be the same happening, as far as their words go."""

from __future__ import annotations

from kg.records import Event
from language.content_words import content_keys


def nearly_equal(one: Event, other: Event, share: float) -> bool:
    """Told with the same words, of no different time and of the same polarity: maybe one event in two clusters."""
    if one.id == other.id:
        return True
    if one.polarity is not other.polarity or one.kind != other.kind:
        return False
    if one.time_start and other.time_start and (one.time_start, one.time_end) != (other.time_start, other.time_end):
        return False
    first, second = content_keys(one.description), content_keys(other.description)
    return bool(first | second) and len(first & second) >= share * len(first | second)
