"""Decisions in the embedded store: logged, checked against those that stand, and taken back."""

from __future__ import annotations

from collections.abc import Sequence

from causetrail.errors import DecisionRefused, RecordUnknown
from kg.components import connected
from kg.record_tables import CLAIMS, DECISIONS, MENTIONS
from kg.records import Decision, DecisionKind
from kg.sqlite_marks import MarkTables


class DecisionTables(MarkTables):
    """What people said of the graph. It outlives the documents it speaks of: ids are hashes, so they come back."""

    def decide(self, decision: Decision) -> None:
        """Logs a decision and marks the blocks it touches.

        Raises:
            DecisionRefused: its subject does not exist, or it contradicts a standing decision.
        """
        with self._file.writing():
            self._refuse(decision)
            self._write(decision)
            if not decision.undone:
                self._mark_subject(decision)
            self._advance(decision.collection)

    def undo(self, collection: str, decision_id: str) -> Decision:
        """Takes a decision back, and marks the blocks it touched; the decision stays in the log as undone.

        Raises:
            RecordUnknown: there is no such decision.
            DecisionRefused: it was undone before.
        """
        with self._file.writing():
            rows = self._by_ids(DECISIONS, collection, [decision_id])
            if decision_id not in rows:
                raise RecordUnknown(kind="decision", id=decision_id, collection=collection)
            decision = DECISIONS.from_row(rows[decision_id])
            if decision.undone:
                raise DecisionRefused(reason=f"{decision_id} was undone before")
            undone = decision.model_copy(update={"undone": True})
            self._file.rows(
                "UPDATE decision SET undone = 1, digest = ? WHERE collection = ? AND id = ?",
                (DECISIONS.to_row(undone)[-1], collection, decision_id),
            )
            self._mark_subject(decision)
            self._advance(collection)
            return undone

    def decisions(self, collection: str) -> list[Decision]:
        """All decisions, oldest first."""
        sql = f"{DECISIONS.select} WHERE collection = ? ORDER BY at, id"
        return [DECISIONS.from_row(row) for row in self._file.rows(sql, (collection,))]

    def _write(self, decision: Decision) -> None:
        self._file.rows(DECISIONS.insert, DECISIONS.to_row(decision))
        self._file.run_many(
            "INSERT INTO decision_subject (collection, subject_id, decision_id) VALUES (?, ?, ?)",
            [(decision.collection, subject, decision.id) for subject in decision.subject],
        )

    def _mark_subject(self, decision: Decision) -> None:
        mentions: Sequence[str] = decision.subject
        if decision.kind is DecisionKind.REJECT_CLAIM:
            rows = self._by_ids(CLAIMS, decision.collection, decision.subject)
            claims = [CLAIMS.from_row(row) for row in rows.values()]
            mentions = [id_ for claim in claims for id_ in (claim.cause_mention, claim.effect_mention)]
        found = self._by_ids(MENTIONS, decision.collection, mentions).values()
        self._mark(decision.collection, [MENTIONS.from_row(row).kind for row in found])

    def _refuse(self, decision: Decision) -> None:
        subject = decision.subject
        if list(subject) != sorted(set(subject)):
            raise DecisionRefused(reason="its subject is not sorted, or names something twice")
        if decision.kind is DecisionKind.REJECT_CLAIM:
            if len(subject) != 1:
                raise DecisionRefused(reason="it has to name one claim")
            table, kind = CLAIMS.name, "claim"
        else:
            if len(subject) < 2:
                raise DecisionRefused(reason="it has to name two mentions or more")
            table, kind = MENTIONS.name, "mention"
        sql = f"SELECT id FROM {table} WHERE collection = ? AND id IN (SELECT value FROM json_each(?))"  # noqa: S608
        known = {row[0] for row in self._rows_in(sql, decision.collection, subject)}
        missing = next((id_ for id_ in subject if id_ not in known), None)
        if missing is not None and not decision.undone:
            raise DecisionRefused(reason=f"there is no {kind} {missing}")
        logged = self.decisions(decision.collection)
        if any(other.id == decision.id for other in logged):
            raise DecisionRefused(reason=f"a decision {decision.id} is in the log already")
        if not decision.undone:
            self._refuse_contradiction(decision, [other for other in logged if not other.undone])

    def _refuse_contradiction(self, decision: Decision, standing: Sequence[Decision]) -> None:
        same = next((o for o in standing if o.kind is decision.kind and o.subject == decision.subject), None)
        if same is not None:
            raise DecisionRefused(reason=f"{same.id} says the same and stands")
        if decision.kind is DecisionKind.MERGE:
            rows = self._by_ids(MENTIONS, decision.collection, decision.subject).values()
            if len({MENTIONS.from_row(row).polarity for row in rows}) > 1:
                raise DecisionRefused(reason="a happening that is told and one that is denied are never the same")
        together = [*standing, decision]
        merges = [d for d in together if d.kind is DecisionKind.MERGE]
        named = sorted({id_ for d in together for id_ in d.subject})
        least = connected(named, [(d.subject[0], id_) for d in merges for id_ in d.subject[1:]])
        for split in (d for d in together if d.kind is DecisionKind.SPLIT):
            if len({least[id_] for id_ in split.subject}) < len(split.subject):
                other = "the merges that stand" if split is decision else split.id
                raise DecisionRefused(reason=f"it contradicts {other}: the same mentions cannot be one and several")
