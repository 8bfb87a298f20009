"""A collection as a Cypher script for a Neo4j server: the graph with its proofs, in the layout of the architecture.

The script needs no plugin, can be run twice with the same result, and ends every statement with a semicolon, as
cypher-shell expects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from kg.export_records import claims, edge_proofs, events, mentions, similar_pairs
from kg.records import Edge
from kg.store import GraphStore

ROWS = 500
"""Rows of one statement."""
LABELS = ("Document", "Mention", "Claim", "Event", "Decision", "Hypothesis")
RULED_OUT = "RULED_OUT"
ESCAPED = re.compile(r"[\x00-\x1f\x7f-\x9f'\u2028\u2029]|\\u?")
"""What a string may not hold as it is. `\\u` needs care: see `cypher_literal`."""
NAMED_ESCAPES = {"'": "\\'", "\\": "\\\\", "\\u": "\\\\' + 'u", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

CONSTRAINT = "CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) REQUIRE (n.collection, n.id) IS UNIQUE;\n"
NODES = "UNWIND {rows} AS row\nMERGE (n:{label} {{collection: row.collection, id: row.id}})\nSET n += row;\n"
LINKS = (
    "UNWIND {rows} AS row\n"
    "MATCH (a:{start} {{collection: {collection}, id: row.a}})\n"
    "MATCH (b:{end} {{collection: {collection}, id: row.b}})\n"
    "MERGE (a)-[:{relation}]->(b);\n"
)
EDGES = (
    "UNWIND {rows} AS row\n"
    "MATCH (a:Event {{collection: {collection}, id: row.a}})\n"
    "MATCH (b:Event {{collection: {collection}, id: row.b}})\n"
    "MERGE (a)-[r:{relation} {{relation: row.fields.relation}}]->(b)\n"
    "SET r += row.fields;\n"
)


def export_cypher(store: GraphStore, collection: str) -> Iterator[str]:
    """The statements, one at a time, each ending in a semicolon; constraints, then nodes, then relationships.

    Documents carry their text. Pages are lists of numbers, claims of an edge lists of ids. A property that is not told
    is left out.
    """
    for label in LABELS:
        yield CONSTRAINT.format(name=f"causetrail_{label.lower()}_id", label=label)
    every_mention, every_claim = mentions(store, collection), claims(store, collection)
    every_event, every_edge = list(events(store, collection)), list(store.edges(collection))
    nodes: dict[str, Iterable[dict[str, Any]]] = {
        "Document": (
            document.model_dump(mode="json") | {"text": store.document_text(collection, document.id)}
            for document in store.documents(collection)
        ),
        "Mention": (mention.model_dump(mode="json") for mention in every_mention),
        "Claim": (claim.model_dump(mode="json") for claim in every_claim),
        "Event": (event.model_dump(mode="json") for event in every_event),
        "Decision": (decision.model_dump(mode="json") for decision in store.decisions(collection)),
        "Hypothesis": (hypothesis.model_dump(mode="json") for hypothesis in store.hypotheses(collection)),
    }
    for label, records in nodes.items():
        yield from _batches(NODES, records, label=label)
    event_of = {mention.id: store.event_of_mention(collection, mention.id) for mention in every_mention}
    scope = cypher_literal(collection)
    for start, relation, end, pairs in (
        ("Document", "HAS_MENTION", "Mention", [(m.document_id, m.id) for m in every_mention]),
        ("Document", "HAS_CLAIM", "Claim", [(c.document_id, c.id) for c in every_claim]),
        ("Mention", "REFERS_TO", "Event", [(mention, event) for mention, event in event_of.items() if event]),
        ("Claim", "CAUSE_MENTION", "Mention", [(c.id, c.cause_mention) for c in every_claim]),
        ("Claim", "EFFECT_MENTION", "Mention", [(c.id, c.effect_mention) for c in every_claim]),
        ("Claim", "HAS_CAUSE", "Event", [(c.id, event_of[c.cause_mention]) for c in every_claim]),
        ("Claim", "HAS_EFFECT", "Event", [(c.id, event_of[c.effect_mention]) for c in every_claim]),
        ("Event", "SIMILAR_TO", "Event", list(similar_pairs(store, collection))),
        ("Hypothesis", "WOULD_LINK_CAUSE", "Event", [(h.id, h.cause) for h in store.hypotheses(collection)]),
        ("Hypothesis", "WOULD_LINK_EFFECT", "Event", [(h.id, h.effect) for h in store.hypotheses(collection)]),
    ):
        rows = ({"a": a, "b": b} for a, b in pairs if b is not None)
        yield from _batches(LINKS, rows, start=start, relation=relation, end=end, collection=scope)
    names = sorted({_relationship(edge) for edge in every_edge})
    for name in names:
        rows = (_edge_row(store, collection, edge) for edge in every_edge if _relationship(edge) == name)
        yield from _batches(EDGES, rows, relation=name, collection=scope)


def cypher_literal(value: object) -> str:
    r"""A JSON-like value as a Cypher literal. No text can end its string, open a comment, or start another statement.

    Neo4j up to version 5 replaces `\uXXXX` before it reads the script as Cypher, even behind an escaped backslash, so
    that a text could bring its own quotation mark. A backslash and a following `u` are therefore written as two
    strings; quotation marks are never written by number.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return json.dumps(value, allow_nan=False)
    if isinstance(value, str):
        return "'" + ESCAPED.sub(_escape, value) + "'"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {cypher_literal(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(cypher_literal(part) for part in value) + "]"
    raise TypeError(f"no Cypher literal for {type(value).__name__}")


def _escape(match: re.Match[str]) -> str:
    return NAMED_ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}"


def _batches(template: str, rows: Iterable[dict[str, Any]], **names: str) -> Iterator[str]:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append({key: value for key, value in row.items() if value is not None})
        if len(batch) == ROWS:
            yield template.format(rows=_list(batch), **names)
            batch = []
    if batch:
        yield template.format(rows=_list(batch), **names)


def _list(batch: list[dict[str, Any]]) -> str:
    return "[\n" + ",\n".join(cypher_literal(row) for row in batch) + "\n]"


def _relationship(edge: Edge) -> str:
    return RULED_OUT if edge.ruled_out else edge.relation.value


def _edge_row(store: GraphStore, collection: str, edge: Edge) -> dict[str, Any]:
    fields = edge.model_dump(mode="json", exclude={"cause", "effect", "ruled_out"})
    return {"a": edge.cause, "b": edge.effect, "fields": fields | edge_proofs(store, collection, edge)}
