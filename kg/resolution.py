"""What the derivation needs of a resolver, as a protocol: `extraction` implements it, the caller passes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from kg.records import Decision, Mention


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a resolver says of the mentions of one block.

    Attributes:
        clusters: Every mention id exactly once; ids sorted inside a cluster, clusters sorted by their first id.
        similar: Pairs (a, b), a < b, of least mention ids of two clusters that resemble each other without positive
            identity; sorted.
        reasons: For each cluster of two or more mentions, under its first id, why they are one; for the merge log.
    """

    clusters: tuple[tuple[str, ...], ...]
    similar: tuple[tuple[str, str], ...]
    reasons: dict[str, tuple[str, ...]]


class Resolver(Protocol):
    """A pure function of mentions, decisions and its own version, whatever the order of the mentions."""

    @property
    def version(self) -> str:
        """Changes whenever the same mentions could be resolved otherwise."""
        ...

    def resolve(self, mentions: Sequence[Mention], decisions: Sequence[Decision]) -> Resolved:
        """Clusters the mentions of one block: all mentions of one kind, or of kinds that merge decisions tie together.

        `decisions` holds the standing MERGE and SPLIT decisions that name one of these mentions.
        """
        ...
