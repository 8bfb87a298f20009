"""ORDER BY by what a column is made of, which kglite knows by the name of the column alone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from kg.cypher_expressions import Expressions, Range
from kg.cypher_tokens import Kind, Token
from kg.embedded_cypher_guards import WIDEST, Edit

_PROJECTIONS: Final = frozenset({"RETURN", "WITH"})
_CLAUSES: Final = _PROJECTIONS | frozenset(
    {"CALL", "LIMIT", "MATCH", "OFFSET", "OPTIONAL", "ORDER", "SKIP", "UNION", "UNWIND", "WHERE"}
)
_DIRECTIONS: Final = frozenset({"ASC", "ASCENDING", "DESC", "DESCENDING"})


def named_order(tokens: Sequence[Token]) -> list[Edit]:
    """Edits that put the name of a column in place of what it is made of: `ORDER BY count(*)` becomes `ORDER BY c`."""
    return list(_Ordering(tokens).edits())


def outside(edits: Sequence[Edit], replaced: Sequence[Edit]) -> list[Edit]:
    """Those of the first edits that touch nothing which the second ones, in their order, replace."""
    starts = [start for start, *_ in replaced]
    ends = [start + gone for start, _, gone, _ in replaced]

    def touches(offset: int) -> bool:
        before = bisect_right(starts, offset)
        return before > 0 and offset <= ends[before - 1]

    return [edit for edit in edits if not touches(edit[0])]


class _Ordering:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._expressions = Expressions(tokens)

    def edits(self) -> Iterator[Edit]:
        for place, token in enumerate(self._tokens):
            if token.keyword != "ORDER" or self._expressions.keyword(place + 1) != "BY":
                continue
            names = dict(self._columns(place))
            for first, behind in self._items(place + 2):
                end = behind - (self._expressions.keyword(behind - 1) in _DIRECTIONS)
                name = names.get(self._read(first, end)) if end - first > 1 else None
                if name is not None:
                    start, last = self._tokens[first].start, self._tokens[end - 1].end
                    yield start, WIDEST, last - start, name

    def _columns(self, order: int) -> Iterator[tuple[tuple[str, ...], str]]:
        """What each named column of the clause before is made of, with its name."""
        place = order - 1
        while place >= 0 and not self._begins_clause(place):
            # Over brackets that are closed before; an open one encloses the clause.
            place = min(self._expressions.partner.get(place, place), place) - 1
        if self._expressions.keyword(place) not in _PROJECTIONS:
            return
        begin = place + (2 if self._expressions.keyword(place + 1) == "DISTINCT" else 1)
        for first, end in self._items(begin):
            if end - first > 2 and self._expressions.keyword(end - 2) == "AS":
                yield self._read(first, end - 2), self._tokens[end - 1].source

    def _items(self, begin: int) -> Iterator[Range]:
        """What commas part from a place on, until the clause ends."""
        first = place = begin
        while place <= len(self._tokens):
            ends = (
                place == len(self._tokens)
                or self._begins_clause(place)
                or self._expressions.source(place) in {")", "]", "}"}
            )
            if (ends or self._expressions.source(place) == ",") and place > first:
                yield first, place
                first = place + 1
            if ends:
                return
            place = max(place, self._expressions.partner.get(place, place)) + 1

    def _begins_clause(self, place: int) -> bool:
        comparison = self._expressions.keyword(place - 1) in {"STARTS", "ENDS"}
        return self._expressions.keyword(place) in _CLAUSES and not comparison

    def _read(self, first: int, end: int) -> tuple[str, ...]:
        """An expression by its words; a function is one in capitals too."""
        return tuple(
            token.source.lower() if self._is_word_of_cypher(place) else token.source
            for place, token in enumerate(self._tokens[first:end], first)
        )

    def _is_word_of_cypher(self, place: int) -> bool:
        called = self._tokens[place].kind is Kind.WORD and self._expressions.source(place + 1) == "("
        return called or self._tokens[place].keyword == "DISTINCT"
