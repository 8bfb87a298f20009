"""Asks for ids in chunks, and puts what was found in the order in which it was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from typing import TypeVar

from causetrail.errors import RecordInvalid, RecordUnknown

T = TypeVar("T")
S = TypeVar("S", bound=Sized)


def chunks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in order, at most `size` at a time."""
    for at in range(0, len(items), size):
        yield items[at : at + size]


def in_asked_order(found: Mapping[str, T], ids: Iterable[str]) -> dict[str, T]:
    """What was found by id, in the order of first asking; unknown ids are left out."""
    return {id_: found[id_] for id_ in dict.fromkeys(ids) if id_ in found}


def vectors_as_asked(found: Mapping[str, S], kind: str, collection: str, ids: Sequence[str]) -> list[S]:
    """The stored vectors in the order asked.

    Raises:
        RecordUnknown: there is none of such an id.
        RecordInvalid: they have different lengths, because different encoders made them.
    """
    missing = next((id_ for id_ in ids if id_ not in found), None)
    if missing is not None:
        raise RecordUnknown(kind=kind, id=missing, collection=collection)
    other = next((id_ for id_ in ids if len(found[id_]) != len(found[ids[0]])), None)
    if other is not None:
        raise RecordInvalid(kind=kind, id=other, reason="its vector was made by another encoder than the others")
    return [found[id_] for id_ in ids]
