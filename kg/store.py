"""The store of the graph, as a protocol: one contract, two implementations, one conformance suite.

Two commits. `commit_document` writes one document with all that was found in it, in one transaction, and marks the
blocks (kinds of happening) it touches. `derive` resolves the marked blocks into events and derives their edges, under a
lease, in bounded transactions that can be repeated. A crash at any point, and several writers, end in the same graph.

Everything is scoped by `collection`. Methods are safe to call from threads. Ids that do not exist are left out of the
answers of the plural methods; the singular ones raise `RecordUnknown` or `DocumentUnknown`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import Protocol, Self

from kg.encoding import Vectors
from kg.records import Claim, Decision, Document, Edge, Event, Hypothesis, Mention, Passage, Relation, Resolution
from kg.resolution import Resolver


@dataclass(frozen=True, slots=True)
class Source:
    """One place a document came from. The metadata of a document are those of its least source.

    Attributes:
        name: Path or `path#row`; unique in its collection.
        raw_sha256: SHA-256 of the bytes it was read from, to tell an unchanged source without loading it.
        origin: The file the source is part of: its own name, or the path before `#`.
    """

    name: str
    raw_sha256: str
    origin: str
    doc_title: str
    published: str | None
    published_resolution: Resolution | None
    media_type: str
    pages: tuple[int, ...]
    normaliser: str


@dataclass(frozen=True, slots=True)
class SourceState:
    """What the store knows of a source: the document it gave and the fingerprints it was made with."""

    name: str
    origin: str
    document_id: str
    raw_sha256: str
    normaliser: str
    extraction: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """One document with all that was found in it, ready to be committed.

    Attributes:
        passage_vectors: Shape (len(passages), dimension).
        mention_vectors: Shape (len(mentions), dimension).
        rejected: Number of rejected candidate claims by reason.
    """

    collection: str
    source: Source
    text: str
    language: str
    extraction: str
    sentences: int
    passages: tuple[Passage, ...]
    passage_vectors: Vectors
    mentions: tuple[Mention, ...]
    mention_vectors: Vectors
    claims: tuple[Claim, ...]
    rejected: Mapping[str, int] = field(default_factory=dict)


class Outcome(StrEnum):
    """What committing a document did."""

    ADDED = "added"
    REPLACED = "replaced"
    """The source gave other content before; that went unless another source still gives it."""
    SOURCE_ADDED = "source_added"
    """The content was there already; it now has one more source."""
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Derivation:
    """What a derivation did."""

    blocks: int
    events: int
    edges: int
    generation: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a collection holds. `rejected` adds up the rejected candidate claims by reason."""

    documents: int
    not_english: int
    characters: int
    sentences: int
    passages: int
    mentions: int
    claims: int
    events: int
    edges: int
    decisions: int
    rejected: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CollectionSize:
    """A collection and how much it holds."""

    name: str
    documents: int
    events: int
    decisions: int


@dataclass(frozen=True, slots=True)
class Merge:
    """An event of two or more mentions, and why they are one."""

    event: Event
    mentions: tuple[str, ...]
    reasons: tuple[str, ...]


class Direction(StrEnum):
    """Which way edges are followed from an event."""

    TO_CAUSES = "to_causes"
    TO_EFFECTS = "to_effects"


Progress = Callable[[str, int, int], None]
"""Called with a stage's name, what is done of it and how much there is."""


def by_confidence(edge: Edge) -> tuple[float, str, str, str]:
    """What edges are sorted by where the most reliable come first; ties by cause, effect and relation."""
    return -edge.confidence, edge.cause, edge.effect, edge.relation.value


@dataclass(frozen=True, slots=True)
class EdgesBack:
    """The edges at the border of an expansion that lead back into it.

    Attributes:
        edges: Those, by descending confidence, then cause, effect and relation.
        leads_on: Whether an edge within the limit leads to an event that was not reached.
        more: Whether an event has more edges than the limit.
    """

    edges: list[Edge]
    leads_on: bool
    more: bool


