"""How near a cause that is offered stands to what the documents tell of an event.

Where documents tell of an event without saying what led to it, its causes are told beside it more often than what else
happened: the option that is nearest to the passages about the event is the better guess than the most plausible one by
its words alone (`python -m benchmarks.accounts`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from kg.fusion import Hit
from reasoning.evidence import Quoter
from reasoning.knowledge import knowledge_of, parts_of, without_repeats
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.wording import as_sentence


class Account:
    """What the documents tell of one event: the passages that are nearest to it."""

    def __init__(self, event: str, room: Room, quoter: Quoter) -> None:
        """Takes what is read.

        Args:
            event: What happened, in words.
            room: Store, index and settings; `knowledge` says whether passages of prose, pairs or both are read.
            quoter: Gives the texts: what several documents say in the same words counts once.
        """
        self._event = event
        self._room = room
        self._quoter = quoter

    def nearness(self, option: str) -> float | None:
        """Mean cosine of an option with the passages about the event, -1 to 1; none where documents do not tell of it.

        Raises:
            PassageTooLong: the option or the event is longer than the encoder reads.
        """
        if not told(self._of_event):
            return None
        return round(nearness(_cosines(self._found(option)), self._of_event), 6)

    def traced(self) -> dict[str, object]:
        """Which passages tell of the event, and who says so, as plain JSON values; an encoder alone, and no judge."""
        about = told(self._of_event)
        nearest = _nearest(self._of_event) if about else []
        return {
            "encoder": self._room.index.encoder.fingerprint,
            "event_told": about,
            "passages": [[id_, round(self._of_event[id_], 6)] for id_ in nearest],
        }

    @cached_property
    def _of_event(self) -> dict[str, float]:
        hits = sorted(self._found(self._event), key=lambda hit: (-hit.cosine, hit.id))
        passages = self._room.store.passages(self._room.collection, [hit.id for hit in hits])
        known = [hit for hit in hits if hit.id in passages]
        return _cosines(without_repeats(known, passages, self._quoter))

    def _found(self, text: str) -> list[Hit]:
        """The passages of all bases that the first search reads."""
        bases = knowledge_of(self._room).first
        # With a full stop, whether it was given with one or not: the encoder reads marks as well.
        return [
            hit
            for kind, part in parts_of(thresholds().account.searched, bases)
            for hit in self._room.index.search_passages(as_sentence(text), part, kind)
        ]


def _cosines(hits: Iterable[Hit]) -> dict[str, float]:
    return {hit.id: hit.cosine for hit in hits}


def told(of_event: Mapping[str, float]) -> bool:
    """Whether there are enough passages, and near enough, for them to be about an event.

    Args:
        of_event: Cosine of the event with each passage that is found for it, by id.
    """
    figures = thresholds().account
    return len(of_event) >= figures.passages and _mean(of_event, _nearest(of_event)) >= figures.about


def nearness(of_option: Mapping[str, float], of_event: Mapping[str, float]) -> float:
    """Mean cosine of an option with the passages that are nearest to an event.

    Args:
        of_option: Cosine of the option with each passage that is found for it, by id; one that is not found counts as
            the farthest that is.
        of_event: Likewise of the event; not empty.
    """
    return _mean(of_option, _nearest(of_event))


def likelihood(near: float) -> float:
    """Probability that an option of such a nearness led to the event, whatever else is offered."""
    figures = thresholds().account
    return 1 / (1 + math.exp(-(figures.slope * near + figures.constant)))


def share(near: float, offered: Collection[float]) -> float:
    """Probability that an option led to the event, where one of those offered did.

    Args:
        near: Its nearness.
        offered: That of all, its own too.
    """
    sharpness = thresholds().account.sharpness
    return 1 / sum(math.exp(sharpness * (one - near)) for one in offered)


def _nearest(of_event: Mapping[str, float]) -> list[str]:
    return sorted(of_event, key=lambda id_: (-of_event[id_], id_))[: thresholds().account.passages]


def _mean(cosines: Mapping[str, float], ids: list[str]) -> float:
    farthest = min(cosines.values(), default=0.0)
    return sum(cosines.get(id_, farthest) for id_ in ids) / len(ids)
