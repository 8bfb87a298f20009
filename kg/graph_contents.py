"""All nodes and relationships of one collection of any store, in the terms of `kg/graph_schema.py`.

The Cypher script and the embedded view are made of this, so both hold the same graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from kg.containment import contained
from kg.export_records import events, proved_edges, similar_pairs
from kg.graph_schema import (
    EDGE_TYPES,
    LINKS,
    Label,
    Properties,
    document_properties,
    edge_properties,
    edge_type,
    passage_properties,
    record_properties,
    source_properties,
    style_labels,
)
from kg.records import Event
from kg.store import GraphStore

BATCH = 1_000
"""Most rows of one batch."""

Pair = tuple[str, str]
"""Ids of the nodes where a relationship starts and where it ends."""

Key = TypeVar("Key", bound=str)
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Nodes:
    """Nodes of one label; each has its `collection` and `id` among its properties.

    Attributes:
        styles: What else they wear; see `style_labels`.
    """

    label: Label
    styles: tuple[str, ...]
    rows: list[Properties]


@dataclass(frozen=True, slots=True)
class Links:
    """Relationships without properties, of one kind."""

    start: Label
    name: str
    end: Label
    rows: list[Pair]


@dataclass(frozen=True, slots=True)
class Edges:
    """Relationships from event to event that carry what the claims add up to."""

    name: str
    rows: list[tuple[str, str, Properties]]


def graph_contents(store: GraphStore, collection: str) -> Iterator[Nodes | Links | Edges]:
    """The collection in batches of at most `BATCH` rows: all nodes, then links, then edges.

    Rows come by document and place in the text, or by id; a batch when it is full, and what is left in the order of
    `Label`, `LINKS` and `EDGE_TYPES`. Equal graphs give equal batches. The store must not change meanwhile: read it
    within `GraphStore.snapshot`.
    """
    contents = _Contents(store, collection)
    for label, rows in _filled(contents.nodes(), Label):
        for styles, styled in _by_styles(label, rows).items():
            yield Nodes(label, styles, styled)
    ends = {name: (start, end) for start, name, end in LINKS}
    for name, pairs in _filled(contents.links(), ends):
        start, end = ends[name]
        yield Links(start, name, end, pairs)
    for name, edges in _filled(contents.edges(), EDGE_TYPES):
        yield Edges(name, edges)


def _filled(rows: Iterable[tuple[Key, Item]], keys: Iterable[Key]) -> Iterator[tuple[Key, list[Item]]]:
    """The rows in batches of one key each."""
    waiting: dict[Key, list[Item]] = {key: [] for key in keys}
    for key, row in rows:
        batch = waiting[key]
        batch.append(row)
        if len(batch) == BATCH:
            yield key, batch
            waiting[key] = []
    yield from ((key, batch) for key, batch in waiting.items() if batch)


class _Contents:
    """Everything once, so that no more than one document is held in memory."""

    def __init__(self, store: GraphStore, collection: str) -> None:
        self._store = store
        self._collection = collection

    def nodes(self) -> Iterator[tuple[Label, Properties]]:
        store, collection = self._store, self._collection
        for document in store.documents(collection):
            for source in store.sources(collection, document.id):
                yield Label.SOURCE, source_properties(collection, document.id, source)
            text = store.document_text(collection, document.id)
            yield Label.DOCUMENT, document_properties(document, text)
            for passage in store.passages_of(collection, document.id):
                yield Label.PASSAGE, passage_properties(passage, text[passage.start : passage.end])
            for mention in store.mentions_of(collection, document.id):
                yield Label.MENTION, record_properties(mention)
            for claim in store.claims_of(collection, document.id):
                yield Label.CLAIM, record_properties(claim)
        for event in events(store, collection):
            yield Label.EVENT, record_properties(event)
        for decision in sorted(store.decisions(collection), key=lambda decision: decision.id):
            yield Label.DECISION, record_properties(decision)
        for hypothesis in store.hypotheses(collection):
            yield Label.HYPOTHESIS, record_properties(hypothesis)

    def links(self) -> Iterator[tuple[str, Pair]]:
        store, collection = self._store, self._collection
        for document in store.documents(collection):
            yield from self._links_of(document.id)
        for pair in similar_pairs(store, collection):
            yield "SIMILAR_TO", pair
        for hypothesis in store.hypotheses(collection):
            ends = {
                "WOULD_LINK_CAUSE": Event.mention_id_of(hypothesis.cause),
                "WOULD_LINK_EFFECT": Event.mention_id_of(hypothesis.effect),
            }
            now = store.events_of_mentions(collection, list(ends.values()))
            yield from ((name, (hypothesis.id, now[told])) for name, told in ends.items() if told in now)

    def edges(self) -> Iterator[tuple[str, tuple[str, str, Properties]]]:
        for edge, claims in proved_edges(self._store, self._collection):
            quotes, documents = [claim.quote for claim in claims], [claim.document_id for claim in claims]
            yield edge_type(edge), (edge.cause, edge.effect, edge_properties(edge, quotes, documents))

    def _links_of(self, document_id: str) -> Iterator[tuple[str, Pair]]:
        store, collection = self._store, self._collection
        for source in store.sources(collection, document_id):
            yield "GAVE", (source.name, document_id)
        passages = store.passages_of(collection, document_id)
        mentions = store.mentions_of(collection, document_id)
        for passage in passages:
            yield "HAS_PASSAGE", (document_id, passage.id)
        event_of = store.events_of_mentions(collection, [mention.id for mention in mentions])
        for mention in mentions:
            yield "HAS_MENTION", (document_id, mention.id)
            if mention.id in event_of:
                yield "REFERS_TO", (mention.id, event_of[mention.id])
        inside: dict[tuple[str, str], None] = {}
        for passage, mention in contained(passages, mentions):
            yield "CONTAINS", (passage.id, mention.id)
            if mention.id in event_of:
                inside[passage.id, event_of[mention.id]] = None
        for pair in inside:
            yield "MENTIONS", pair
        for claim in store.claims_of(collection, document_id):
            yield "HAS_CLAIM", (document_id, claim.id)
            for to_mention, to_event, mention_id in (
                ("CAUSE_MENTION", "HAS_CAUSE", claim.cause_mention),
                ("EFFECT_MENTION", "HAS_EFFECT", claim.effect_mention),
            ):
                yield to_mention, (claim.id, mention_id)
                if mention_id in event_of:
                    yield to_event, (claim.id, event_of[mention_id])


def _by_styles(label: Label, rows: list[Properties]) -> dict[tuple[str, ...], list[Properties]]:
    found: dict[tuple[str, ...], list[Properties]] = {}
    for row in rows:
        styles: tuple[str, ...] = ()
        if label in {Label.EVENT, Label.CLAIM}:
            styles = style_labels(row["polarity"], row["modality"], row.get("document_count", 1))
        found.setdefault(styles, []).append(row)
    return dict(sorted(found.items()))
