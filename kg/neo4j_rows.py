"""Between the rows that the stores share and the properties of nodes and relationships on the server.

A row has lists as JSON text and truth values as numbers, because its digest is taken over them; a property has them as
what they are. Digests are kept as hexadecimal text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from struct import pack
from typing import Any, TypeGuard

from kg.document_facts import DOCUMENT_COLUMNS, SOURCE_COLUMNS
from kg.graph_schema import Label, Properties
from kg.record_tables import CLAIMS, DECISIONS, EDGES, EVENTS, HYPOTHESES, MENTIONS, PASSAGES, Row

DIGEST, VECTOR_DIGEST, FOUND = "digest", "vector_digest", "found"


def digest_bytes(digest: object) -> bytes:
    """A stored digest; nothing for one that another program removed or replaced."""
    try:
        return bytes.fromhex(digest) if isinstance(digest, str) else b""
    except ValueError:
        return b""


def is_vector(value: object) -> TypeGuard[list[float]]:
    """Whether a property holds a vector: a list of floats."""
    return isinstance(value, list) and all(isinstance(part, float) for part in value)


def vector_digest(vector: Sequence[float]) -> str:
    """SHA-256 of a vector's 64-bit floats, little-endian, as hexadecimal text."""
    return sha256(pack(f"<{len(vector)}d", *vector)).hexdigest()


def found_digests(passages: Iterable[str], mentions: Iterable[str], claims: Iterable[str]) -> list[str]:
    """What a document's node tells of what was found in it: SHA-256 of each sorted list of ids, as hexadecimal text.

    By it a node is missed that another program deleted, for nothing else of it is left.
    """
    return [sha256("\n".join(sorted(ids)).encode("utf-8")).hexdigest() for ids in (passages, mentions, claims)]


class NodeTable:
    """How the rows of one table stand on nodes of one label.

    Attributes:
        columns: Columns of the row, without the digest.
        returned: The columns as a `RETURN` gives them, of a node or relationship `n`, in their order.
    """

    def __init__(
        self,
        columns: Sequence[str],
        *,
        listed: Sequence[str] = (),
        loosely: Sequence[str] = (),
        truths: Sequence[str] = (),
        renamed: Mapping[str, str] | None = None,
        given: Mapping[str, str] | None = None,
    ) -> None:
        """Describes a table.

        Args:
            listed: Columns that hold lists as JSON without spaces.
            loosely: Columns that hold lists as JSON with spaces.
            truths: Columns that hold truth values as 0 and 1.
            renamed: Property by column, where their names differ.
            given: Expression by column, for what is no property: the ends of a relationship.
        """
        self.columns = tuple(columns)
        self._listed, self._loosely, self._truths = frozenset(listed), frozenset(loosely), frozenset(truths)
        self._property = {column: (renamed or {}).get(column, column) for column in columns}
        self._given = dict(given or {})
        self.returned = ", ".join(self._given.get(column, f"n.`{self._property[column]}`") for column in self.columns)

    def properties(self, row: Row) -> Properties:
        """The properties of a row whose digest stands last; what is not told is left out."""
        found: dict[str, Any] = {DIGEST: row[-1].hex()}
        for column, value in zip(self.columns, row[:-1], strict=True):
            if value is not None and column not in self._given:
                found[self._property[column]] = self._told(column, value)
        return found

    def _told(self, column: str, value: Any) -> Any:
        if column in self._listed or column in self._loosely:
            return json.loads(value)
        return bool(value) if column in self._truths else value

    def fields(self, values: Sequence[Any]) -> Properties:
        """What `returned` gave, by column."""
        return dict(zip(self.columns, values, strict=True))

    def row(self, values: Sequence[Any]) -> Row:
        """The row of what `returned` gave, without a digest."""
        return tuple(self._value(column, value) for column, value in zip(self.columns, values, strict=True))

    def _value(self, column: str, value: Any) -> Any:
        if isinstance(value, list) and (column in self._listed or column in self._loosely):
            separators = (",", ":") if column in self._listed else None
            # What another program put into the list is shown as text, which no list of ours is equal to.
            return json.dumps(value, ensure_ascii=False, separators=separators, default=str)
        return int(value) if isinstance(value, bool) else value


NODES: Mapping[Label, NodeTable] = {
    Label.SOURCE: NodeTable(SOURCE_COLUMNS, loosely=("pages",), renamed={"name": "id"}),
    Label.DOCUMENT: NodeTable(DOCUMENT_COLUMNS),
    Label.PASSAGE: NodeTable(PASSAGES.columns),
    Label.MENTION: NodeTable(MENTIONS.columns, listed=("participants",)),
    Label.CLAIM: NodeTable(CLAIMS.columns),
    Label.EVENT: NodeTable(EVENTS.columns, loosely=("reasons",)),
    Label.DECISION: NodeTable(DECISIONS.columns, listed=("subject",), truths=("undone",)),
    Label.HYPOTHESIS: NodeTable(HYPOTHESES.columns),
}
"""By label, what carries a digest."""

EDGE = NodeTable(
    EDGES.columns,
    listed=("claims",),
    truths=("consistent",),
    given={
        "collection": "startNode(n).collection",
        "cause": "startNode(n).id",
        "effect": "endNode(n).id",
        "ruled_out": "type(n) = 'RULED_OUT'",
    },
)
"""Edges, which are relationships `n`."""