class GraphStore(Protocol):
    """Everything the rooms above need of a store."""

    @property
    def address(self) -> str:
        """The address it was opened with."""
        ...

    def close(self) -> None: ...

    def snapshot(self) -> AbstractContextManager[None]:
        """All that the calling thread reads inside is of one state and one generation; nothing may be written inside.

        On a server that holds for each collection that is read, once the block has ended without an error: until then
        what was read may be of two states. A server that went away is told of as in `prompt`.

        Raises:
            SnapshotLost: the store keeps no old states, and something was committed meanwhile to a collection that was
                read.
        """
        ...

    def prompt(self, answer_seconds: float | None = None) -> AbstractContextManager[None]:
        """What the calling thread reads inside tells within seconds that a server went away, instead of waiting.

        Args:
            answer_seconds: Longest time that a server may take for one read, after which it counts as hung
                (`ServerBusy`); without a bound when not given.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    # Collections

    def collections(self) -> list[str]:
        """Names of the collections that hold documents or decisions, sorted."""
        ...

    def counts(self, collection: str) -> Counts:
        """How much the collection holds."""
        ...

    def generation(self, collection: str) -> int:
        """Grows with every committed change of the collection; 0 when it holds nothing."""
        ...

    def pending(self, collection: str) -> int:
        """Number of marked blocks that wait for derivation."""
        ...

    def drop(self, collection: str, progress: Progress | None = None) -> int:
        """Removes a collection and everything in it; gives the number of documents that were removed.

        Bounded transactions; one that was interrupted goes on when it is called again.

        Args:
            progress: Called with the stage `drop`, documents removed, and documents there are.

        Raises:
            CollectionUnknown: the store holds nothing of this name.
        """
        ...

    # Documents

    def source_state(self, collection: str, name: str) -> SourceState | None:
        """What is known of a source; none when it was never taken in."""
        ...

    def sources_of_origin(self, collection: str, origin: str) -> list[SourceState]:
        """All sources that are part of a file, sorted by name."""
        ...

    def commit_document(self, bundle: Bundle) -> Outcome:
        """The first commit: checks every record against the text, writes, marks. One transaction.

        When the store already holds this content with the same `extraction`, only the source is written.

        Raises:
            RecordInvalid: a quote does not repeat the text at its offsets, or an id is not the hash of its fields.
        """
        ...

    def sources(self, collection: str, document_id: str) -> list[Source]:
        """All sources of a document, sorted by name; none when there is no such document."""
        ...

    def has_content(self, collection: str, document_id: str, extraction: str) -> bool:
        """Whether this content was already extracted with these rules, so that `add_source` is enough."""
        ...

    def add_source(self, collection: str, document_id: str, source: Source) -> Outcome:
        """Gives a document that is there one more source, replacing what the source gave before."""
        ...

    def delete_source(self, collection: str, name: str) -> None:
        """Removes a source, and its document when that was its last one, with everything found in it."""
        ...

    def delete_document(self, collection: str, document_id: str) -> None:
        """Removes a document with all its sources and everything found in it."""
        ...

    def bundle(self, collection: str, document_id: str) -> Bundle:
        """A document as it was committed, with its least source, and the date that times in it were resolved with."""
        ...

    def document(self, collection: str, document_id: str) -> Document: ...

    def document_text(self, collection: str, document_id: str) -> str:
        """The normalised text; checked against its sha256."""
        ...

    def documents(self, collection: str) -> Iterator[Document]:
        """All documents, sorted by id."""
        ...

    # Passages and mentions

    def passages(self, collection: str, ids: Sequence[str]) -> dict[str, Passage]: ...

    def passages_of(self, collection: str, document_id: str) -> list[Passage]:
        """In the order of the text."""
        ...

    def passage_ids(self, collection: str) -> list[str]:
        """Ids of all passages, sorted."""
        ...

    def passage_vectors(self, collection: str, ids: Sequence[str]) -> Vectors:
        """Shape (len(ids), dimension), in the order asked; unknown ids raise `RecordUnknown`."""
        ...

    def mentions(self, collection: str, ids: Sequence[str]) -> dict[str, Mention]: ...

    def mentions_of(self, collection: str, document_id: str) -> list[Mention]:
        """Mentions of a document, in the order of the text."""
        ...

    def events_of_passages(self, collection: str, passage_ids: Sequence[str]) -> dict[str, list[str]]:
        """For each passage the ids of the events that a mention inside it refers to, sorted."""
        ...

    # Claims and decisions

    def claims(self, collection: str, ids: Sequence[str]) -> dict[str, Claim]: ...

    def claims_of(self, collection: str, document_id: str) -> list[Claim]:
        """Claims of a document, in the order of the text."""
        ...

    def claims_between(self, collection: str, cause: str, effect: str) -> list[Claim]:
        """Claims whose cause mention refers to one event and whose effect mention to the other, by id."""
        ...

    def decide(self, decision: Decision) -> None:
        """Logs a decision and marks the blocks it touches.

        Raises:
            RecordUnknown: a part of its subject does not exist.
            DecisionRefused: it has no form of a decision, or contradicts a standing one.
        """
        ...

    def log_decision(self, decision: Decision) -> None:
        """Logs a decision as another store logged it, standing or undone, without judging it.

        One that stands here is undone when the other is; one that was undone here stays so.

        Raises:
            RecordInvalid: its collection has no name that is allowed.
        """
        ...

    def undo(self, collection: str, decision_id: str) -> Decision:
        """Takes a decision back, and marks the blocks it touched; the decision stays in the log as undone."""
        ...

    def decisions(self, collection: str) -> list[Decision]:
        """All decisions, oldest first."""
        ...

    # The derived graph

    def derive(self, collection: str, resolver: Resolver, progress: Progress | None = None) -> Derivation:
        """The second commit: resolves marked blocks and derives their edges until none is marked.

        Waits for the lease when another process holds it, at most the configured wait.

        Raises:
            StoreLocked: the lease was not free in time.
        """
        ...

    def event(self, collection: str, event_id: str) -> Event:
        """The event; an old id is answered by the event that now holds its mention."""
        ...

    def events(self, collection: str, ids: Sequence[str]) -> dict[str, Event]: ...

    def event_ids(self, collection: str) -> list[str]:
        """Ids of all events, sorted."""
        ...

    def event_vectors(self, collection: str, ids: Sequence[str]) -> Vectors:
        """Vectors of the events' descriptions, shape (len(ids), dimension), in the order asked."""
        ...

    def mentions_of_event(self, collection: str, event_id: str) -> list[Mention]:
        """By document and place in the text."""
        ...

    def event_of_mention(self, collection: str, mention_id: str) -> str | None:
        """Id of the event that a mention refers to; none before it was derived."""
        ...

    def events_of_mentions(self, collection: str, mention_ids: Sequence[str]) -> dict[str, str]:
        """The event of each mention that refers to one."""
        ...

    def similar_pairs(self, collection: str, event_ids: Sequence[str]) -> set[tuple[str, str]]:
        """Pairs of similar events with one of these, the lesser first."""
        ...

    def similar_events(self, collection: str, event_id: str) -> list[str]:
        """Ids of events that resemble it without positive identity, sorted; never followed by a traversal."""
        ...

    def merges(self, collection: str, across_documents: bool = False) -> Iterator[Merge]:
        """Events of two or more mentions, by id; only those that span documents when asked."""
        ...

    def edges(self, collection: str) -> Iterator[Edge]:
        """All edges, sorted by cause, effect and relation."""
        ...

    def edges_at(
        self,
        collection: str,
        event_ids: Sequence[str],
        direction: Direction,
        relations: Sequence[Relation],
        floor: float = 0.0,
        ruled_out: bool | None = False,
        limit_each: int | None = None,
    ) -> list[Edge]:
        """Edges at any of the events, followed one way, with `p_for` of at least `floor`.

        Sorted by descending confidence, then cause, effect and relation.

        Args:
            ruled_out: False for edges that stand, true for those ruled out, whatever their `p_for`, none for both.
            limit_each: Most at one event of those that stand, and of those ruled out, first in that order; all if none.
        """
        ...

    def edges_back(
        self,
        collection: str,
        event_ids: Sequence[str],
        direction: Direction,
        relations: Sequence[Relation],
        floor: float,
        limit_each: int,
        reached: Sequence[str],
    ) -> EdgesBack:
        """What `edges_at` gives at the events with these bounds, of edges that stand: those to events reached.

        It is the last step of an expansion, which needs of all the other edges no more than whether there are any.
        """
        ...

    # Hypotheses

    def hypotheses(self, collection: str) -> list[Hypothesis]:
        """All that were written, by id, whatever was decided on them; none of them is an edge."""
        ...

    def propose(self, hypothesis: Hypothesis) -> bool:
        """Writes a hypothesis; whether it is new. One of the same id stays as it was written first.

        Raises:
            RecordInvalid: its id is not the hash of its fields, it has no moment, or links an event with itself.
            RecordUnknown: one of its events does not exist.
        """
        ...

    def write_hypothesis(self, hypothesis: Hypothesis) -> None:
        """Writes a hypothesis as another store wrote it, over one of the same id.

        Raises:
            RecordInvalid: as `propose`, or its collection has no name that is allowed.
        """
        ...

    def accept(self, decision: Decision, note: Bundle) -> None:
        """Commits the note that states a hypothesis and logs the decision for it: one transaction, all or nothing.

        Undoing the decision removes the note; the hypothesis was there all the time.

        Raises:
            RecordInvalid: as `commit_document`.
            RecordUnknown: there is no such hypothesis.
            DecisionRefused: the decision is no acceptance of what the note states, or the hypothesis is decided on.
        """
        ...
