"""The lists of numbers that a query asks for by `range()`: no database looks at its clock while it walks one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from causetrail.errors import CypherTooMuch
from kg.cypher_expressions import Expressions, Range
from kg.cypher_tokens import Kind, Token, place_of
from kg.cypher_values import Json

MOST_NUMBERS = 1_000_000
"""Numbers of one range, and of loops over ranges inside each other together."""
LONGEST = 100
"""Words of a bound that is looked into."""
_POWER_BOUND = 64
_LARGEST = float(2**64)
"""What greater numbers count as, so that they can be counted with."""


def refuse_ranges(query: str, tokens: Sequence[Token], parameters: Mapping[str, Json]) -> None:
    """Refuses ranges whose bounds tell that they are too long: numbers, parameters, sums of them, and names of such.

    Raises:
        CypherTooMuch: one has more than `MOST_NUMBERS`, or it is walked so often that they are more together.
    """
    constants = _Constants(tokens, parameters)
    open_loops = [_Loop()]
    last = 0
    for place, token in enumerate(tokens):
        if token.kind is Kind.MARK and token.source in "([{":
            is_range = token.source == "(" and place > 0 and tokens[place - 1].name.lower() == "range"
            open_loops.append(_Loop(listed=max(1, constants.length(place)) if is_range else 1))
            last = place - 1 if is_range else last
        elif token.kind is Kind.MARK and token.source in ")]}" and len(open_loops) > 1:
            open_loops[-2].add(open_loops.pop().numbers)
        elif token.source == "|" or token.keyword == "WHERE":
            open_loops[-1].in_body = len(open_loops) > 1
        if open_loops[-1].numbers > MOST_NUMBERS:
            where = place_of(query, tokens[last].start)
            raise CypherTooMuch(reason=f"range() at {where} gives more than {MOST_NUMBERS:,} numbers")


@dataclass(slots=True)
class _Loop:
    """What is walked inside a bracket: the body behind a bar or a WHERE once for each item of the list before it.

    Attributes:
        listed: Numbers before the bar, at least 1.
        repeated: Numbers behind it, for one item of the list.
        in_body: Whether the bar was passed.
    """

    listed: int = 1
    repeated: int = 1
    in_body: bool = False

    @property
    def numbers(self) -> int:
        """Those of the bracket as a whole."""
        return self.listed * self.repeated

    def add(self, numbers: int) -> None:
        """A bracket inside of it was closed; brackets beside each other are walked one after the other."""
        if self.in_body:
            self.repeated = max(self.repeated, numbers)
        else:
            self.listed = max(self.listed, numbers)


class _Constants:
    """What the words of a query tell of its numbers."""

    def __init__(self, tokens: Sequence[Token], parameters: Mapping[str, Json]) -> None:
        self._tokens = tokens
        self._parameters = parameters
        self.expressions = Expressions(tokens)
        self._named: dict[str, list[float]] = {}
        self._known: dict[Range, list[float]] = {}
        for place in range(len(tokens) - 1):
            if self.expressions.keyword(place) == "AS" and tokens[place + 1].name:
                self._name(place)
        # What was told of a part may have used a name that got more values behind it.
        self._known.clear()

    def _name(self, sign: int) -> None:
        """Keeps the number that gets a name by AS."""
        begin = sign
        while begin > 0 and self.expressions.source(begin - 1) != "," and not self.expressions.keyword(begin - 1):
            begin = min(begin - 1, self.expressions.partner.get(begin - 1, begin))
        values = self._values((begin, sign))
        if values:
            name = self._tokens[sign + 1].name
            self._named[name] = _ends([*self._named.get(name, []), *values])

    def length(self, opener: int) -> int:
        """How many numbers a call of range() gives; 0 when its words do not tell."""
        parts = [self._values(part) for part in self.expressions.arguments(opener)]
        if len(parts) not in {2, 3} or not all(parts):
            return 0
        steps = [abs(step) for step in parts[2]] if len(parts) == 3 else [1.0]
        widest = max(abs(last - first) for first in parts[0] for last in parts[1])
        return int(min(widest / max(1.0, min(steps)), _LARGEST)) + 1

    def _values(self, part: Range) -> list[float]:
        """The least and the greatest number that an expression may be; none when its words do not tell."""
        if part not in self._known:
            self._known[part] = self._evaluated(part)
        return self._known[part]

    def _evaluated(self, part: Range) -> list[float]:
        begin, end = part
        if not begin < end <= begin + LONGEST:
            return []
        for signs in ({"+", "-"}, {"*", "/", "%"}):
            split = self._last_sign(part, signs)
            if split is not None:
                return self._combined(self._tokens[split].source, (begin, split), (split + 1, end))
        first = self._tokens[begin]
        if first.source in {"+", "-"}:
            return [-value if first.source == "-" else value for value in self._values((begin + 1, end))]
        power = self._last_sign(part, {"^"})
        if power is not None:
            return self._combined("^", (begin, power), (power + 1, end))
        if self.expressions.partner.get(begin) == end - 1 and first.source == "(":
            return self._values((begin + 1, end - 1))
        if first.name.lower() in {"tointeger", "abs", "floor", "ceil", "round", "tofloat"}:
            arguments = self.expressions.arguments(begin + 1)
            return self._values(arguments[0]) if arguments else []
        return self._value(first) if end - begin == 1 else []

    def _value(self, token: Token) -> list[float]:
        value: Json = None
        if token.kind is Kind.NUMBER:
            value = _number(token.source)
        elif token.kind is Kind.TEXT:
            value = _number(token.source[1:-1])
        elif token.kind is Kind.PARAMETER:
            value = self._parameters.get(token.name_of_parameter)
        elif token.name:
            return self._named.get(token.name, [])
        known = isinstance(value, int | float) and not isinstance(value, bool)
        return _ends([float(value)]) if known else []

    def _last_sign(self, part: Range, signs: set[str]) -> int | None:
        """The last sign between two operands that stands in no inner bracket."""
        found, place = None, part[0]
        while place < part[1]:
            operand_before = place > part[0] and self._tokens[place - 1].source not in {"+", "-", "*", "/", "%", "^"}
            if self.expressions.source(place) in signs and operand_before:
                found = place
            place = max(place, self.expressions.partner.get(place, place)) + 1
        return found

    def _combined(self, sign: str, left: Range, right: Range) -> list[float]:
        ones, others = self._values(left), self._values(right)
        return _ends([_result(sign, one, other) for one in ones for other in others])


def _ends(values: Sequence[float]) -> list[float]:
    return [min(max(end, -_LARGEST), _LARGEST) for end in sorted({min(values), max(values)})] if values else []


def _result(sign: str, one: float, other: float) -> float:
    match sign:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case "^":
            return float(min(abs(one), 1e9) ** min(abs(other), _POWER_BOUND)) if abs(one) < 1e4 else _LARGEST
    if other == 0:
        return 0.0
    return one / other if sign == "/" else one % other


def _number(source: str) -> float | None:
    text = source.strip().lower().replace("_", "")
    try:
        value = float(int(text, 0)) if text.startswith(("0x", "0o")) else float(text)
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(value) else min(max(value, -_LARGEST), _LARGEST)
