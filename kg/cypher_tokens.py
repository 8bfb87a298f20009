"""A query in words: enough of Cypher's grammar to tell words from texts, comments and quoted names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from causetrail.errors import CypherInvalid

_TOKEN = re.compile(
    r"""
    (?P<space>\s++)
  | (?P<comment>//[^\n\r]*+|/\*.*?\*/)
  | (?P<text>'[^'\\]*+(?:\\.[^'\\]*+)*+'|"[^"\\]*+(?:\\.[^"\\]*+)*+")
  | (?P<quoted>`(?:[^`]|``)*+`)
  | (?P<parameter>\$(?:\w++|`(?:[^`]|``)*+`))
  | (?P<number>\d(?:[\w.](?<!\.\.))*+)
  | (?P<word>[^\W\d]\w*+)
  | (?P<open>/\*|['"`])
  | (?P<mark>.)
    """,
    re.S | re.X,
)


class Kind(StrEnum):
    """What a token is."""

    TEXT = "text"
    """A text between quotation marks."""
    QUOTED = "quoted"
    """A name between backticks."""
    PARAMETER = "parameter"
    NUMBER = "number"
    WORD = "word"
    """A keyword or a name."""
    MARK = "mark"
    """One character of punctuation."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a query.

    Attributes:
        source: How it is written.
        start: Its first character, 0-based.
        end: One past its last character.
    """

    kind: Kind
    source: str
    start: int
    end: int

    @property
    def keyword(self) -> str:
        """The word in capitals; nothing for another kind of token."""
        return self.source.upper() if self.kind is Kind.WORD else ""

    @property
    def name(self) -> str:
        """What a word or a quoted name calls; nothing for another kind of token."""
        if self.kind is Kind.QUOTED:
            return self.source[1:-1].replace("``", "`")
        return self.source if self.kind is Kind.WORD else ""


def tokens_of(query: str) -> tuple[Token, ...]:
    """The tokens of a query, without spaces and comments.

    Raises:
        CypherInvalid: a text, a quoted name or a comment does not end.
    """
    return tuple(_tokens(query))


def without_comments(query: str) -> str:
    """The query with blanks in place of its comments, so that every other character keeps its place."""
    return _TOKEN.sub(
        lambda match: re.sub(r"[^\n\r]", " ", match[0]) if match.lastgroup == "comment" else match[0], query
    )


def place_of(query: str, offset: int) -> str:
    """Where a character stands: `line 1, column 5`, both 1-based."""
    before = query[:offset]
    return f"line {before.count(chr(10)) + 1}, column {offset - (before.rfind(chr(10)) + 1) + 1}"


def _tokens(query: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(query):
        kind = match.lastgroup or ""
        if kind == "open":
            what = {"'": "text", '"': "text", "`": "quoted name", "/*": "comment"}[match[0]]
            raise CypherInvalid(reason=f"the {what} that begins at {place_of(query, match.start())} does not end")
        if kind not in {"space", "comment"}:
            yield Token(Kind(kind), match[0], match.start(), match.end())
