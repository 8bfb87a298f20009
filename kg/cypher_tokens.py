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

_ESCAPED = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.S)
_MEANT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "\\": "\\", "'": "'", '"': '"'}
"""What stands behind a backslash, and what a server reads there; before anything else the backslash is one itself."""


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
    def name_of_parameter(self) -> str:
        """What a parameter is called; nothing for another kind of token."""
        return self.source[1:].strip("`") if self.kind is Kind.PARAMETER else ""

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


def text_of(token: Token) -> str:
    """What a text between quotation marks says."""
    return _ESCAPED.sub(_unescaped, token.source[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    if match[1].startswith("u") and len(match[1]) > 1:
        return chr(int(match[1][1:], 16))
    return _MEANT.get(match[1], match[0])


def without_comments(query: str) -> str:
    """The query with blanks in place of its comments, so that every other character keeps its place."""
    return _TOKEN.sub(
        lambda match: re.sub(r"[^\n\r]", " ", match[0]) if match.lastgroup == "comment" else match[0], query
    )


def place_of(query: str, offset: int) -> str:
    """Where a character stands: `line 1, column 5`, both 1-based."""
    before = query[:offset]
    return f"line {before.count(chr(10)) + 1}, column {offset - (before.rfind(chr(10)) + 1) + 1}"


def near(query: str, offset: int) -> str:
    """A place with the word that stands there: `line 1, column 5, near 'RETRUN'`; the end of the query has no word."""
    offset = max(0, min(offset, len(query)))
    word = next((token for token in tokens_of(query) if token.start <= offset < token.end), None)
    return place_of(query, offset) + (f", near {word.source[:40]!a}" if word is not None else "")


def unreadable(query: str, offset: int) -> str:
    """Why a query cannot be read that is not understood at a place."""
    ended = offset >= len(query.rstrip())
    what = "it ends where something should follow" if ended else "it cannot be read"
    return f"{what} at {near(query, offset)}"


def _tokens(query: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(query):
        kind = match.lastgroup or ""
        if kind == "open":
            what = {"'": "text", '"': "text", "`": "quoted name", "/*": "comment"}[match[0]]
            raise CypherInvalid(reason=f"the {what} that begins at {place_of(query, match.start())} does not end")
        if kind not in {"space", "comment"}:
            yield Token(Kind(kind), match[0], match.start(), match.end())
