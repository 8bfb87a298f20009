"""Reads passages, mentions and claims from the embedded store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from kg.encoding import Vectors
from kg.pages import page_at
from kg.record_tables import CLAIMS, MENTIONS, PASSAGES, Row
from kg.records import Claim, Mention, Passage
from kg.sqlite_sources import SourceTables


class EvidenceTables(SourceTables):
    """What was found in documents."""

    def passages(self, collection: str, ids: Sequence[str]) -> dict[str, Passage]:
        """Passages by id; unknown ids are left out."""
        with self._file.reading():
            rows = self._by_ids(PASSAGES, collection, ids)
            return {passage.id: passage for passage in self._passage_records(collection, rows.values())}

    def passages_of(self, collection: str, document_id: str) -> list[Passage]:
        """In the order of the text."""
        sql = f"{PASSAGES.select} WHERE collection = ? AND document_id = ? ORDER BY ordinal"
        with self._file.reading():
            return self._passage_records(collection, self._file.rows(sql, (collection, document_id)))

    def passage_ids(self, collection: str) -> list[str]:
        """Ids of all passages, sorted."""
        rows = self._file.rows("SELECT id FROM passage WHERE collection = ? ORDER BY id", (collection,))
        return [row[0] for row in rows]

    def passage_vectors(self, collection: str, ids: Sequence[str]) -> Vectors:
        """Shape (len(ids), dimension), in the order asked.

        Raises:
            RecordUnknown: there is no passage of such an id.
            RecordInvalid: the vectors come from different encoders.
        """
        return self._vectors("passage_vector", "passage", collection, ids)

    def _mention_vectors(self, collection: str, ids: Sequence[str]) -> Vectors:
        return self._vectors("mention_vector", "mention", collection, ids)

    def mentions(self, collection: str, ids: Sequence[str]) -> dict[str, Mention]:
        """Mentions by id; unknown ids are left out."""
        return {id_: MENTIONS.from_row(row) for id_, row in self._by_ids(MENTIONS, collection, ids).items()}

    def mentions_of(self, collection: str, document_id: str) -> list[Mention]:
        """Mentions of a document, in the order of the text."""
        sql = f'{MENTIONS.select} WHERE collection = ? AND document_id = ? ORDER BY start, "end", id'
        return [MENTIONS.from_row(row) for row in self._file.rows(sql, (collection, document_id))]

    def events_of_passages(self, collection: str, passage_ids: Sequence[str]) -> dict[str, list[str]]:
        """For each passage the ids of the events that a mention inside it refers to, sorted."""
        sql = (
            "SELECT passage.id, event_mention.event_id FROM passage CROSS JOIN mention"
            " ON mention.collection = passage.collection AND mention.document_id = passage.document_id"
            ' AND mention.start >= passage.start AND mention.start < passage."end" AND mention."end" <= passage."end"'
            " CROSS JOIN event_mention"
            " ON event_mention.collection = mention.collection AND event_mention.mention_id = mention.id"
            " WHERE passage.collection = ? AND passage.id IN (SELECT value FROM json_each(?))"
        )
        events: dict[str, set[str]] = defaultdict(set)
        for passage, event in self._rows_in(sql, collection, list(dict.fromkeys(passage_ids))):
            events[passage].add(event)
        return {id_: sorted(events.get(id_, ())) for id_ in self._by_ids(PASSAGES, collection, passage_ids)}

    def claims(self, collection: str, ids: Sequence[str]) -> dict[str, Claim]:
        """Claims by id; unknown ids are left out."""
        return {id_: CLAIMS.from_row(row) for id_, row in self._by_ids(CLAIMS, collection, ids).items()}

    def claims_of(self, collection: str, document_id: str) -> list[Claim]:
        """Claims of a document, in the order of the text."""
        sql = f'{CLAIMS.select} WHERE collection = ? AND document_id = ? ORDER BY start, "end", id'
        return [CLAIMS.from_row(row) for row in self._file.rows(sql, (collection, document_id))]

    def claims_between(self, collection: str, cause: str, effect: str) -> list[Claim]:
        """Claims whose cause mention refers to one event and whose effect mention to the other, by id."""
        sql = (
            f"SELECT {CLAIMS.selected} FROM event_mention AS cause"  # noqa: S608 - names are constants
            " CROSS JOIN claim ON claim.collection = cause.collection AND claim.cause_mention = cause.mention_id"
            " CROSS JOIN event_mention AS effect"
            " ON effect.collection = claim.collection AND effect.mention_id = claim.effect_mention"
            " WHERE cause.collection = ? AND cause.event_id = ? AND effect.event_id = ? ORDER BY claim.id"
        )
        return [CLAIMS.from_row(row) for row in self._file.rows(sql, (collection, cause, effect))]

    def _passage_records(self, collection: str, rows: Iterable[Row]) -> list[Passage]:
        at_document, at_start = PASSAGES.columns.index("document_id"), PASSAGES.columns.index("start")
        pages: dict[str, tuple[int, ...]] = {}
        records = []
        for row in rows:
            document_id = row[at_document]
            if document_id not in pages:
                pages[document_id] = self.sources(collection, document_id)[0].pages
            records.append(PASSAGES.from_row(row, page=page_at(pages[document_id], row[at_start])))
        return records
