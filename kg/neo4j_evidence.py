"""Reads passages, mentions and claims from the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from kg import neo4j_queries as queries
from kg.asked_order import in_asked_order
from kg.encoding import Vectors
from kg.graph_schema import Label
from kg.neo4j_rows import NODES
from kg.neo4j_tables import ServerTables
from kg.record_tables import CLAIMS, MENTIONS, PASSAGES, Row
from kg.records import Claim, Mention, Passage

S = TypeVar("S", Passage, Mention, Claim)


class EvidenceNodes(ServerTables):
    """What was found in documents."""

    def passages(self, collection: str, ids: Sequence[str]) -> dict[str, Passage]:
        """Passages by id; unknown ids are left out."""
        return _asked(map(_passage, self._rows_in(queries.PASSAGES, collection, ids)), ids)

    def passages_of(self, collection: str, document_id: str) -> list[Passage]:
        """In the order of the text."""
        found = map(_passage, self._rows(queries.PASSAGES_OF, collection, id=document_id))
        return sorted(found, key=lambda passage: passage.ordinal)

    def passage_ids(self, collection: str) -> list[str]:
        """Ids of all passages, sorted."""
        return sorted(row[0] for row in self._rows(queries.PASSAGE_IDS, collection))

    def passage_vectors(self, collection: str, ids: Sequence[str]) -> Vectors:
        """Shape (len(ids), dimension), in the order asked.

        Raises:
            RecordUnknown: there is no passage of such an id.
            RecordInvalid: the vectors come from different encoders.
        """
        return self._vectors(queries.PASSAGE_VECTORS, "passage", collection, ids)

    def mentions(self, collection: str, ids: Sequence[str]) -> dict[str, Mention]:
        """Mentions by id, in the order asked; unknown ids are left out."""
        return _asked(map(mention_of, self._rows_in(queries.MENTIONS, collection, ids)), ids)

    def mentions_of(self, collection: str, document_id: str) -> list[Mention]:
        """Mentions of a document, in the order of the text."""
        return sorted(map(mention_of, self._rows(queries.MENTIONS_OF, collection, id=document_id)), key=_place)

    def events_of_passages(self, collection: str, passage_ids: Sequence[str]) -> dict[str, list[str]]:
        """For each passage the ids of the events that a mention inside it refers to, sorted."""
        found = {row[0]: sorted(row[1]) for row in self._rows_in(queries.EVENTS_OF_PASSAGES, collection, passage_ids)}
        return in_asked_order(found, passage_ids)

    def claims(self, collection: str, ids: Sequence[str]) -> dict[str, Claim]:
        """Claims by id, in the order asked; unknown ids are left out."""
        return _asked(map(_claim, self._rows_in(queries.CLAIMS, collection, ids)), ids)

    def claims_of(self, collection: str, document_id: str) -> list[Claim]:
        """Claims of a document, in the order of the text."""
        return sorted(map(_claim, self._rows(queries.CLAIMS_OF, collection, id=document_id)), key=_place)

    def claims_between(self, collection: str, cause: str, effect: str) -> list[Claim]:
        """Claims whose cause mention refers to one event and whose effect mention to the other, by id."""
        found = map(_claim, self._rows(queries.CLAIMS_BETWEEN, collection, cause=cause, effect=effect))
        return sorted(found, key=lambda claim: claim.id)

    def _mention_vectors(self, collection: str, ids: Sequence[str]) -> Vectors:
        return self._vectors(queries.MENTION_VECTORS, "mention", collection, ids)


def mention_of(row: Row) -> Mention:
    """The mention that a statement returned."""
    return MENTIONS.from_fields(NODES[Label.MENTION].fields(row))


def _claim(row: Row) -> Claim:
    return CLAIMS.from_fields(NODES[Label.CLAIM].fields(row))


def _passage(row: Row) -> Passage:
    *values, page = row
    return PASSAGES.from_fields(NODES[Label.PASSAGE].fields(values) | {"page": page})


def _place(record: Mention | Claim) -> tuple[int, int, str]:
    return record.start, record.end, record.id


def _asked(records: map[S], ids: Sequence[str]) -> dict[str, S]:
    """The records by id, in the order of first asking."""
    return in_asked_order({record.id: record for record in records}, ids)
