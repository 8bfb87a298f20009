"""Marks, decisions and hypotheses in the embedded store."""

from __future__ import annotations

from collections.abc import Sequence

from kg.record_tables import DECISIONS, HYPOTHESES, MENTIONS
from kg.records import Decision, Hypothesis, Mention
from kg.sqlite_tables import StoreTables


class DecisionTables(StoreTables):
    """Which kinds wait for derivation, and what people decided about them."""

    def pending(self, collection: str) -> int:
        """Number of marked kinds that wait for derivation."""
        return int(self._file.rows("SELECT count(*) FROM mark WHERE collection = ?", (collection,))[0][0])

    def decisions(self, collection: str) -> list[Decision]:
        """All decisions, oldest first."""
        sql = f"{DECISIONS.select} WHERE collection = ? ORDER BY at, id"
        return [DECISIONS.from_row(row) for row in self._file.rows(sql, (collection,))]

    def _insert_marks(self, collection: str, kinds: Sequence[str]) -> None:
        self._file.run_many(
            "INSERT INTO mark (collection, kind) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [(collection, kind) for kind in kinds],
        )

    def _delete_marks(self, collection: str, kinds: Sequence[str]) -> None:
        self._file.run_many(
            "DELETE FROM mark WHERE collection = ? AND kind = ?", [(collection, kind) for kind in kinds]
        )

    def _marks(self, collection: str) -> list[str]:
        rows = self._file.rows("SELECT kind FROM mark WHERE collection = ? ORDER BY kind", (collection,))
        return [row[0] for row in rows]

    def _kinds(self, collection: str) -> list[str]:
        rows = self._file.rows("SELECT DISTINCT kind FROM mention WHERE collection = ?", (collection,))
        return [row[0] for row in rows]

    def _block(self, collection: str, kinds: Sequence[str]) -> list[Mention]:
        sql = f"{MENTIONS.select} WHERE collection = ? AND kind IN (SELECT value FROM json_each(?))"  # noqa: S608
        found = map(MENTIONS.from_row, self._rows_in(sql, collection, kinds))
        return sorted(found, key=lambda mention: mention.id)

    def _kind_sizes(self, collection: str, kinds: Sequence[str]) -> dict[str, int]:
        sql = (
            "SELECT kind, count(*) FROM mention WHERE collection = ? AND kind IN (SELECT value FROM json_each(?))"
            " GROUP BY kind"
        )
        return dict(self._rows_in(sql, collection, kinds))

    def _merged_kinds(self, collection: str) -> list[tuple[str, str]]:
        rows = self._file.rows(
            "SELECT DISTINCT decision.id, mention.kind FROM decision"
            " JOIN decision_subject ON decision_subject.collection = decision.collection"
            " AND decision_subject.decision_id = decision.id"
            " JOIN mention ON mention.collection = decision.collection AND mention.id = decision_subject.subject_id"
            " WHERE decision.collection = ? AND decision.kind = 'merge' AND decision.undone = 0"
            " ORDER BY decision.id, mention.kind",
            (collection,),
        )
        return [(row[0], row[1]) for row in rows]

    def _decision(self, collection: str, decision_id: str) -> Decision | None:
        rows = self._by_ids(DECISIONS, collection, [decision_id])
        return DECISIONS.from_row(rows[decision_id]) if rows else None

    def _insert_decision(self, decision: Decision) -> None:
        self._file.rows(DECISIONS.insert, DECISIONS.to_row(decision))
        self._file.run_many(
            "INSERT INTO decision_subject (collection, subject_id, decision_id) VALUES (?, ?, ?)",
            [(decision.collection, subject, decision.id) for subject in decision.subject],
        )

    def _update_decision(self, decision: Decision) -> None:
        self._file.rows(
            "UPDATE decision SET undone = ?, digest = ? WHERE collection = ? AND id = ?",
            (int(decision.undone), DECISIONS.to_row(decision)[-1], decision.collection, decision.id),
        )

    def hypotheses(self, collection: str) -> list[Hypothesis]:
        """All that were written, by id; none of them is an edge."""
        rows = self._file.rows(f"{HYPOTHESES.select} WHERE collection = ? ORDER BY id", (collection,))
        return [HYPOTHESES.from_row(row) for row in rows]

    def _put_hypothesis(self, hypothesis: Hypothesis) -> None:
        key = (hypothesis.collection, hypothesis.id)
        self._file.rows("DELETE FROM hypothesis WHERE collection = ? AND id = ?", key)
        self._file.rows(HYPOTHESES.insert, HYPOTHESES.to_row(hypothesis))

    def _rejected_claims(self, collection: str) -> frozenset[str]:
        rows = self._file.rows(
            "SELECT subject_id FROM decision JOIN decision_subject"
            " ON decision_subject.collection = decision.collection AND decision_subject.decision_id = decision.id"
            " WHERE decision.collection = ? AND decision.kind = 'reject_claim' AND decision.undone = 0",
            (collection,),
        )
        return frozenset(row[0] for row in rows)
