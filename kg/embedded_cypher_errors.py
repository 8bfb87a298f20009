"""What the process of the Cypher view says against a query, in our words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from causetrail.errors import (
    CypherError,
    CypherInvalid,
    CypherParameters,
    CypherRefused,
    CypherTooMuch,
    CypherUnsupported,
)
from kg.cypher_notes import notes_of
from kg.cypher_tokens import Kind, Token, near, unreadable
from kg.embedded_cypher_refusals import REFUSALS
from kg.embedded_cypher_worker import GUARD

_PAIRS = {")": "(", "]": "[", "}": "{"}
_BEHIND_PATTERNS = frozenset(
    {
        *("AND", "AS", "ASC", "ASCENDING", "CALL", "CONTAINS", "CREATE", "DELETE", "DESC", "DESCENDING", "DETACH"),
        *("ELSE", "END", "ENDS", "IN", "IS", "LIMIT", "MATCH", "MERGE", "OFFSET", "OPTIONAL", "OR", "ORDER", "REMOVE"),
        *("RETURN", "SET", "SKIP", "STARTS", "THEN", "UNION", "UNWIND", "USING", "WHEN", "WHERE", "WITH", "XOR"),
        *("YIELD", "FOREACH", "BY"),
    }
)
"""Keywords that a closed bracket may be followed by."""


def refuse_brackets(query: str, tokens: Sequence[Token]) -> None:
    """Refuses brackets that do not belong together.

    Raises:
        CypherInvalid: one is closed that is not open, or stays open.
    """
    opened: list[Token] = []
    for token in tokens:
        if token.kind is Kind.MARK and token.source in _PAIRS.values():
            opened.append(token)
        elif (
            token.kind is Kind.MARK
            and token.source in _PAIRS
            and (not opened or opened.pop().source != _PAIRS[token.source])
        ):
            raise CypherInvalid(reason=f"a bracket is closed that is not open at {near(query, token.start)}")
    if opened:
        raise CypherInvalid(reason=f"a bracket is not closed that opens at {near(query, opened[-1].start)}")


def embedded_error(answer: Mapping[str, Any], query: str, tokens: Sequence[Token]) -> CypherError:
    """The coded form of what the process of the view says against a query.

    Args:
        answer: `error` names the kind; `line` and `column`, 1-based, or `name` tell where.
    """
    told = str(answer["error"])
    refusal = REFUSALS.get(told.removeprefix(GUARD))
    if refusal is not None:
        return CypherUnsupported(what=refusal[0], advice=refusal[1])
    match told:
        case "syntax":
            return CypherInvalid(reason=unreadable(query, _offset(answer, query, tokens)))
        case "columns":
            return CypherInvalid(reason="two columns have one name; give each its own by AS")
        case "written":
            advice = "Give each column a name by AS, and split long expressions with WITH."
            return CypherUnsupported(what="the query in this form", advice=advice)
        case "refused":
            return CypherRefused(reason="it does more than read the graph")
        case "time":
            return CypherTooMuch(reason="its time was up")
        case "memory":
            return CypherTooMuch(reason="it needed more memory than a query may have")
        case "work":
            return CypherTooMuch(reason="it would walk or hold too many rows")
        case "zero":
            return CypherInvalid(reason="it divides by zero; CASE WHEN b <> 0 THEN a / b END gives null instead")
        case "overflow":
            return CypherInvalid(reason="a whole number grows beyond 64 bits")
        case "name":
            return CypherInvalid(reason=f"it uses a name that it does not define{_named(answer, query, tokens)}")
        case "parameters":
            return CypherParameters(reason="one of them is missing, or cannot stand where it is used")
        case "property":
            advice = " ".join(("Ask for it in WHERE, or correct its name.", *notes_of(query, tokens)))
            return CypherUnsupported(what="a property that no such node has, in a pattern", advice=advice)
        case "aggregate":
            what, advice = "an aggregate inside of another expression here", "Aggregate in a WITH before it."
            return CypherUnsupported(what=what, advice=advice)
        case "function":
            return CypherUnsupported(what="something that it calls", advice="docs/cypher.md lists what it knows.")
    return CypherInvalid(reason="it fails on the values it finds")


def _offset(answer: Mapping[str, Any], query: str, tokens: Sequence[Token]) -> int:
    """Where a query cannot be read: at a word that no clause begins with, else where the process stopped reading."""
    for before, token in pairwise(tokens):
        if before.source in {")", "]"} and token.kind is Kind.WORD and token.keyword not in _BEHIND_PATTERNS:
            return token.start
    if not answer.get("line"):
        return len(query)
    lines = query.split("\n")
    line = min(int(answer["line"]), len(lines)) - 1
    return sum(len(text) + 1 for text in lines[:line]) + max(0, int(answer["column"]) - 1)


def _named(answer: Mapping[str, Any], query: str, tokens: Sequence[Token]) -> str:
    place = next((token.start for token in tokens if token.name and token.name == answer.get("name")), None)
    return "" if place is None else f" at {near(query, place)}"
