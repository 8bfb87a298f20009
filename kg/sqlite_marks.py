"""Blocks and their marks: which kinds of happening wait for derivation, and which kinds are resolved together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from kg.components import connected
from kg.sqlite_tables import StoreTables


class MarkTables(StoreTables):
    """A block is all mentions of one kind, or of the kinds that standing merge decisions tie together."""

    def pending(self, collection: str) -> int:
        """Number of marked kinds that wait for derivation."""
        return int(self._file.rows("SELECT count(*) FROM mark WHERE collection = ?", (collection,))[0][0])

    def _mark(self, collection: str, kinds: Iterable[str]) -> None:
        """Marks kinds, and those tied to them now; inside `writing`.

        A change that removes a tie has to mark before it, one that adds a tie after it.
        """
        asked = sorted(set(kinds))
        if not asked:
            return
        block_of = self._tied_kinds(collection)
        blocks = {block_of.get(kind, kind) for kind in asked}
        tied = {kind for kind, block in block_of.items() if block in blocks}
        self._file.run_many(
            "INSERT INTO mark (collection, kind) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [(collection, kind) for kind in sorted(tied.union(asked))],
        )

    def _tied_kinds(self, collection: str) -> dict[str, str]:
        """For each kind that a standing merge names, the least kind of its block."""
        rows = self._file.rows(
            "SELECT DISTINCT decision.id, mention.kind FROM decision"
            " JOIN decision_subject ON decision_subject.collection = decision.collection"
            " AND decision_subject.decision_id = decision.id"
            " JOIN mention ON mention.collection = decision.collection AND mention.id = decision_subject.subject_id"
            " WHERE decision.collection = ? AND decision.kind = 'merge' AND decision.undone = 0"
            " ORDER BY decision.id, mention.kind",
            (collection,),
        )
        kinds_of: dict[str, list[str]] = defaultdict(list)
        for decision, kind in rows:
            kinds_of[decision].append(kind)
        pairs = [(kinds[0], kind) for kinds in kinds_of.values() for kind in kinds[1:]]
        return connected((kind for kinds in kinds_of.values() for kind in kinds), pairs)
