"""The canonical export, and the door to the other forms.

The canonical export is JSON lines: records and derived edges in a fixed order, without generations and timings, so that
equal graphs give equal bytes. Passages are left out: they are cut anew for another encoder and prove nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from causetrail.errors import ArgumentInvalid
from kg.export_records import claims, events, mentions, similar_pairs
from kg.store import GraphStore

FORMS = ("jsonl", "graphml", "cypher")


def export(store: GraphStore, collection: str, form: str) -> Iterator[str]:
    """A collection as text in one of `FORMS`, piece by piece; equal graphs give equal bytes.

    Raises:
        ArgumentInvalid: no such form.
    """
    if form == "jsonl":
        return export_jsonl(store, collection)
    if form == "graphml":
        from kg.network_export import export_graphml

        return iter([export_graphml(store, collection)])
    if form == "cypher":
        from kg.cypher_export import export_cypher

        return export_cypher(store, collection)
    raise ArgumentInvalid(argument="--format", value=repr(form), reason=f"it is none of {', '.join(FORMS)}")


def export_jsonl(store: GraphStore, collection: str) -> Iterator[str]:
    """The canonical export, one JSON object a line, keys sorted, in UTF-8 and not escaped to ASCII.

    Every object has `record` (`document`, `mention`, `claim`, `decision`, `hypothesis`, `event`, `edge`, `similar`)
    beside the fields of the record; documents have their `text` too. Kinds come in this order, records sorted by id,
    edges by cause, effect and relation.
    """
    for document in store.documents(collection):
        yield _line(
            "document", document.model_dump(mode="json") | {"text": store.document_text(collection, document.id)}
        )
    for mention in mentions(store, collection):
        yield _line("mention", mention.model_dump(mode="json"))
    for claim in claims(store, collection):
        yield _line("claim", claim.model_dump(mode="json"))
    for decision in sorted(store.decisions(collection), key=lambda decision: decision.id):
        yield _line("decision", decision.model_dump(mode="json"))
    for hypothesis in store.hypotheses(collection):
        yield _line("hypothesis", hypothesis.model_dump(mode="json"))
    for event in events(store, collection):
        yield _line("event", event.model_dump(mode="json"))
    for edge in store.edges(collection):
        yield _line("edge", edge.model_dump(mode="json"))
    for first, second in similar_pairs(store, collection):
        yield _line("similar", {"collection": collection, "events": [first, second]})


def _line(kind: str, fields: dict[str, Any]) -> str:
    return json.dumps({"record": kind, **fields}, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
