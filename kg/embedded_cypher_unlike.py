"""Values that kglite compares, groups or reads otherwise than a server: told from the words of a query, and refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, takewhile

from causetrail.errors import CypherInvalid, CypherUnsupported
from kg.cypher_expressions import Expressions, Range
from kg.cypher_schema import PROPERTY_KINDS
from kg.cypher_tokens import Kind, Token, place_of, text_of
from kg.cypher_values import Json

LARGEST_EXACT = 2**53
"""Above it a float does not tell whole numbers apart."""
LARGEST = 2**63
"""The least number has this one behind its minus."""
AGGREGATES = frozenset({"avg", "collect", "count", "max", "min", "stdev", "stdevp", "sum"})
_TIMES = frozenset({"date", "datetime"})
_WHOLE_DAYS = re.compile(r"P(?:-?\d+[YMWD])+")
_DAYS = frozenset({"years", "quarters", "months", "weeks", "days"})
_OTHER_CLOCK = re.compile(r"[T ].*[+-]\d\d(?::?\d\d)?$|\.\d{7,}|\[")
"""A time with an offset from UTC, a name of a zone, or more digits than microseconds."""

Refusal = tuple[str, str]
"""What is not known, and what to write instead."""


def refuse_values(query: str, tokens: Sequence[Token], parameters: Mapping[str, Json]) -> None:
    """Refuses values that would give other rows than on a server.

    Raises:
        CypherUnsupported: there is one.
        CypherInvalid: a number is too large for any store.
    """
    unlike = _Unlike(tokens, parameters)
    for place, token in enumerate(tokens):
        if token.kind is Kind.NUMBER:
            _refuse_number(query, token)
        for check in _CHECKS:
            refusal = check(unlike, place)
            if refusal is not None:
                what, advice = refusal
                raise CypherUnsupported(what=f"{what} ({place_of(query, token.start)})", advice=advice)


def compares_values(tokens: Sequence[Token]) -> bool:
    """Whether values are compared to count them or to leave out equal ones."""
    calls = {token.source.lower() for token, following in pairwise(tokens) if following.source == "("}
    return bool({token.keyword for token in tokens} & {"DISTINCT", "UNION"} or calls & AGGREGATES)


def _refuse_number(query: str, token: Token) -> None:
    text = token.source.lower()
    place = place_of(query, token.start)
    if "_" in text:
        raise CypherUnsupported(what=f"digits joined by _ ({place})", advice="Write the digits alone: 1000.")
    try:
        value = int(text, 0) if text.startswith(("0x", "0o")) or text.isdecimal() else float(text)
    except ValueError:
        return
    if isinstance(value, float) and math.isinf(value):
        raise CypherInvalid(reason=f"the number at {place} is too large")
    if isinstance(value, int) and value > LARGEST:
        raise CypherInvalid(reason=f"the number at {place} has more than 64 bits")
    if isinstance(value, int) and value > LARGEST_EXACT:
        what = f"whole numbers above 9,007,199,254,740,992 ({place})"
        raise CypherUnsupported(what=what, advice="Give it as a parameter, and compare it with whole numbers alone.")


class _Unlike:
    def __init__(self, tokens: Sequence[Token], parameters: Mapping[str, Json]) -> None:
        self.tokens = tokens
        self.parameters = parameters
        self.expressions = Expressions(tokens)
        self.groups = compares_values(tokens)
        self.has_durations = any(self.called(place) == "duration" for place in range(len(tokens)))
        self.has_dates = any(self.called(place) == "date" for place in range(len(tokens)))
        self._maps = {
            tokens[place + 1].name
            for place, token in enumerate(tokens[:-1])
            if token.keyword == "AS" and self._ends_map(place - 1)
        }
        """Names of maps, and of lists of maps."""

    def number(self, part: Range) -> int | float | None:
        """The number that an expression is, when it is written as one."""
        source = "".join(token.source for token in self.tokens[part[0] : part[1]])
        try:
            return int(source) if source.lstrip("+-").isdecimal() else float(source)
        except ValueError:
            return None

    def called(self, place: int) -> str:
        """The function that a word calls, in lower case; nothing for another token."""
        word = self.tokens[place] if 0 <= place < len(self.tokens) else None
        if word is None or word.kind is not Kind.WORD or self.expressions.source(place + 1) != "(":
            return ""
        return "" if self.expressions.source(place - 1) in {".", ":", "|"} else word.source.lower()

    def may_have_hours(self, parts: Sequence[Range]) -> bool:
        """Whether the arguments of duration() may give hours or less beside its days."""
        source = [self.tokens[place].source for part in parts for place in range(*part)]
        if len(source) == 1 and self.tokens[parts[0][0]].kind is Kind.TEXT:
            return _WHOLE_DAYS.fullmatch(source[0][1:-1]) is None
        plain = all(
            (token.kind is Kind.NUMBER and token.source.isdecimal()) or token.name in _DAYS or token.source in "{}:,-"
            for part in parts
            for token in self.tokens[part[0] : part[1]]
        )
        return not plain

    def sorts_durations(self) -> bool:
        """Whether a duration that is not added to a time or asked for its parts is a value of the query."""
        return any(
            self.called(place) == "duration"
            and not {self.expressions.source(place - 1), self._behind_call(place)} & {"+", "-", "."}
            for place in range(len(self.tokens))
        )

    def _behind_call(self, place: int) -> str:
        return self.expressions.source(self.expressions.partner.get(place + 1, place) + 1)

    def sorts_maps(self, place: int) -> bool:
        """Whether one of the names behind ORDER BY is that of a map, or of an item of a list of maps."""
        behind = takewhile(
            lambda at: self.expressions.keyword(at) in {"", "ASC", "DESC"}, range(place + 1, len(self.tokens))
        )
        sorted_by = {
            self.tokens[at].name
            for at in behind
            if self.expressions.source(at - 1) in {",", self.tokens[place].source}
            and self.expressions.source(at + 1) not in {".", "("}
        }
        return bool(sorted_by & self._maps)

    def _ends_map(self, last: int) -> bool:
        token = self.tokens[last]
        if token.kind is Kind.PARAMETER:
            value = self.parameters.get(token.name_of_parameter)
            return isinstance(value, dict) or (
                isinstance(value, list | tuple) and any(isinstance(v, dict) for v in value)
            )
        opener = self.expressions.partner.get(last, last)
        inside = range(opener, last)
        return (token.source == "}" and not self.tokens[opener - 1].name) or (
            token.source == "]"
            and any(
                self.expressions.source(at) == "{" and self.expressions.source(at - 1) in {"[", ","} for at in inside
            )
        )

    def time_before(self, sign: int) -> str:
        """`date` or `datetime` when the value before a sign is a call of it."""
        opener = self.expressions.partner.get(sign - 1, 0)
        return name if (name := self.called(opener - 1)) in _TIMES else ""

    def time_after(self, sign: int) -> str:
        """`date` or `datetime` when the value behind a sign is a call of it."""
        name = self.called(sign + 1)
        ends = name in _TIMES and self.expressions.source(self.expressions.partner.get(sign + 2, 0) + 1) != "."
        return name if ends else ""

    def is_text(self, place: int) -> bool:
        """Whether a value that ends at a place is a text: written, given, or a property of the graph."""
        if not 0 <= place < len(self.tokens):
            return False
        token = self.tokens[place]
        if token.kind is Kind.PARAMETER:
            return isinstance(self.parameters.get(token.name_of_parameter), str)
        looked_up = self.expressions.source(place - 1) == "." and PROPERTY_KINDS.get(token.name) == "t"
        return token.kind is Kind.TEXT or looked_up


def _numbers(unlike: _Unlike, place: int) -> Refusal | None:
    """A list with 1 and 1.0, which are one value to a server and two to kglite."""
    token = unlike.tokens[place]
    if not unlike.groups:
        return None
    value: Json = None
    if token.kind is Kind.PARAMETER:
        value = unlike.parameters.get(token.name_of_parameter)
    elif token.source == "[":
        value = [unlike.number(part) for part in unlike.expressions.arguments(place)]
    if isinstance(value, list | tuple):
        numbers = [part for part in value if isinstance(part, int | float) and not isinstance(part, bool)]
        whole = {part for part in numbers if isinstance(part, int)}
        if any(isinstance(part, float) and part in whole for part in numbers):
            return "1 and 1.0 in one list that is counted or made distinct", "Write all as floats: 1.0."
    return None


def _times(unlike: _Unlike, place: int) -> Refusal | None:
    sign = unlike.expressions.source(place)
    if sign == "." and unlike.expressions.source(place + 1) == "weekday":
        return "weekday", "Write dayOfWeek."
    if sign in {"=", "<", ">"}:
        first = place - 1 if unlike.expressions.source(place - 1) in {"<", ">"} else place
        before, after = unlike.time_before(first), unlike.time_after(place)
        if before and after and before != after:
            return "the comparison of a date with a datetime", "Make both datetimes: datetime('2014-03-01')."
        if (after and unlike.is_text(first - 1)) or (
            before and unlike.is_text(place + 1) and not _goes_on(unlike, place)
        ):
            return "the comparison of a time with a text", "Make both datetimes: datetime(e.time_start)."
    if sign == "-" and unlike.time_before(place) and unlike.time_after(place):
        return "the difference of times by a minus", "Write duration.inDays(a, b).days."
    if sign == "/" and unlike.called(unlike.expressions.partner.get(place - 1, 0) - 1) == "duration":
        return "the division of a duration", "Divide the days: duration.inDays(a, b).days / 2."
    return None


def _goes_on(unlike: _Unlike, place: int) -> bool:
    return unlike.expressions.source(place + 2) in {".", "["}


def _calls(unlike: _Unlike, place: int) -> Refusal | None:
    name = unlike.called(place)
    if not name:
        return None
    parts: tuple[Range, ...] = unlike.expressions.arguments(place + 1)
    first = unlike.tokens[parts[0][0]] if parts else None
    if name == "split" and len(parts) == 2 and unlike.expressions.source(parts[1][0]) == "[":
        return "split() at several texts", "Write replace(), and split() at one."
    if name == "duration" and unlike.has_dates and unlike.may_have_hours(parts):
        return "a duration with hours beside dates", "Count whole days: date('2014-03-01') + duration({days: 2})."
    if name in {"sum", "avg"} and unlike.has_durations:
        return f"{name}() beside durations", "Sum their days: sum(duration.inDays(a, b).days)."
    if name == "datetime" and first is not None and len(parts) == 1 and parts[0][1] - parts[0][0] == 1:
        text: Json = unlike.parameters.get(first.name_of_parameter)
        text = text_of(first) if first.kind is Kind.TEXT else text
        if isinstance(text, str) and _OTHER_CLOCK.search(text):
            return "times that are not UTC, or finer than microseconds", "Write UTC: datetime('2014-03-01T12:00:00Z')."
    return None


def _maps(unlike: _Unlike, place: int) -> Refusal | None:
    values = unlike.expressions
    if values.keyword(place) == "BY" and unlike.has_durations and unlike.sorts_durations():
        return "the order of durations", "Order by their days: ORDER BY x.days."
    if values.keyword(place) == "BY" and unlike.sorts_maps(place):
        return "the order of maps", "Order by one of their values: ORDER BY m.a."
    if values.source(place) not in {"<", ">"}:
        return None
    opener = values.partner.get(place - 1, -1)
    before = values.source(place - 1) == "}" and not unlike.tokens[opener - 1].name if opener > 0 else False
    after = values.source(place + (2 if values.source(place + 1) == "=" else 1)) == "{"
    return ("the order of maps", "Compare their values one by one.") if before or after else None


_CHECKS: tuple[Callable[[_Unlike, int], Refusal | None], ...] = (_numbers, _times, _calls, _maps)
