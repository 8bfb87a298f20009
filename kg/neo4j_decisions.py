"""Marks, decisions, hypotheses and near-copies on the server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kg import neo4j_queries as queries
from kg.graph_schema import Label
from kg.neo4j_evidence import mention_of
from kg.neo4j_rows import NODES
from kg.neo4j_tables import ServerTables
from kg.record_tables import DECISIONS, HYPOTHESES, Row
from kg.records import Decision, Hypothesis, Mention


class DecisionNodes(ServerTables):
    """Which kinds wait for derivation, and what people decided about them."""

    def pending(self, collection: str) -> int:
        """Number of marked kinds that wait for derivation."""
        return int(self._rows(queries.PENDING, collection)[0][0])

    def decisions(self, collection: str) -> list[Decision]:
        """All decisions, oldest first."""
        found = map(_decision, self._rows(queries.DECISIONS, collection))
        return sorted(found, key=lambda decision: (decision.at, decision.id))

    def _insert_marks(self, collection: str, kinds: Sequence[str]) -> None:
        self._write(queries.INSERT_MARKS, collection, kinds)

    def _delete_marks(self, collection: str, kinds: Sequence[str]) -> None:
        self._write(queries.DELETE_MARKS, collection, kinds)

    def _marks(self, collection: str) -> list[str]:
        return sorted(row[0] for row in self._rows(queries.MARKS, collection))

    def _kinds(self, collection: str) -> list[str]:
        return [row[0] for row in self._rows(queries.KINDS, collection)]

    def _block(self, collection: str, kinds: Sequence[str]) -> list[Mention]:
        found = map(mention_of, self._rows_in(queries.BLOCK, collection, kinds))
        return sorted(found, key=lambda mention: mention.id)

    def _kind_sizes(self, collection: str, kinds: Sequence[str]) -> dict[str, int]:
        return {row[0]: row[1] for row in self._rows_in(queries.KIND_SIZES, collection, kinds)}

    def _merged_kinds(self, collection: str) -> list[tuple[str, str]]:
        return sorted((row[0], row[1]) for row in self._rows(queries.MERGED_KINDS, collection))

    def _decision(self, collection: str, decision_id: str) -> Decision | None:
        found = self._rows(queries.DECISION, collection, id=decision_id)
        return _decision(found[0]) if found else None

    def _insert_decision(self, decision: Decision) -> None:
        properties = NODES[Label.DECISION].properties(DECISIONS.to_row(decision))
        self._rows(queries.INSERT_DECISION, decision.collection, properties=properties)

    def _update_decision(self, decision: Decision) -> None:
        properties = NODES[Label.DECISION].properties(DECISIONS.to_row(decision))
        self._rows(queries.UPDATE_DECISION, decision.collection, id=decision.id, properties=properties)

    def hypotheses(self, collection: str) -> list[Hypothesis]:
        """All that were written, by id; none of them is an edge."""
        table = NODES[Label.HYPOTHESIS]
        found = [HYPOTHESES.from_fields(table.fields(row)) for row in self._rows(queries.HYPOTHESES, collection)]
        return sorted(found, key=lambda hypothesis: hypothesis.id)

    def _put_hypothesis(self, hypothesis: Hypothesis) -> None:
        properties = NODES[Label.HYPOTHESIS].properties(HYPOTHESES.to_row(hypothesis))
        self._rows(queries.PUT_HYPOTHESIS, hypothesis.collection, id=hypothesis.id, properties=properties)
        self._rows(queries.LINK_HYPOTHESES, hypothesis.collection)

    def _rejected_claims(self, collection: str) -> frozenset[str]:
        return frozenset(row[0] for row in self._rows(queries.REJECTED, collection))

    def _index_sketch(self, collection: str, document_id: str, hashes: Sequence[str]) -> None:
        self._write(queries.INDEX_SKETCH, collection, hashes, id=document_id)

    def _unindex_sketch(self, collection: str, document_id: str, hashes: Sequence[str]) -> None:
        self._rows(queries.UNINDEX_SKETCH, collection, id=document_id)

    def _sketched(self, collection: str) -> Iterator[tuple[str, str, list[str]]]:
        for id_, sketch, hashes in self._server.stream(queries.SKETCHED, collection=collection):
            yield id_, sketch, [str(hash_) for hash_ in hashes]

    def _sketches_sharing(self, collection: str, hashes: Sequence[str]) -> list[tuple[str, str]]:
        return [(row[0], row[1]) for row in self._rows(queries.SKETCHES_SHARING, collection, rows=list(hashes))]

    def _insert_copies(self, collection: str, pairs: Sequence[tuple[str, str]]) -> None:
        self._write(queries.INSERT_COPIES, collection, [{"a": a, "b": b} for a, b in pairs])

    def _delete_copies(self, collection: str, document_id: str) -> None:
        self._rows(queries.DELETE_COPIES, collection, id=document_id)

    def _copies_among(self, collection: str, document_ids: Sequence[str]) -> list[tuple[str, str]]:
        return sorted((row[0], row[1]) for row in self._rows_in(queries.COPIES_AMONG, collection, document_ids))

    def _set_copy_groups(self, collection: str, groups: Mapping[str, str | None]) -> None:
        self._write(queries.SET_COPY_GROUPS, collection, [{"id": id_, "least": least} for id_, least in groups.items()])

    def _copy_group_of(self, collection: str, document_id: str) -> list[str]:
        return sorted(row[0] for row in self._rows(queries.COPY_GROUP_OF, collection, id=document_id))

    def _copy_groups(self, collection: str, document_ids: Sequence[str]) -> dict[str, str]:
        return {row[0]: row[1] for row in self._rows_in(queries.COPY_GROUPS, collection, document_ids)}


def _decision(row: Row) -> Decision:
    return DECISIONS.from_fields(NODES[Label.DECISION].fields(row))
