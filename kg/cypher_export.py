"""A collection as a Cypher script for a Neo4j server: the graph with its proofs, in the layout of the architecture.

The script needs no plugin, can be run twice with the same result, and ends every statement with a semicolon, as
cypher-shell expects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from kg.graph_contents import Edges, Links, Nodes, graph_contents
from kg.graph_schema import Label, Properties
from kg.store import GraphStore

ROWS = 500
"""Rows of one statement."""
ESCAPED = re.compile(r"[\x00-\x1f\x7f-\x9f'\u2028\u2029]|\\u?")
"""What a string may not hold as it is. `\\u` needs care: see `cypher_literal`."""
NAMED_ESCAPES = {"'": "\\'", "\\": "\\\\", "\\u": "\\\\' + 'u", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

CONSTRAINT = "CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) REQUIRE (n.collection, n.id) IS UNIQUE;\n"
NODES = "UNWIND {rows} AS row\nMERGE (n:{label} {{collection: row.collection, id: row.id}})\nSET n += row{worn};\n"
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

    Documents and passages carry their text. Pages are lists of numbers, claims of an edge lists of ids. A property that
    is not told is left out.
    """
    for label in Label:
        yield CONSTRAINT.format(name=f"causetrail_{label.lower()}_id", label=label.value)
    scope = cypher_literal(collection)
    for part in graph_contents(store, collection):
        match part:
            case Nodes(label, styles, rows):
                worn = "".join(f", n:{style}" for style in styles)
                yield from _statements(NODES, rows, label=label.value, worn=worn)
            case Links(start, name, end, pairs):
                rows = [{"a": a, "b": b} for a, b in pairs]
                names = {"start": start.value, "relation": name, "end": end.value, "collection": scope}
                yield from _statements(LINKS, rows, **names)
            case Edges(name, edges):
                rows = [{"a": a, "b": b, "fields": fields} for a, b, fields in edges]
                yield from _statements(EDGES, rows, relation=name, collection=scope)


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


def _statements(template: str, rows: list[Properties], **names: str) -> Iterator[str]:
    for first in range(0, len(rows), ROWS):
        literals = ",\n".join(cypher_literal(row) for row in rows[first : first + ROWS])
        yield template.format(rows=f"[\n{literals}\n]", **names)
