"""The properties that each label and relationship of `kg/graph_schema.py` shows to a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from kg.graph_schema import EDGE_TYPES, LINKS, Label
from kg.records import Claim, Decision, Document, Edge, Event, Hypothesis, Mention, Passage, Record
from kg.store import Source

_RECORDS: Mapping[Label, type[Record]] = {
    Label.DOCUMENT: Document,
    Label.PASSAGE: Passage,
    Label.MENTION: Mention,
    Label.CLAIM: Claim,
    Label.EVENT: Event,
    Label.DECISION: Decision,
    Label.HYPOTHESIS: Hypothesis,
}


def _kind(annotation: str) -> str:
    if "tuple[" in annotation:
        return "l"
    if "float" in annotation:
        return "f"
    if "bool" in annotation:
        return "b"
    return "" if "int" in annotation else "t"


NODE_PROPERTIES: Mapping[str, tuple[str, ...]] = {
    Label.SOURCE.value: (
        "collection",
        "id",
        "document_id",
        *(field.name for field in fields(Source) if field.name != "name"),
    )
} | {
    label.value: (*record.model_fields, *(("text",) if label in {Label.DOCUMENT, Label.PASSAGE} else ()))
    for label, record in _RECORDS.items()
}
"""Properties of each label."""

EDGE_PROPERTIES: tuple[str, ...] = (
    *(name for name in Edge.model_fields if name not in {"collection", "cause", "effect", "ruled_out"}),
    *("quotes", "documents", "reads"),
)
"""Properties of the relationships that edges become; the others have none."""

RELATIONSHIPS: tuple[str, ...] = (*EDGE_TYPES, *(name for _, name, _ in LINKS))
"""All types of relationships."""

PROPERTY_KINDS: Mapping[str, str] = {
    **{
        name: _kind(str(field.annotation))
        for record in _RECORDS.values()
        for name, field in record.model_fields.items()
    },
    **{name: _kind(str(field.annotation)) for name, field in Edge.model_fields.items()},
    **{field.name: _kind(str(field.type)) for field in fields(Source)},
    **{"quotes": "l", "documents": "l", "reads": "t", "text": "t"},
}
"""Whether a property holds a list (l), a text (t), a float (f), a truth value (b) or something else."""
