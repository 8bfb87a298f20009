"""Where the operands of an arithmetic sign begin and end in the tokens of a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.cypher_tokens import Kind, Token

Range = tuple[int, int]
"""First token, and one past the last."""

BOUNDARIES = frozenset(
    {
        *("AND", "OR", "XOR", "NOT", "IN", "CONTAINS", "STARTS", "ENDS", "WITH", "RETURN", "WHERE", "WHEN", "THEN"),
        *("ELSE", "CASE", "END", "AS", "BY", "UNWIND", "DISTINCT", "LIMIT", "SKIP", "OFFSET", "ORDER", "IS", "UNION"),
        *("MATCH", "OPTIONAL", "CALL", "YIELD", "ASC", "ASCENDING", "DESC", "DESCENDING"),
    }
)
"""Keywords that no sum reaches across, but for a CASE as a whole."""
_OPENING, _CLOSING = "([{", ")]}"
_BETWEEN_OPERANDS = frozenset({",", "|", "=", "<", ">", ":", "~", ";"})


@dataclass(frozen=True, slots=True)
class Sum:
    """Operands with `+` and `-` between them.

    Attributes:
        signs: Where each sign stands, one less than the operands.
        complete: Whether there is something in each operand.
    """

    operands: tuple[Range, ...]
    signs: tuple[int, ...]
    complete: bool

    @property
    def whole(self) -> Range:
        """All of it."""
        return self.operands[0][0], self.operands[-1][1]


class Expressions:
    """The tokens of a query with the brackets and CASEs that belong together."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.partner: dict[int, int] = {}
        """The other bracket of each bracket, the END of each CASE and the CASE of each END."""
        self._match()

    def _match(self) -> None:
        brackets: list[int] = []
        cases: list[int] = []
        for place, token in enumerate(self.tokens):
            if token.kind is Kind.MARK and token.source in _OPENING:
                brackets.append(place)
            elif token.kind is Kind.MARK and token.source in _CLOSING and brackets:
                self._join(brackets.pop(), place)
            elif self.keyword(place) == "CASE":
                cases.append(place)
            elif self.keyword(place) == "END" and cases:
                self._join(cases.pop(), place)

    def _join(self, opener: int, closer: int) -> None:
        self.partner[opener], self.partner[closer] = closer, opener

    def source(self, place: int) -> str:
        """A token as it is written; nothing outside of the query."""
        return self.tokens[place].source if 0 <= place < len(self.tokens) else ""

    def keyword(self, place: int) -> str:
        """A boundary keyword in capitals; nothing for another token, nor for a property of that name."""
        if not 0 <= place < len(self.tokens) or self.source(place - 1) == "." or self.source(place + 1) == ":":
            return ""
        word = self.tokens[place].keyword
        return word if word in BOUNDARIES else ""

    def is_operator(self, place: int) -> bool:
        """Whether a `+` or `-` stands between two operands: it is no sign of a number and no part of an arrow."""
        if self.source(place) not in {"+", "-"} or not self._ends_operand(place - 1):
            return False
        around = {self.source(place - 1), self.source(place + 1)}
        return self.source(place) == "+" or not around & {"[", "-", ">", "<"}

    def _ends_operand(self, place: int) -> bool:
        if not 0 <= place < len(self.tokens):
            return False
        if self.tokens[place].kind is Kind.MARK:
            return self.source(place) in _CLOSING
        return self.keyword(place) in {"", "END"}

    def sum_at(self, sign: int) -> Sum | None:
        """The sum that a `+` belongs to; none when it stands between no operands."""
        if not self.is_operator(sign):
            return None
        signs, begin, end = [sign], sign, sign + 1
        while begin > 0 and not self._bounds(begin - 1, _OPENING):
            begin = self._before(begin)
            if self.is_operator(begin):
                signs.append(begin)
        while end < len(self.tokens) and not self._bounds(end, _CLOSING):
            if self.is_operator(end):
                signs.append(end)
            end = self._after(end)
        signs.sort()
        starts, ends = [begin, *(place + 1 for place in signs)], [*signs, end]
        operands = tuple(zip(starts, ends, strict=True))
        return Sum(operands, tuple(signs), complete=all(first < last for first, last in operands))

    def _bounds(self, place: int, brackets: str) -> bool:
        """Whether a sum ends here: at an outer bracket, a comparison, a comma, the dots of a slice, or a keyword."""
        token = self.tokens[place]
        if token.kind is Kind.MARK:
            slicing = token.source == "." and "." in {self.source(place - 1), self.source(place + 1)}
            return token.source in brackets or token.source in _BETWEEN_OPERANDS or slicing
        whole = "END" if brackets == _OPENING else "CASE"
        return self.keyword(place) not in {"", whole}

    def _before(self, place: int) -> int:
        """The beginning of the token, bracket or CASE that ends before a place."""
        return self.partner.get(place - 1, place - 1) if self._is_closer(place - 1) else place - 1

    def _after(self, place: int) -> int:
        """One past the token, bracket or CASE that begins at a place."""
        return self.partner.get(place, place) + 1 if not self._is_closer(place) else place + 1

    def _is_closer(self, place: int) -> bool:
        return self.source(place) in _CLOSING or self.keyword(place) == "END"

    def operand_after(self, place: int) -> Range:
        """The right operand of `*`, `/`, `%` or `^`: a value with what is called, looked up or raised of it."""
        begin = end = place + 1
        end = self._after(self._behind_signs(end))
        while self.source(end) in {".", "(", "[", "{", "^"} and self.source(end + 1) != ".":
            if self.source(end) == "^":
                end = self._after(self._behind_signs(end + 1))
            elif self.source(end) == ".":
                end += 2
            else:
                end = self._after(end)
        return begin, min(end, len(self.tokens))

    def _behind_signs(self, place: int) -> int:
        while self.source(place) in {"+", "-"}:
            place += 1
        return place

    def arguments(self, opener: int) -> tuple[Range, ...]:
        """The arguments of a call whose bracket opens here; without a DISTINCT before the first."""
        closer = self.partner.get(opener, len(self.tokens))
        begin = opener + 2 if self.keyword(opener + 1) == "DISTINCT" else opener + 1
        found: list[Range] = []
        place = begin
        while place < closer:
            if self.source(place) == ",":
                found.append((begin, place))
                begin = place + 1
            place = self._after(place)
        return (*found, (begin, closer)) if begin < closer else ()
