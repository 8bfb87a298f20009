"""The first commit: a document with all that was found in it, its replacement, and its deletion without orphans."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

from pydantic import ValidationError

from causetrail.errors import DocumentUnknown, RecordInvalid, RecordUnknown
from kg.block_marks import BlockMarks
from kg.bundle_checks import check_bundle, check_source
from kg.clusters import Clusters
from kg.copy_groups import CopyGroups, packed, unpacked
from kg.document_facts import DocumentFacts, document_record, rejected_of, source_row, stored_document
from kg.near_copies import sketch_of
from kg.records import Resolution
from kg.store import Bundle, Outcome, Source


class DocumentCommits(CopyGroups, BlockMarks, Clusters):
    """Writes documents; every public method is one transaction."""

    def commit_document(self, bundle: Bundle) -> Outcome:
        """The first commit: checks every record against the text, writes, marks. One transaction.

        When the store already holds this content with the same `extraction`, only the source is written, unless it
        became the least source and gives another date: then the times in what was found are new as well.

        Raises:
            RecordInvalid: a quote does not repeat the text at its offsets, or an id is not the hash of its fields.
        """
        facts = self._checked(bundle)
        return self._transact(bundle.collection, lambda: self._commit(facts, bundle))

    def _checked(self, bundle: Bundle) -> DocumentFacts:
        """What the document of a bundle has of its own, once every record was checked against the text.

        Raises:
            RecordInvalid: as `commit_document`.
        """
        document_id = check_bundle(bundle)
        facts = DocumentFacts(
            collection=bundle.collection,
            id=document_id,
            language=bundle.language,
            length=len(bundle.text),
            sha256=sha256(bundle.text.encode("utf-8")).hexdigest(),
            extraction=bundle.extraction,
            dated=bundle.source.published or "",
            sentences=bundle.sentences,
            rejected=json.dumps(dict(bundle.rejected), sort_keys=True),
            sketch=packed(sketch_of(bundle.text)),
        )
        _check_document(facts, bundle.source)
        return facts

    def add_source(self, collection: str, document_id: str, source: Source) -> Outcome:
        """Gives a document that is there one more source, replacing what the source gave before.

        Raises:
            DocumentUnknown: there is no such document.
            RecordInvalid: the source's pages or date are not valid.
        """

        def work() -> Outcome:
            facts = self._known_facts(collection, document_id)
            check_source(source, facts.length)
            _check_document(facts, source)
            outcome, changed = self._write_source(collection, document_id, source)
            if changed:
                self._advance(collection)
            return outcome

        return self._transact(collection, work)

    def delete_source(self, collection: str, name: str) -> None:
        """Removes a source, and its document when that was its last one, with everything found in it.

        Raises:
            RecordUnknown: there is no such source.
        """

        def work() -> None:
            held = self._source_held(collection, name)
            if held is None:
                raise RecordUnknown(kind="source", id=name, collection=collection)
            self._detach(collection, name, held[0])
            self._advance(collection)

        self._transact(collection, work)

    def delete_document(self, collection: str, document_id: str) -> None:
        """Removes a document with all its sources and everything found in it.

        Raises:
            DocumentUnknown: there is no such document.
        """

        def work() -> None:
            self._known_facts(collection, document_id)
            self._delete_sources_of(collection, document_id)
            self._remove_document(collection, document_id)
            self._advance(collection)

        self._transact(collection, work)

    def bundle(self, collection: str, document_id: str) -> Bundle:
        """A document as it was committed, with its least source.

        That source has the date that the relative times in the document were resolved with.

        Raises:
            DocumentUnknown: there is no such document.
        """
        facts = self._known_facts(collection, document_id)
        least = self._least_source(facts)
        if facts.dated != (least.published or ""):
            resolution = (least.published_resolution or Resolution.DAY) if facts.dated else None
            least = replace(least, published=facts.dated or None, published_resolution=resolution)
        passages = self.passages_of(collection, document_id)
        mentions = self.mentions_of(collection, document_id)
        return Bundle(
            collection=collection,
            source=least,
            text=self.document_text(collection, document_id),
            language=facts.language,
            extraction=facts.extraction,
            sentences=facts.sentences,
            passages=tuple(passages),
            passage_vectors=self.passage_vectors(collection, [passage.id for passage in passages]),
            mentions=tuple(mentions),
            mention_vectors=self._mention_vectors(collection, [mention.id for mention in mentions]),
            claims=tuple(self.claims_of(collection, document_id)),
            rejected=rejected_of(facts.rejected),
        )

    def _commit(self, facts: DocumentFacts, bundle: Bundle) -> Outcome:
        stored = self._facts(facts.collection, facts.id)
        if stored is None:
            self._add_document(facts, bundle)
            outcome, _ = self._write_source(facts.collection, facts.id, bundle.source)
            self._advance(facts.collection)
            return Outcome.ADDED if outcome is Outcome.SOURCE_ADDED else Outcome.REPLACED
        outcome, changed = self._write_source(facts.collection, facts.id, bundle.source)
        least = self._least_source(facts)
        redated = least.name == bundle.source.name and stored.dated != facts.dated
        if stored.extraction != facts.extraction or redated:
            self._remove_found(facts.collection, facts.id)
            self._update_document(facts, bundle)
            self._add_found(bundle, facts.id)
            outcome, changed = Outcome.REPLACED, True
        if changed:
            self._advance(facts.collection)
        return outcome

    def _known_facts(self, collection: str, document_id: str) -> DocumentFacts:
        facts = self._facts(collection, document_id)
        if facts is None:
            raise DocumentUnknown(document=document_id, collection=collection)
        return facts

    def _least_source(self, facts: DocumentFacts) -> Source:
        """The source whose title, date and pages a document has.

        Raises:
            StoreDamaged: another program removed all of its sources.
        """
        sources = self.sources(facts.collection, facts.id)
        stored_document(facts, sources)
        return sources[0]

    def _write_source(self, collection: str, document_id: str, source: Source) -> tuple[Outcome, bool]:
        """Writes a source of a document that is there; the outcome, and whether anything changed."""
        before = self._source_held(collection, source.name)
        if before and before[1] == source_row(collection, document_id, source)[-1]:
            return Outcome.UNCHANGED, False
        if before:
            self._detach(collection, source.name, before[0], successor=document_id)
        self._insert_source(collection, document_id, source)
        if not before:
            return Outcome.SOURCE_ADDED, True
        return (Outcome.UNCHANGED if before[0] == document_id else Outcome.REPLACED), True

    def _detach(self, collection: str, name: str, document_id: str, successor: str | None = None) -> None:
        """Removes a source; its document goes with it when it has no other, unless it gets the source back."""
        self._delete_source(collection, name)
        if document_id != successor and not self.sources(collection, document_id):
            self._remove_document(collection, document_id)

    def _add_document(self, facts: DocumentFacts, bundle: Bundle) -> None:
        self._insert_document(facts, bundle)
        copies = self._add_near_copies(facts.collection, facts.id, unpacked(facts.sketch))
        self._weigh_copies(facts.collection, copies)
        self._add_found(bundle, facts.id)

    def _add_found(self, bundle: Bundle, document_id: str) -> None:
        self._insert_found(bundle, document_id)
        self._mark(bundle.collection, [mention.kind for mention in bundle.mentions])

    def _weigh_copies(self, collection: str, document_ids: list[str]) -> None:
        """Derives the edges anew that documents speak of whose group of near-copies has changed."""
        if document_ids:
            self._derive_edges_at(collection, self._events_in(collection, document_ids))

    def _remove_document(self, collection: str, document_id: str) -> None:
        facts = self._known_facts(collection, document_id)
        copies = self._remove_near_copies(collection, document_id, unpacked(facts.sketch))
        self._weigh_copies(collection, copies)
        self._remove_found(collection, document_id)
        self._delete_document(collection, document_id)

    def _remove_found(self, collection: str, document_id: str) -> None:
        """Removes what was found in a document, and from events and edges what came of it."""
        kinds = self._kinds_in(collection, document_id)
        self._mark(collection, kinds)
        events = self._events_in(collection, [document_id])
        self._delete_found(collection, document_id)
        self._regroup(collection, events)
        left = self._kind_sizes(collection, kinds)
        # A kind that no mention is of any more has nothing to derive: its events are gone.
        self._delete_marks(collection, [kind for kind in kinds if kind not in left])


def _check_document(facts: DocumentFacts, source: Source) -> None:
    try:
        document_record(facts, [source])
    except ValidationError as error:
        reason = "; ".join(str(fault["loc"][0]) + ": " + fault["msg"] for fault in error.errors())
        raise RecordInvalid(kind="document", id=facts.id, reason=reason) from None
