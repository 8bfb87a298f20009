"""What requests carry and what lists look like; everything else is a record of the graph, unchanged."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from causetrail.settings import COLLECTION_NAME
from kg.records import Polarity, Relation

Item = TypeVar("Item")


class Body(BaseModel):
    """Base of all request bodies: no unknown fields, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


class TextIn(Body):
    """One document as text."""

    name: str = Field(min_length=1, max_length=1_000, examples=["post-mortems/2024-03.md"])
    """Source name; it stays the name of this document. Its ending tells the format."""
    text: str = Field(examples=["The cache was flushed. As a result, the checkout service failed."])
    """The content."""
    published: str | None = Field(default=None, examples=["2024-03-05"])
    """Date of publication; what the document itself says when not given."""


class QuestionIn(Body):
    """A question."""

    question: str = Field(examples=["Why did the checkout service fail?"])
    """The question, in a sentence or two."""
    strategy: str = Field(default="default", examples=["default"])
    """Name of a recipe; docs/strategies.md tells all of them."""
    with_hypotheses: bool = Field(default=False, examples=[False])
    """Where nothing stated answers, follow the written hypotheses that nobody decided on."""


class EventIn(Body):
    """Something that happened."""

    event: str = Field(examples=["the checkout service failed"])
    """In words, or the id of an event."""
    strategy: str = Field(default="default", examples=["default"])
    """Name of a recipe; docs/strategies.md tells all of them."""


class PairIn(Body):
    """A cause and an effect."""

    cause: str = Field(examples=["the cache was flushed"])
    """What came first, in words, or the id of an event."""
    effect: str = Field(examples=["the checkout service failed"])
    """What it may have led to, in words, or the id of an event."""
    strategy: str = Field(default="default", examples=["default"])
    """Name of a recipe; docs/strategies.md tells all of them."""


class WhatIfIn(Body):
    """Something that is supposed to be otherwise than the documents tell."""

    event: str = Field(examples=["the cache was flushed"])
    """In words, or the id of an event."""
    effect: str | None = Field(default=None, examples=["the checkout service failed"])
    """What is asked about especially, in words, or the id of an event."""
    links_only: bool = Field(default=False, examples=[False])
    """Take away only the direct links from the event to the effect."""


class ChoiceIn(Body):
    """An event, and causes of it that are offered."""

    event: str = Field(examples=["the checkout service failed"])
    """In words, or the id of an event."""
    options: list[str] = Field(examples=[["the cache was flushed", "a certificate expired", "none of the others"]])
    """2 to 26 causes, in words, or ids of events; one may be that none of the others is right."""
    strategy: str = Field(default="default", examples=["default"])
    """Name of a recipe; docs/strategies.md tells all of them."""


class CypherIn(Body):
    """A query in Cypher."""

    query: str = Field(examples=["MATCH (e:Event) WHERE e.collection = $collection RETURN e.id, e.description"])
    """The query; it reads the graph of all collections, and may ask for `$collection` without its being given."""
    params: dict[str, Any] = Field(default_factory=dict, examples=[{"kind": "failure"}])
    """Values of its parameters, by name."""
    limit: int | None = Field(default=None, ge=1, le=1_000_000)
    """Most rows; the server's setting `cypher_rows` when not given, and at most that."""
    timeout: float | None = Field(default=None, gt=0.0, le=3_600.0)
    """Longest time in seconds; the server's setting `cypher_seconds` when not given, and at most that."""


class Where(BaseModel):
    """Which collection is meant.

    Unknown parameters are refused, so that a misspelt one does not reach the collection of the settings.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    collection: str | None = Field(default=None, pattern=COLLECTION_NAME)
    """The set of documents; that of the server's settings when not given."""


class Upload(Where):
    """What is known of a file that is sent as it is."""

    name: str = Field(min_length=1, max_length=1_000, examples=["reports/2024-03.pdf"])
    """Source name; its ending tells the format."""
    pairs: bool = False
    """Whether it holds questions with their answers: csv, jsonl, or a Markdown FAQ."""
    published: str | None = Field(default=None, examples=["2024-03-05"])
    """Date of publication; what the document itself says when not given."""


class Part(Where):
    """Which part of a list is asked for."""

    limit: int = Field(default=50, ge=1, le=1_000)
    """Most items."""
    offset: int = Field(default=0, ge=0, le=10_000_000)
    """Items left out first."""


class EventsPart(Part):
    """Which events."""

    text: str | None = Field(default=None, examples=["the footbridge was closed"])
    """What to look for; all events when not given."""


class ClaimsPart(Part):
    """Which claims."""

    document: str | None = None
    """Id or source of the document they stand in."""
    event: str | None = None
    """Id of an event that is their cause or effect."""
    relation: Relation | None = None
    """What the cause does to the effect."""
    polarity: Polarity | None = None
    """Whether they assert or deny."""


class Items(BaseModel, Generic[Item]):
    """A part of a list."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    items: tuple[Item, ...]
    """The items, in a stable order."""
    limit: int
    """Most items that were asked for."""
    offset: int
    """Items left out first."""


class Health(BaseModel):
    """Whether the server can work."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    status: str = Field(examples=["ok"])
    """`ok`."""


class Ready(Health):
    """How far the store is that can be read, or made."""

    status: str = Field(examples=["ok", "empty"])
    """`ok`, or `empty` while there is no store: the first document makes it."""
    generation: int
    """Generation of the graph."""
    pending: int
    """Blocks that wait for derivation; 0 when the graph is complete."""
