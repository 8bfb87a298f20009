"""Quotes with their place, checked against the documents once more when they are used."""

from __future__ import annotations

from causetrail.errors import StoreDamaged
from kg.pages import page_at
from kg.records import Claim, Document, Evidence, Mention, Passage, Stance
from kg.store import GraphStore


class Quoter:
    """Makes evidence for one question; every text is read from the store once."""

    def __init__(self, store: GraphStore, collection: str) -> None:
        self._store = store
        self._collection = collection
        self._documents: dict[str, tuple[Document, str]] = {}

    def claim(self, claim: Claim, stance: Stance) -> Evidence:
        """The quote of a claim.

        Raises:
            StoreDamaged: the document does not hold these words at this place.
        """
        evidence = self.span(claim.document_id, claim.start, claim.end, stance, claim.id)
        if evidence.quote != claim.quote:
            raise self._damaged(f"the quote of the claim {claim.id} is not what {evidence.source} says there")
        return evidence

    def mention(self, mention: Mention) -> Mention:
        """The mention itself, when the document holds its words.

        Raises:
            StoreDamaged: the document does not hold these words at this place.
        """
        document, text = self._read(mention.document_id)
        if text[mention.start : mention.end] != mention.text:
            raise self._damaged(f"the words of the mention {mention.id} are not what {document.sources[0]} says there")
        return mention

    def span(self, document_id: str, start: int, end: int, stance: Stance, claim_id: str | None = None) -> Evidence:
        """A stretch of a document as evidence.

        Raises:
            StoreDamaged: the document is shorter than that.
        """
        document, text = self._read(document_id)
        if end > len(text):
            raise self._damaged(f"{document.sources[0]} is shorter than a quote from it")
        return Evidence(
            document_id=document_id,
            start=start,
            end=end,
            source=document.sources[0],
            quote=text[start:end],
            page=page_at(document.pages, start),
            line=text.count("\n", 0, start) + 1,
            claim_id=claim_id,
            stance=stance,
        )

    def telling(self, event_id: str) -> Evidence:
        """The first sentence that tells of an event, as context.

        Raises:
            StoreDamaged: its document is shorter than that.
        """
        mention = self._store.mentions_of_event(self._collection, event_id)[0]
        return self.span(mention.document_id, mention.sentence_start, mention.sentence_end, Stance.CONTEXT)

    def place(self, claim: Claim) -> str:
        """Where a claim stands, for a person."""
        return place_of(self.claim(claim, Stance.CONTEXT))

    def document(self, document_id: str) -> Document:
        """A document."""
        return self._read(document_id)[0]

    def text(self, document_id: str) -> str:
        """The text of a document."""
        return self._read(document_id)[1]

    def passage(self, passage: Passage) -> str:
        """The words of a passage."""
        return self.text(passage.document_id)[passage.start : passage.end]

    def _read(self, document_id: str) -> tuple[Document, str]:
        if document_id not in self._documents:
            document = self._store.document(self._collection, document_id)
            self._documents[document_id] = document, self._store.document_text(self._collection, document_id)
        return self._documents[document_id]

    def _damaged(self, what: str) -> StoreDamaged:
        return StoreDamaged(path=self._store.address, what=what)


def span_of(evidence: Evidence) -> list[object]:
    """Where a quote stands, as plain JSON values for the trace."""
    return [evidence.document_id, evidence.start, evidence.end]


def place_of(evidence: Evidence) -> str:
    """Where a quote stands, for a person: `flood-2.md:9`, `report.pdf, page 4`."""
    if evidence.page is not None:
        return f"{evidence.source}, page {evidence.page}"
    return f"{evidence.source}:{evidence.line}"
