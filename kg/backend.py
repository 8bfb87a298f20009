"""What a database has to do for the logic that both stores share.

`DocumentCommits`, `Clusters`, `DecisionLog` and `Derivations` decide what is written; a backend reads and writes it.
Every method that writes is called inside `_transact` only. Rows are tuples in the order of a `RecordTable`'s columns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from kg.document_facts import DocumentFacts
from kg.encoding import Vectors
from kg.record_tables import Row
from kg.records import Claim, Decision, Document, Edge, Event, Hypothesis, Mention, Passage
from kg.store import Bundle, Source, SourceState

T = TypeVar("T")

EdgeKey = tuple[str, str, str]
"""Cause, effect and relation."""


class Backend(ABC):
    """Reads and writes of one database."""

    @property
    @abstractmethod
    def _place(self) -> str:
        """What messages call the store: its path or its address."""

    @property
    @abstractmethod
    def _wait_seconds(self) -> float:
        """How long a writer waits for its turn."""

    @abstractmethod
    def _transact(self, collection: str, work: Callable[[], T]) -> T:
        """Does the work in one transaction, alone in its collection: all of it or nothing. It may be done twice."""

    # Collections

    @abstractmethod
    def generation(self, collection: str) -> int:
        """Grows with every committed change of the collection; 0 when it never held anything."""

    @abstractmethod
    def pending(self, collection: str) -> int:
        """Number of marked kinds that wait for derivation."""

    @abstractmethod
    def _advance(self, collection: str) -> None:
        """Counts one committed change."""

    @abstractmethod
    def _resolver_of(self, collection: str) -> str | None:
        """Version of the resolver that the events come from; none for a collection that never held anything."""

    @abstractmethod
    def _set_resolver(self, collection: str, version: str) -> None:
        """Notes the version of the resolver that the events come from now."""

    @abstractmethod
    def _forget(self, collection: str) -> None:
        """Removes what is known of a collection without documents: decisions, hypotheses, marks, lease, and generation.

        The generation is remembered for the whole store: `_advance` counts on from the largest one that was forgotten.
        """

    # Sources and documents

    @abstractmethod
    def documents(self, collection: str) -> Iterator[Document]:
        """All documents, sorted by id."""

    @abstractmethod
    def source_state(self, collection: str, name: str) -> SourceState | None:
        """What is known of a source; none when it was never taken in."""

    @abstractmethod
    def sources(self, collection: str, document_id: str) -> list[Source]:
        """All sources of a document, sorted by name."""

    @abstractmethod
    def _source_held(self, collection: str, name: str) -> tuple[str, bytes] | None:
        """The document that a source gave, and the digest of the source's row."""

    @abstractmethod
    def _insert_source(self, collection: str, document_id: str, source: Source) -> None:
        """Writes a source of a document that is there."""

    @abstractmethod
    def _delete_source(self, collection: str, name: str) -> None:
        """Removes the source alone."""

    @abstractmethod
    def _facts(self, collection: str, document_id: str) -> DocumentFacts | None:
        """What a document has of its own; none when there is none."""

    @abstractmethod
    def _insert_document(self, facts: DocumentFacts, bundle: Bundle) -> None:
        """Writes a new document; what was found in it is written by `_insert_found`."""

    @abstractmethod
    def _update_document(self, facts: DocumentFacts, bundle: Bundle) -> None:
        """Writes the facts of a document that is there anew, for what is found in it now."""

    @abstractmethod
    def _delete_document(self, collection: str, document_id: str) -> None:
        """Removes a document and its text; what was found in it is gone already, its sources may be."""

    @abstractmethod
    def _delete_sources_of(self, collection: str, document_id: str) -> None:
        """Removes all sources of a document."""

    @abstractmethod
    def _insert_found(self, bundle: Bundle, document_id: str) -> None:
        """Writes passages, mentions and claims of a document with their vectors."""

    @abstractmethod
    def _delete_found(self, collection: str, document_id: str) -> None:
        """Removes passages, mentions and claims of a document; events that have lost their last mention stay."""

    @abstractmethod
    def _kinds_in(self, collection: str, document_id: str) -> list[str]:
        """Kinds of the mentions in a document."""

    @abstractmethod
    def _events_in(self, collection: str, document_ids: Sequence[str]) -> list[str]:
        """Events that mentions in these documents refer to, sorted."""

    @abstractmethod
    def document_text(self, collection: str, document_id: str) -> str:
        """The normalised text; checked against its sha256."""

    @abstractmethod
    def passages_of(self, collection: str, document_id: str) -> list[Passage]:
        """In the order of the text."""

    @abstractmethod
    def mentions_of(self, collection: str, document_id: str) -> list[Mention]:
        """In the order of the text."""

    @abstractmethod
    def claims_of(self, collection: str, document_id: str) -> list[Claim]:
        """In the order of the text."""

    @abstractmethod
    def passage_vectors(self, collection: str, ids: Sequence[str]) -> Vectors:
        """Shape (len(ids), dimension), in the order asked."""

    @abstractmethod
    def _mention_vectors(self, collection: str, ids: Sequence[str]) -> Vectors:
        """Shape (len(ids), dimension), in the order asked."""

    # Near-copies

    @abstractmethod
    def _index_sketch(self, collection: str, document_id: str, hashes: Sequence[str]) -> None:
        """Makes a document a candidate for others that share one of the hashes."""

    @abstractmethod
    def _unindex_sketch(self, collection: str, document_id: str, hashes: Sequence[str]) -> None:
        """Takes that back."""

    @abstractmethod
    def _sketched(self, collection: str) -> Iterator[tuple[str, str, list[str]]]:
        """Of every document its id, its packed sketch, and the hashes that it is indexed by."""

    @abstractmethod
    def _sketches_sharing(self, collection: str, hashes: Sequence[str]) -> list[tuple[str, str]]:
        """Id and packed sketch of every document that has one of the hashes indexed."""

    @abstractmethod
    def _insert_copies(self, collection: str, pairs: Sequence[tuple[str, str]]) -> None:
        """Notes pairs of near-copies, the lesser id first."""

    @abstractmethod
    def _delete_copies(self, collection: str, document_id: str) -> None:
        """Forgets the pairs and the group of a document."""

    @abstractmethod
    def _copies_among(self, collection: str, document_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs of near-copies whose lesser is one of these, sorted."""

    @abstractmethod
    def _set_copy_groups(self, collection: str, groups: Mapping[str, str | None]) -> None:
        """Sets the group of each document, named by its least member; none for one that stands alone."""

    @abstractmethod
    def _copy_group_of(self, collection: str, document_id: str) -> list[str]:
        """The documents of the group a document is in, itself included, sorted; none when it stands alone."""

    @abstractmethod
    def _copy_groups(self, collection: str, document_ids: Sequence[str]) -> dict[str, str]:
        """The group of each document that is in one."""

    # Marks and decisions

    @abstractmethod
    def _insert_marks(self, collection: str, kinds: Sequence[str]) -> None:
        """Marks kinds; those that are marked stay so."""

    @abstractmethod
    def _delete_marks(self, collection: str, kinds: Sequence[str]) -> None:
        """Takes marks away."""

    @abstractmethod
    def _marks(self, collection: str) -> list[str]:
        """Marked kinds, sorted."""

    @abstractmethod
    def _kinds(self, collection: str) -> list[str]:
        """Kinds of all mentions."""

    @abstractmethod
    def _kind_sizes(self, collection: str, kinds: Sequence[str]) -> dict[str, int]:
        """Number of mentions of each of these kinds that has any."""

    @abstractmethod
    def _merged_kinds(self, collection: str) -> list[tuple[str, str]]:
        """Decision and kind, for each kind of a mention that a standing merge names, sorted."""

    @abstractmethod
    def decisions(self, collection: str) -> list[Decision]:
        """All decisions, oldest first."""

    @abstractmethod
    def _decision(self, collection: str, decision_id: str) -> Decision | None:
        """One decision; none when it is not in the log."""

    @abstractmethod
    def _insert_decision(self, decision: Decision) -> None:
        """Writes a decision that is not in the log."""

    @abstractmethod
    def _update_decision(self, decision: Decision) -> None:
        """Writes whether a decision is undone."""

    @abstractmethod
    def _rejected_claims(self, collection: str) -> frozenset[str]:
        """Claims that a standing decision rejects."""

    @abstractmethod
    def hypotheses(self, collection: str) -> list[Hypothesis]:
        """All that were written, by id."""

    @abstractmethod
    def _put_hypothesis(self, hypothesis: Hypothesis) -> None:
        """Writes a hypothesis, over one of the same id."""

    @abstractmethod
    def mentions(self, collection: str, ids: Sequence[str]) -> dict[str, Mention]:
        """Mentions by id, in the order asked; unknown ids are left out."""

    @abstractmethod
    def claims(self, collection: str, ids: Sequence[str]) -> dict[str, Claim]:
        """Claims by id, in the order asked; unknown ids are left out."""

    # Events and edges

    @abstractmethod
    def _block(self, collection: str, kinds: Sequence[str]) -> list[Mention]:
        """All mentions of these kinds, by id."""

    @abstractmethod
    def events_of_mentions(self, collection: str, mention_ids: Sequence[str]) -> dict[str, str]:
        """The event of each mention that refers to one."""

    @abstractmethod
    def _refer(self, collection: str, event_of: Mapping[str, str], before: Mapping[str, str]) -> None:
        """Makes mentions refer to events that are there; `before` tells the events that they referred to, if any."""

    @abstractmethod
    def _referred(self, collection: str, event_ids: Sequence[str]) -> set[str]:
        """Those of the events that a mention refers to."""

    @abstractmethod
    def _members_of(self, collection: str, event_ids: Sequence[str]) -> dict[str, list[str]]:
        """Sorted ids of the mentions of each event that has any."""

    @abstractmethod
    def events(self, collection: str, ids: Sequence[str]) -> dict[str, Event]:
        """Events by id, in the order asked; unknown ids are left out."""

    @abstractmethod
    def _event_rows(self, collection: str, ids: Sequence[str]) -> dict[str, Row]:
        """Rows of `EVENTS` by id, without their digests; unknown ids are left out."""

    @abstractmethod
    def _event_digests(self, collection: str, ids: Sequence[str]) -> dict[str, bytes]:
        """Digest of the row of each event that is there."""

    @abstractmethod
    def _put_events(self, collection: str, rows: Sequence[Row]) -> None:
        """Writes rows of `EVENTS`, over those of the same ids."""

    @abstractmethod
    def _delete_events(self, collection: str, ids: Sequence[str]) -> None:
        """Removes events that no mention refers to, and what resembles them."""

    @abstractmethod
    def _claims_at(
        self, collection: str, event_ids: Sequence[str], only_causes: bool = False
    ) -> tuple[list[Row], dict[str, str]]:
        """Rows of the claims that link these events with others, by id, and the events of their mentions."""

    @abstractmethod
    def _edge_digests(self, collection: str, event_ids: Sequence[str]) -> dict[EdgeKey, bytes]:
        """Digests of the edges at these events."""

    @abstractmethod
    def _edge_rows(self, collection: str, causes: Sequence[str]) -> dict[EdgeKey, Row]:
        """Rows of `EDGES`, without their digests, of the edges that start at these events."""

    @abstractmethod
    def _delete_edges(self, collection: str, keys: Sequence[EdgeKey]) -> None:
        """Removes edges."""

    @abstractmethod
    def _insert_edges(self, collection: str, edges: Sequence[Edge], claims: Mapping[str, Claim]) -> None:
        """Writes edges that are not there; `claims` holds all that they were derived from."""

    @abstractmethod
    def similar_pairs(self, collection: str, event_ids: Sequence[str]) -> set[tuple[str, str]]:
        """Pairs of similar events with one of these, the lesser first."""

    @abstractmethod
    def _delete_similar(self, collection: str, pairs: Sequence[tuple[str, str]]) -> None:
        """Forgets pairs of similar events."""

    @abstractmethod
    def _insert_similar(self, collection: str, pairs: Sequence[tuple[str, str]]) -> None:
        """Notes pairs of similar events, the lesser first."""

    @abstractmethod
    def _graph_size(self, collection: str) -> tuple[int, int]:
        """Number of events and of edges."""

    @abstractmethod
    def _dangling(self, collection: str) -> Iterable[tuple[str, str]]:
        """Mention and event of each reference one side of which is missing, by mention."""

    # The lease

    @abstractmethod
    def _lease_held(self, collection: str) -> tuple[str, float] | None:
        """Who derives the collection, and when that lease ends, in seconds since 1970."""

    @abstractmethod
    def _set_lease(self, collection: str, holder: str, expires: float) -> None:
        """Gives the lease to a holder."""

    @abstractmethod
    def _clear_lease(self, collection: str, holder: str) -> None:
        """Ends the lease if this holder has it."""
