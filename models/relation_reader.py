"""Causes and effects of a sentence by the packaged heads, for text that is read while a question waits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import NamedTuple, Protocol

from models.relation_heads import RelationHeads

Characters = tuple[int, int]
"""First character of a span and one past its last."""


class ReadRelation(NamedTuple):
    """What a sentence seems to make the cause and the effect.

    Attributes:
        cause: Where the cause stands in the sentence.
        effect: Where the effect does.
        probability: How likely it is that the sentence states this, with about these bounds.
    """

    cause: Characters
    effect: Characters
    probability: float


class RelationReader(Protocol):
    """Reads the relations of one sentence; safe to use from threads."""

    @property
    def fingerprint(self) -> str:
        """Name and version of what reads."""
        ...

    def relations(self, text: str, words: Sequence[Characters]) -> list[ReadRelation]:
        """The relations of a sentence, likeliest first; none where it is too long to be read.

        Args:
            text: The sentence.
            words: Where each word stands in `text`, in order.
        """
        ...


class PackagedRelationReader:
    """The packaged heads, one sentence at a time."""

    def __init__(self) -> None:
        """Loads nothing yet: the heads are loaded for the first sentence."""
        self._lock = Lock()

    @cached_property
    def _heads(self) -> RelationHeads:
        return RelationHeads()

    @property
    def fingerprint(self) -> str:
        """That of the heads."""
        return self._heads.fingerprint

    def relations(self, text: str, words: Sequence[Characters]) -> list[ReadRelation]:
        """As `RelationReader.relations`.

        Raises:
            ModelDamaged, ModelMissing: as `RelationHeads`.
        """
        with self._lock:
            read = self._heads.read(text, words)
        if read is None:
            return []
        told = sorted(read.relations, key=lambda one: -one.probability)
        return [
            ReadRelation(
                (words[one.cause[0]][0], words[one.cause[1]][1]),
                (words[one.effect[0]][0], words[one.effect[1]][1]),
                round(one.probability, 6),
            )
            for one in told
        ]
