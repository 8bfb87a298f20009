"""What no store runs, told from the words of a query alone; whether it writes is then for the database to say."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence

from causetrail.errors import CypherInvalid, CypherRefused
from kg.cypher_tokens import Kind, Token, place_of, tokens_of

MOST_CHARACTERS = 50_000
"""Longest query."""
MOST_TOKENS = 5_000
"""Words, texts, numbers and marks of a query."""
DEEPEST = 64
"""Brackets inside each other: parsers walk them with a stack that ends."""
PLANS = frozenset({"EXPLAIN", "PROFILE"})
ADMINISTRATION = frozenset(
    {
        *("ALTER", "CREATE", "DEALLOCATE", "DENY", "DROP", "DRYRUN", "ENABLE", "GRANT", "INSERT", "REALLOCATE"),
        *("RENAME", "REVOKE", "SHOW", "START", "STOP", "TERMINATE"),
    }
)
"""First words of statements that are no queries of the graph."""
NAMESPACES = frozenset({"date", "datetime", "duration", "localdatetime", "localtime", "point", "time", "vector"})
"""What may stand before the dot in the name of a function; all others are plugins or reach beyond the graph."""
PROCEDURES = frozenset(
    {
        *("db.labels", "db.relationshipTypes", "db.propertyKeys"),
        *("db.schema.nodeTypeProperties", "db.schema.relTypeProperties", "db.schema.visualization"),
        *("db.index.fulltext.queryNodes", "db.index.fulltext.queryRelationships"),
        *("db.index.vector.queryNodes", "db.index.vector.queryRelationships"),
    }
)
"""Procedures that read the graph, and nothing beyond it."""
_ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")
_ASCII_END = 0x80


def read_query(query: str, procedures: Collection[str]) -> tuple[Token, ...]:
    """The tokens of a query that may be put to a database.

    Args:
        procedures: Names of the procedures it may call.

    Raises:
        CypherInvalid: it is empty, too long, nested too deeply, or no text.
        CypherRefused: it holds more than one statement, asks for a plan, administers, reads files, or calls what it
            must not.
    """
    _refuse_characters(query)
    tokens = tokens_of(query)
    if len(tokens) > MOST_TOKENS:
        reason = f"it has {len(tokens)} words and marks; the limit is {MOST_TOKENS}. Give long lists as parameters"
        raise CypherInvalid(reason=reason)
    _refuse_nesting(query, tokens)
    _refuse_escapes(query, tokens)
    while tokens and tokens[-1].source == ";":
        tokens = tokens[:-1]
    if not tokens:
        raise CypherInvalid(reason="it is empty")
    _refuse_statements(query, tokens)
    for place, token in enumerate(tokens):
        following = tokens[place + 1 : place + 4]
        if token.keyword == "CALL":
            _refuse_procedure(query, tokens, place + 1, procedures)
        elif token.name and _starts_dotted(tokens, place):
            _refuse_function(query, tokens, place)
        if token.keyword == "LOAD" and following and following[0].keyword == "CSV":
            raise CypherRefused(reason=f"it reads a file at {place_of(query, token.start)}")
        if token.keyword == "TRANSACTIONS" and _is_batching(tokens, place):
            raise CypherRefused(reason=f"it runs transactions of its own at {place_of(query, token.start)}")
        if token.keyword == "USE" and _starts_clause(tokens, place) and following and following[0].name:
            raise CypherRefused(reason=f"it names another database at {place_of(query, token.start)}")
    return tokens


def _refuse_characters(query: str) -> None:
    if len(query) > MOST_CHARACTERS:
        raise CypherInvalid(reason=f"it has {len(query)} characters; the limit is {MOST_CHARACTERS}")
    for offset, character in enumerate(query):
        if character == "\x00" or "\ud800" <= character <= "\udfff":
            what = "a NUL character" if character == "\x00" else "a lone surrogate"
            raise CypherInvalid(reason=f"it holds {what} at {place_of(query, offset)}")


def _refuse_nesting(query: str, tokens: Sequence[Token]) -> None:
    depth = 0
    for token in tokens:
        if token.kind is Kind.MARK and token.source in "([{":
            depth += 1
        elif token.kind is Kind.MARK and token.source in ")]}":
            depth -= 1
        if depth > DEEPEST:
            raise CypherInvalid(reason=f"it is nested more than {DEEPEST} deep at {place_of(query, token.start)}")


def _refuse_statements(query: str, tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.source == ";":
            raise CypherRefused(reason=f"a second statement begins after {place_of(query, token.start)}")
    first = tokens[0].keyword
    if first in PLANS:
        raise CypherRefused(reason=f"{first} asks for a plan, and queries give rows")
    if first == "CYPHER" and len(tokens) > 1 and (tokens[1].kind is Kind.NUMBER or tokens[1].name):
        raise CypherRefused(reason="it sets options of the database")
    if first in ADMINISTRATION:
        raise CypherRefused(reason=f"{first} is no query of the graph")


def _refuse_escapes(query: str, tokens: Sequence[Token]) -> None:
    """Some servers read numbered characters before Cypher: they could hide a word, or end a text or a comment."""
    texts = [token for token in tokens if token.kind is Kind.TEXT]
    starts = [text.start for text in texts]
    for match in _ESCAPE.finditer(query):
        before = bisect_left(starts, match.start())
        inside = before > 0 and match.start() < texts[before - 1].end
        if not inside or int(match[1], 16) < _ASCII_END:
            raise CypherRefused(reason=f"it writes a character by number at {place_of(query, match.start())}")


def _refuse_procedure(query: str, tokens: Sequence[Token], place: int, procedures: Collection[str]) -> None:
    name, _ = _dotted_name(tokens, place)
    if name and name not in procedures:
        allowed = ", ".join(sorted(procedures))
        where = place_of(query, tokens[place].start)
        raise CypherRefused(reason=f"it calls the procedure {name[:100]!a} at {where}; allowed are {allowed}")


def _refuse_function(query: str, tokens: Sequence[Token], place: int) -> None:
    name, end = _dotted_name(tokens, place)
    called = end < len(tokens) and tokens[end].source == "("
    if called and "." in name and name.split(".")[0].lower() not in NAMESPACES:
        raise CypherRefused(reason=f"it calls {name[:100]!a} at {place_of(query, tokens[place].start)}")


def _dotted_name(tokens: Sequence[Token], place: int) -> tuple[str, int]:
    """The name of a procedure or function, `db.labels`, nothing when none begins here; and the place behind it."""
    parts: list[str] = []
    end = place
    while end < len(tokens) and (tokens[end].source == "." if len(parts) % 2 else tokens[end].name):
        parts.append(tokens[end].name or ".")
        end += 1
    return "".join(parts).rstrip("."), end


def _starts_dotted(tokens: Sequence[Token], place: int) -> bool:
    before = tokens[place - 1] if place else None
    begins = before is None or (before.source != "." and before.keyword != "CALL")
    return begins and place + 1 < len(tokens) and tokens[place + 1].source == "."


def _starts_clause(tokens: Sequence[Token], place: int) -> bool:
    return place == 0 or tokens[place - 1].source == "{" or tokens[place - 1].keyword in {"UNION", "ALL"}


def _is_batching(tokens: Sequence[Token], place: int) -> bool:
    return any(token.keyword == "IN" for token in tokens[max(0, place - 3) : place])
