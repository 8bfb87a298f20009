"""The graph as Cypher sees it: labels, relationships and properties, the same on the server and in the embedded view.

```
(:Source)-[:GAVE]->(:Document)-[:HAS_PASSAGE]->(:Passage)-[:CONTAINS]->(:Mention)
(:Document)-[:HAS_MENTION]->(:Mention)-[:REFERS_TO]->(:Event)
(:Document)-[:HAS_CLAIM]->(:Claim)-[:CAUSE_MENTION|EFFECT_MENTION]->(:Mention)
(:Claim)-[:HAS_CAUSE|HAS_EFFECT]->(:Event)      (:Passage)-[:MENTIONS]->(:Event)      (:Event)-[:SIMILAR_TO]->(:Event)
(:Event)-[:CAUSES|ENABLES|PREVENTS|BEFORE|RULED_OUT]->(:Event)                          cause to effect, always
(:Hypothesis)-[:WOULD_LINK_CAUSE|WOULD_LINK_EFFECT]->(:Event)                           (:Decision)
```

Every node has `collection` and `id`, together unique for its label, and the fields of its record; what a record does
not tell is absent. No property is called `name`, `label`, `title` or `type`, which viewers and drivers take for their
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from kg.records import Document, Edge, Modality, Passage, Polarity, Record, Relation
from kg.store import Source

Properties = dict[str, Any]
"""Text, numbers, truth values and lists of them, by name of the property."""


class Label(StrEnum):
    """Kinds of nodes."""

    SOURCE = "Source"
    DOCUMENT = "Document"
    PASSAGE = "Passage"
    MENTION = "Mention"
    CLAIM = "Claim"
    EVENT = "Event"
    DECISION = "Decision"
    HYPOTHESIS = "Hypothesis"


RULED_OUT = "RULED_OUT"
"""Relationship of an edge that the documents deny; its property `relation` keeps what was denied."""

EDGE_TYPES: tuple[str, ...] = (*(relation.value for relation in Relation), RULED_OUT)
"""Relationships that edges become."""

MOST_HEDGED = 0.5
"""Largest `p_for` of an edge that reads as a possibility: the weight of what is only called possible."""

_READS = {
    Relation.CAUSES: ("causes", "may cause", "did not cause"),
    Relation.ENABLES: ("enables", "may enable", "did not enable"),
    Relation.PREVENTS: ("prevents", "may prevent", "did not prevent"),
    Relation.BEFORE: ("comes before", "may come before", "did not come before"),
}
_TOLD = (("ToldWidely", 6), ("ToldOften", 3), ("ToldTwice", 2))
"""Label of an event by the least number of documents that tell of it."""

STYLE_LABELS: tuple[str, ...] = (*(label for label, _ in _TOLD), "Denied", "Hedged")
"""All that `style_labels` gives."""

LINKS: tuple[tuple[Label, str, Label], ...] = (
    (Label.SOURCE, "GAVE", Label.DOCUMENT),
    (Label.DOCUMENT, "HAS_PASSAGE", Label.PASSAGE),
    (Label.DOCUMENT, "HAS_MENTION", Label.MENTION),
    (Label.DOCUMENT, "HAS_CLAIM", Label.CLAIM),
    (Label.PASSAGE, "CONTAINS", Label.MENTION),
    (Label.MENTION, "REFERS_TO", Label.EVENT),
    (Label.CLAIM, "CAUSE_MENTION", Label.MENTION),
    (Label.CLAIM, "EFFECT_MENTION", Label.MENTION),
    (Label.CLAIM, "HAS_CAUSE", Label.EVENT),
    (Label.CLAIM, "HAS_EFFECT", Label.EVENT),
    (Label.PASSAGE, "MENTIONS", Label.EVENT),
    (Label.EVENT, "SIMILAR_TO", Label.EVENT),
    (Label.HYPOTHESIS, "WOULD_LINK_CAUSE", Label.EVENT),
    (Label.HYPOTHESIS, "WOULD_LINK_EFFECT", Label.EVENT),
)
"""Relationships without properties: where they start, what they are called, where they end."""


def record_properties(record: Record) -> Properties:
    """The properties of a mention, claim, event, decision or hypothesis: its fields, without those it does not tell."""
    return {key: value for key, value in record.model_dump(mode="json").items() if value is not None}


def document_properties(document: Document, text: str) -> Properties:
    """The properties of a document; its text is one of them."""
    return record_properties(document) | {"text": text}


def passage_properties(passage: Passage, text: str) -> Properties:
    """The properties of a passage.

    Args:
        text: The words of the passage itself.
    """
    return record_properties(passage) | {"text": text}


def source_properties(collection: str, document_id: str, source: Source) -> Properties:
    """The properties of a source; its id is its name."""
    told = {
        "collection": collection,
        "id": source.name,
        "document_id": document_id,
        "origin": source.origin,
        "raw_sha256": source.raw_sha256,
        "doc_title": source.doc_title,
        "published": source.published,
        "published_resolution": source.published_resolution.value if source.published_resolution else None,
        "media_type": source.media_type,
        "pages": list(source.pages),
        "normaliser": source.normaliser,
    }
    return {key: value for key, value in told.items() if value is not None}


def edge_type(edge: Edge) -> str:
    """The relationship that an edge becomes."""
    return RULED_OUT if edge.ruled_out else edge.relation.value


def edge_properties(edge: Edge, quotes: Sequence[str], documents: Sequence[str]) -> Properties:
    """The properties of an edge's relationship.

    Args:
        quotes: The quote of each claim, in the order of `claims`.
        documents: The document of each claim likewise.
    """
    fields = edge.model_dump(mode="json", exclude={"collection", "cause", "effect", "ruled_out"})
    return fields | {"quotes": list(quotes), "documents": list(documents), "reads": _reads(edge)}


def style_labels(polarity: str, modality: str, document_count: int = 1) -> tuple[str, ...]:
    """The labels that an event or a claim has on a server beside its own, for viewers that style nodes by label alone.

    Args:
        document_count: Number of documents that tell of an event; 1 for a claim.
    """
    told = next((label for label, least in _TOLD if document_count >= least), None)
    labels = (
        told,
        "Denied" if polarity == Polarity.NEGATED else None,
        "Hedged" if modality != Modality.ACTUAL else None,
    )
    return tuple(label for label in labels if label)


def _reads(edge: Edge) -> str:
    """The relation in words, as a caption says it: denied, hedged (no actual assertion is sure of it) or told."""
    told, hedged, denied = _READS[edge.relation]
    if edge.ruled_out:
        return denied
    return hedged if edge.p_for <= MOST_HEDGED else told
