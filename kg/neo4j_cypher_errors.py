"""What a server says against a user's query, in our words: no text of the server passes but the place it names."""

from __future__ import annotations

import re

from neo4j import exceptions

from causetrail.errors import CypherError, CypherInvalid, CypherParameters, CypherRefused, CypherTooMuch
from kg.cypher_tokens import near, unreadable

EXPLAIN = "EXPLAIN "
"""What stands before the query when it is judged."""
_OFFSET = re.compile(r"\(offset: (\d+)\)")
_UNREADABLE = "it cannot be read"
_SYNTAX = (
    (re.compile(r"^Multiple result columns"), "two columns have one name; give each its own by AS"),
    (re.compile(r"^Unknown function"), "it calls a function that the server does not have"),
    (re.compile(r"^Variable .* not defined"), "it uses a name that it does not define"),
    (re.compile(r"^Type mismatch"), "a value has another type than its place wants"),
    (re.compile(r"^Text cannot be parsed"), "a text is no date, time or duration"),
    (re.compile(r"^(?:Invalid input|Unexpected end|Parsing)"), _UNREADABLE),
)
_SAYINGS: tuple[tuple[str, type[CypherError], str], ...] = (
    ("Statement.ParameterMissing", CypherParameters, "one that the query asks for is missing"),
    ("Statement.ArithmeticError", CypherInvalid, "it divides by zero, or a number grows too large"),
    ("Statement.TypeError", CypherInvalid, "a value has another type than its place wants"),
    ("Statement.AccessMode", CypherRefused, "it does more than read the graph"),
    ("Procedure.ProcedureNotFound", CypherInvalid, "the server has no procedure of this name"),
    ("Procedure.", CypherInvalid, "the procedure cannot do with what it is given"),
    ("Schema.", CypherInvalid, "it names an index that the server does not have"),
    ("Security.Forbidden", CypherRefused, "the user at the server may not read that"),
    ("Transaction.TransactionTimedOut", CypherTooMuch, "its time was up"),
    ("Transaction.Terminated", CypherTooMuch, "its time was up"),
    ("Transaction.LockClientStopped", CypherTooMuch, "its time was up"),
    ("Statement.", CypherInvalid, "it fails on the values it finds"),
)
"""Status, what it becomes, and why; the first that fits counts."""


def cypher_error(error: exceptions.Neo4jError, query: str) -> CypherError | None:
    """The coded form of an error that a query caused; none when it is not the query's."""
    code = error.code or ""
    if "OutOfMemory" in code:
        return CypherTooMuch(reason="it needed more memory than the server gives")
    if code.endswith("Statement.SyntaxError"):
        return CypherInvalid(reason=_syntax(error.message or "", query))
    status = code.split(".", 2)[-1]
    for beginning, kind, reason in _SAYINGS:
        if status.startswith(beginning):
            return kind(reason=reason)
    return None


def _syntax(message: str, query: str) -> str:
    reason = next((words for pattern, words in _SYNTAX if pattern.match(message)), _UNREADABLE)
    found = _OFFSET.search(message)
    if found is None:
        return reason
    offset = int(found[1]) - len(EXPLAIN)
    return unreadable(query, offset) if reason == _UNREADABLE else f"{reason} at {near(query, offset)}"
