"""Cypher for users: what a query gives, and what runs it. Queries only read the graph of `kg/graph_schema.py`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from causetrail.errors import CypherParameters
from kg.cypher_tokens import Kind, Token
from kg.cypher_values import Json

LARGEST_INTEGER = 2**63
DEEPEST_PARAMETER = 32
"""Lists and objects inside each other that a parameter may hold."""


class CypherResult(BaseModel):
    """The rows of a query, as plain JSON values, the same from every store.

    A node is `{"label", "properties"}`, a relationship `{"relationship", "properties"}`, a path `{"nodes",
    "relationships"}`, in the order it is walked. They show the properties of the schema; what a store keeps beside them
    for itself is left out. Dates, times, durations and points are text, and so are the numbers that JSON does not know:
    `NaN`, `Infinity`, `-Infinity`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    columns: tuple[str, ...]
    """Names of the columns, in the order of RETURN."""
    rows: tuple[tuple[Any, ...], ...]
    """The rows; each has one value for each column."""
    truncated: Literal["rows", "bytes"] | None
    """The limit that cut the answer: there are more rows than these; none when these are all."""
    seconds: float
    """Wall time it took, in seconds."""
    notes: tuple[str, ...] = ()
    """Hints about labels, relationship types and properties in the query that the graph does not have."""


@dataclass(frozen=True, slots=True)
class CypherLimits:
    """How much one query may take.

    Attributes:
        rows: Most rows of the answer, at least 1.
        size: Largest answer, in bytes of JSON.
        seconds: Longest time.
    """

    rows: int
    size: int
    seconds: float


class CypherRunner(Protocol):
    """Runs queries of users on one store. Safe to use from threads."""

    def run(self, query: str, parameters: Mapping[str, Json], limits: CypherLimits) -> CypherResult:
        """Runs one query.

        Raises:
            CypherInvalid: it is not Cypher, or fails on the values it finds.
            CypherRefused: it would do more than read the graph.
            CypherUnsupported: the embedded view does not know what it uses.
            CypherTooMuch: it took more time or memory than it may.
            CypherParameters: a parameter is missing, or cannot be one.
            CypherViewTooLarge: the graph is too large for the embedded view.
            StoreError: the store cannot be used.
        """
        ...

    def close(self) -> None:
        """Gives back what it holds; it may be used again."""
        ...


def check_parameters(parameters: Mapping[str, Json]) -> None:
    """Refuses what no store takes as parameters.

    Raises:
        CypherParameters: a value is no JSON, too large a number, or nested too deeply.
    """
    for name, value in parameters.items():
        if not isinstance(name, str) or not name:
            raise CypherParameters(reason="their names must be texts")
        _check(f"${ascii(name)[1:-1]}", value, DEEPEST_PARAMETER)
        _check("a name", name, 1)


def refuse_missing(tokens: Sequence[Token], parameters: Mapping[str, Json]) -> None:
    """Refuses a query that asks for what is not given.

    Raises:
        CypherParameters: a parameter is missing.
    """
    for token in tokens:
        if token.kind is Kind.PARAMETER and token.name_of_parameter not in parameters:
            raise CypherParameters(reason=f"{token.source[:60]!a} is asked for and not given")


def _check(place: str, value: Json, depth: int) -> None:
    match value:
        case None | bool():
            return
        case int() if -LARGEST_INTEGER <= value < LARGEST_INTEGER:
            return
        case int():
            raise CypherParameters(reason=f"{place} holds a whole number of more than 64 bits")
        case float() if math.isfinite(value):
            return
        case str() if not any("\ud800" <= character <= "\udfff" for character in value):
            return
        case str():
            raise CypherParameters(reason=f"{place} holds a lone surrogate, which no text may hold")
        case list() | tuple() | dict() if depth == 0:
            raise CypherParameters(reason=f"{place} is nested more than {DEEPEST_PARAMETER} deep")
        case list() | tuple():
            for part in value:
                _check(place, part, depth - 1)
        case dict():
            for key, part in value.items():
                if not isinstance(key, str):
                    raise CypherParameters(reason=f"{place} holds a key that is no text")
                _check(place, key, depth)
                _check(place, part, depth - 1)
        case _:
            raise CypherParameters(reason=f"{place} holds a value that JSON does not know")
