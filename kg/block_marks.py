"""Blocks and their marks: which kinds of happening wait for derivation, and which kinds are resolved together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from kg.backend import Backend
from kg.components import connected
from kg.records import Decision, DecisionKind


class BlockMarks(Backend):
    """A block is all mentions of one kind, or of the kinds that standing merge decisions tie together."""

    def _mark(self, collection: str, kinds: Iterable[str]) -> None:
        """Marks kinds, and those tied to them now; inside `_transact`.

        A change that removes a tie has to mark before it, one that adds a tie after it.
        """
        asked = set(kinds)
        if not asked:
            return
        block_of = self._tied_kinds(collection)
        blocks = {block_of.get(kind, kind) for kind in asked}
        tied = {kind for kind, block in block_of.items() if block in blocks}
        self._insert_marks(collection, sorted(tied | asked))

    def _tied_kinds(self, collection: str) -> dict[str, str]:
        """For each kind that a standing merge names, the least kind of its block."""
        kinds_of: dict[str, list[str]] = defaultdict(list)
        for decision, kind in self._merged_kinds(collection):
            kinds_of[decision].append(kind)
        pairs = [(kinds[0], kind) for kinds in kinds_of.values() for kind in kinds[1:]]
        return connected((kind for kinds in kinds_of.values() for kind in kinds), pairs)

    def _standing_on_mentions(self, collection: str) -> list[Decision]:
        """The standing merges and splits, oldest first."""
        return [
            decision
            for decision in self.decisions(collection)
            if not decision.undone and decision.kind is not DecisionKind.REJECT_CLAIM
        ]
