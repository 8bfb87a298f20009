"""What kglite would compute otherwise than a server, written so that it computes the same or says that it cannot.

A value is looked at where it is used: `a / b` becomes `a / [v IN [b] | CASE ... END][0]`. Where the two would part,
kglite is made to fail with the name of a `Guard`, which the worker hands on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from causetrail.errors import CypherUnsupported
from kg.cypher_export import cypher_literal
from kg.cypher_expressions import Expressions, Range, Sum
from kg.cypher_schema import PROPERTY_KINDS
from kg.cypher_tokens import Kind, Token, text_of
from kg.cypher_values import Json
from kg.embedded_cypher_refusals import Guard
from kg.embedded_cypher_regex import server_regex
from kg.embedded_cypher_worker import GUARD

VALUE = "causetrail_value"
"""Name of the value that is looked at."""
WIDEST = 1_000_000
"""More than twice the tokens of any query."""
LONGEST = 200_000
"""Characters of a query with all its guards."""

Edit = tuple[int, int, int, str]
"""Offset in the query, rank among the edits there, characters that go, and what comes."""


def _fail(guard: Guard) -> str:
    return f"date('{GUARD}{guard}')"


_V = VALUE
_IS_TEXT = f"valueType({_V}) STARTS WITH 'STRING'"
_LARGE = "9223372036854774784.0"
_ODD_FLOAT = "{0} IS :: FLOAT AND (abs({0}) >= 10000000 OR ({0} <> 0 AND abs({0}) < 0.001))"
_ODD_NUMBER = (
    r"'[\\x00- ].*|.*[\\x00- ]|[+-]?[0-9.]+([eE][+-]?[0-9]+)?[dDfF]|[+-]?0[xX].*|[+-]?[iI][nN][fF].*|[+-]?[nN][aA][nN]'"
)
"""Texts that one of the two reads as a number, or as none."""
_FOREIGN_DIGIT = r"'(?s).*[\\p{Nd}&&[^0-9]].*'"
_ODD_SPACE = r"[\\x1c-\\x1f\\x{85}\\x{a0}\\x{2007}\\x{202f}]"
_ODD_SPACES = rf"'(?s)\\s*{_ODD_SPACE}.*|.*{_ODD_SPACE}\\s*'"
"""Texts that begin or end with what one of the two takes for white space."""


def _unless(condition: str, guard: Guard, value: str = _V) -> str:
    return f"CASE WHEN {condition} THEN {_fail(guard)} ELSE {value} END"


def _some(condition: str) -> str:
    return f"any(causetrail_one IN {_V} WHERE {condition})"


_DIVISOR = (
    f"CASE WHEN {_V} IS :: FLOAT AND {_V} = 0 THEN {_fail(Guard.DIVISION)} WHEN {_V} = 0 THEN 1 / 0 ELSE {_V} END"
)
_TEXT_OF = (
    f"CASE WHEN {_ODD_FLOAT.format(_V)} THEN {_fail(Guard.FLOAT_TEXT)}"
    f" WHEN valueType({_V}) STARTS WITH 'ZONED' THEN {_fail(Guard.TIME_TEXT)} ELSE {_V} END"
)
_INTEGER_OF = _unless(
    f"({_V} IS :: FLOAT OR {_IS_TEXT}) AND abs(toFloat({_V})) >= {_LARGE} OR {_IS_TEXT} AND {_V} =~ {_FOREIGN_DIGIT}",
    Guard.NUMBER,
)
_TRIMMED = _unless(f"{_IS_TEXT} AND {_V} =~ {_ODD_SPACES}", Guard.SPACES)
_COUNTED = _unless(f"{_V} < 0", Guard.LENGTH)
_NO_MAXIMUM = (
    f"CASE WHEN valueType({_V}) STARTS WITH 'MAP' THEN {_fail(Guard.MAP_ORDER)}"
    f" WHEN valueType({_V}) STARTS WITH 'DURATION' THEN {_fail(Guard.DURATION_ORDER)} ELSE {_V} END"
)
_FLOAT_OF = _unless(f"{_IS_TEXT} AND {_V} =~ {_ODD_NUMBER}", Guard.NUMBER)
_LOOKED_AT: Mapping[str, str] = {
    "tostring": _TEXT_OF,
    "tostringornull": _TEXT_OF,
    "tointeger": _INTEGER_OF,
    "tointegerornull": _INTEGER_OF,
    "tofloat": _FLOAT_OF,
    "tofloatornull": _FLOAT_OF,
    "min": _NO_MAXIMUM,
    "max": _NO_MAXIMUM,
    "trim": _TRIMMED,
    "ltrim": _TRIMMED,
    "rtrim": _TRIMMED,
    "toboolean": _unless(f"{_IS_TEXT} AND {_V} <> trim({_V})", Guard.NUMBER),
    "sqrt": _unless(f"{_V} < 0", Guard.DOMAIN),
    "log": _unless(f"{_V} <= 0", Guard.DOMAIN),
    "log10": _unless(f"{_V} <= 0", Guard.DOMAIN),
}
"""How the argument of a function is looked at."""
# Below one half, adding one half may round up to one.
_ROUNDED = _unless(
    f"abs({_V}) > 4503599627370496", Guard.ROUNDING, f"CASE WHEN abs({_V}) < 0.5 THEN 0.0 ELSE {_V} + 0.5 END"
)
_MEAN = f"(reduce(causetrail_sum = 0.0, causetrail_one IN {_V} | causetrail_sum + causetrail_one) / size({_V}))"
_SQUARES = (
    f"reduce(causetrail_squares = 0.0, causetrail_each IN {_V} | causetrail_squares + (causetrail_each - {_MEAN}) ^ 2)"
)
_DEVIATIONS = {
    "stdev": f"CASE size({_V}) WHEN 0 THEN null WHEN 1 THEN 0.0 ELSE sqrt({_SQUARES} / (size({_V}) - 1)) END",
    "stdevp": f"CASE size({_V}) WHEN 0 THEN null ELSE sqrt({_SQUARES} / size({_V})) END",
}
"""kglite gives no row at all for the deviation of nothing."""
_LISTS = frozenset({"collect", "keys", "labels", "nodes", "range", "relationships", "split", "tail"})
_TEXTS = frozenset(
    {"left", "ltrim", "replace", "right", "rtrim", "substring", "tolower", "tostring", "toupper", "trim", "type"}
)
_FLOATS = frozenset({"avg", "ceil", "e", "exp", "floor", "log", "log10", "pi", "round", "sqrt", "tofloat"})
_WHOLE = frozenset({"count", "length", "size", "tointeger"})
_ANYTHING = frozenset("lntfb")
_ESCAPE_ALIKE = re.compile(r"\\[nrt'\"\\]")
"""Behind any other backslash kglite reads a plain letter: not the backslash that a server keeps, nor a backspace."""


def with_guards(query: str, tokens: Sequence[Token], parameters: Mapping[str, Json]) -> list[Edit]:
    """What is to be changed of a query.

    Raises:
        CypherUnsupported: there is no way to write it so that both answer alike.
    """
    return list(_Guards(query, tokens, parameters).edits())


def applied(query: str, edits: Sequence[Edit]) -> str:
    """The query with its edits.

    Raises:
        CypherUnsupported: it grows too long by them.
    """
    parts: list[str] = []
    done = 0
    for offset, _, gone, come in sorted(edits):
        parts += [query[done:offset], come]
        done = max(done, offset) + gone
    text = "".join([*parts, query[done:]])
    if len(text) > LONGEST:
        raise CypherUnsupported(what="so much arithmetic", advice="Split it with WITH, or ask for less at once.")
    return text


class _Guards:
    def __init__(self, query: str, tokens: Sequence[Token], parameters: Mapping[str, Json]) -> None:
        self._query = query
        self._tokens = tokens
        self._parameters = parameters
        self._expressions = Expressions(tokens)

    def edits(self) -> Iterator[Edit]:
        seen: set[int] = set()
        for place, token in enumerate(self._tokens):
            if token.source in {"/", "%"} and token.kind is Kind.MARK:
                yield from self._division(place)
            elif token.source == "+" and place not in seen:
                found = self._expressions.sum_at(place)
                if found is not None:
                    seen.update(found.signs)
                if found is not None and found.complete:
                    yield from self._sum(found)
            elif token.source == "~" and self._expressions.source(place - 1) == "=":
                yield from self._regex(place + 1)
            elif token.kind is Kind.TEXT and self._expressions.source(place - 1) != "~":
                if "\\" in _ESCAPE_ALIKE.sub("", token.source):
                    yield self._instead(token, cypher_literal(text_of(token)))
            elif token.keyword == "IN" and self._loops(place + 1):
                # kglite reads a square bracket behind IN as a list of values alone.
                yield from self._around((place + 1, self._expressions.partner[place + 1] + 1), "(", ")", inner=True)
            elif token.kind is Kind.WORD and self._expressions.source(place + 1) == "(":
                yield from self._call(place)

    def _loops(self, opener: int) -> bool:
        """Whether a list that is made of another one stands here: `[x IN list WHERE ... | ...]`."""
        loops = self._expressions.source(opener) == "[" and self._expressions.keyword(opener + 2) == "IN"
        return loops and opener in self._expressions.partner

    def _around(self, part: Range, before: str, after: str, inner: bool = False) -> Iterator[Edit]:
        """An edit on either side of some tokens; what surrounds more of them stands further outside.

        Args:
            inner: It belongs to the tokens themselves, so that an edit for what they are used in stands outside of it.
        """
        first, last = self._tokens[part[0]], self._tokens[part[1] - 1]
        reach = 2 * (part[1] - part[0]) - inner
        yield first.start, WIDEST - reach, 0, before
        yield last.end, reach - WIDEST, 0, after

    def _instead(self, token: Token, text: str) -> Edit:
        """An edit of a token itself, inside of all that surrounds it."""
        return token.start, WIDEST, len(token.source), text

    def _looked_at(self, part: Range, body: str) -> Iterator[Edit]:
        return self._around(part, f"[{VALUE} IN [", f"] | {body}][0]")

    def _division(self, sign: int) -> Iterator[Edit]:
        divisor = self._expressions.operand_after(sign)
        if not self._is_number_but_zero(divisor):
            yield from self._looked_at(divisor, _DIVISOR)

    def _is_number_but_zero(self, part: Range) -> bool:
        token = self._tokens[part[0]]
        value = self._parameters.get(token.name_of_parameter) if token.kind is Kind.PARAMETER else None
        if part[1] - part[0] > 1:
            return False
        if token.kind is Kind.NUMBER:
            return any(digit in "123456789" for digit in token.source.lower().partition("e")[0])
        return isinstance(value, int | float) and not isinstance(value, bool) and value != 0

    def _call(self, place: int) -> Iterator[Edit]:
        name, token = self._tokens[place].source.lower(), self._tokens[place]
        arguments = self._expressions.arguments(place + 1)
        if not arguments or self._expressions.source(place - 1) in {".", ":", "|"}:
            return
        if name in _LOOKED_AT and len(arguments) == 1:
            yield from self._looked_at(arguments[0], _LOOKED_AT[name])
        elif name == "round" and len(arguments) == 1:
            yield self._instead(token, "floor")
            yield from self._looked_at(arguments[0], _ROUNDED)
        elif name == "round" and len(arguments) == 2 and self._is_zero(arguments[1]):
            yield self._instead(token, "floor")
            yield from self._looked_at(arguments[0], _ROUNDED)
            begin, end = self._tokens[arguments[0][1]].start, self._tokens[arguments[1][1] - 1].end
            yield begin, 0, end - begin, ""
        elif name in {"left", "right", "substring"}:
            for argument in arguments[1:]:
                if self._tokens[argument[0]].kind is not Kind.NUMBER or argument[1] - argument[0] > 1:
                    yield from self._looked_at(argument, _COUNTED)
        elif name == "round" and len(arguments) == 2:
            yield from self._looked_at(arguments[0], self._rounded_to(arguments[1]))
            # kglite gives -0.0 where a server gives 0.0.
            yield from self._around((place, self._expressions.partner[place + 1] + 1), "(", " + 0.0)", inner=True)
        elif name == "round":
            raise CypherUnsupported(what="the modes of round()", advice="Write floor(x * 100 + 0.5) / 100.")
        elif name in _DEVIATIONS and len(arguments) == 1:
            closer = self._expressions.partner.get(place + 1)
            if closer is not None:
                yield from self._around(
                    (place, closer + 1), f"[{VALUE} IN [", f"] | {_DEVIATIONS[name]}][0]", inner=True
                )
                yield self._instead(token, "collect")

    def _is_zero(self, part: Range) -> bool:
        token = self._tokens[part[0]]
        value = self._parameters.get(token.name_of_parameter) if token.kind is Kind.PARAMETER else token.source
        return part[1] - part[0] == 1 and value in {0, "0"} if isinstance(value, int | str) else False

    def _rounded_to(self, places: Range) -> str:
        token = self._tokens[places[0]]
        if places[1] - places[0] > 1 or token.kind not in {Kind.NUMBER, Kind.PARAMETER}:
            raise CypherUnsupported(
                what="round() to places that are computed", advice="Write their number: round(x, 2)."
            )
        moved = f"abs({_V} * 10.0 ^ {token.source})"
        below = f"{moved} - floor({moved}) < 0.5 AND {moved} - floor({moved}) > 0.499999"
        return _unless(f"{moved} > 4503599627370496 OR {below}", Guard.ROUNDING)

    def _regex(self, place: int) -> Iterator[Edit]:
        token = self._tokens[place] if place < len(self._tokens) else None
        alone = self._expressions.source(place + 1) not in {"+", ".", "["}
        if token is not None and token.kind is Kind.TEXT and alone:
            pattern: Json = text_of(token)
        elif token is not None and token.kind is Kind.PARAMETER and alone:
            pattern = self._parameters.get(token.name_of_parameter)
        elif token is not None and token.keyword == "NULL":
            return
        else:
            raise CypherUnsupported(
                what="a regular expression that is computed", advice="Write it as a text or a parameter."
            )
        if isinstance(pattern, str):
            yield self._instead(token, cypher_literal(server_regex(pattern)))

    def _sum(self, found: Sum) -> Iterator[Edit]:
        natures = [self._nature(part) for part in found.operands]
        if not (_meet(natures, "l", "n") or _meet(natures, "t", "f") or _meet(natures, "t", "b")):
            return
        signs = [self._tokens[sign] for sign in found.signs]
        items = "".join(
            f"{_V}[{number}]{f' {signs[number].source} ' if number < len(signs) else ''}"
            for number in range(len(found.operands))
        )
        odd = _ODD_FLOAT.format("causetrail_one")
        text = _some("valueType(causetrail_one) STARTS WITH 'STRING'")
        odd_text = f"{text} AND {_some(odd)}"
        truth = _some("valueType(causetrail_one) STARTS WITH 'BOOLEAN'")
        absent = _some("causetrail_one IS NULL")
        body = (
            f"CASE WHEN {absent} THEN null WHEN {odd_text} THEN {_fail(Guard.FLOAT_TEXT)}"
            f" WHEN {text} AND {truth} THEN {_fail(Guard.TRUTH_TEXT)} ELSE {items} END"
        )
        yield from self._around(found.whole, f"[{VALUE} IN [[", f"]] | {body}][0]", inner=True)
        for sign in signs:
            yield self._instead(sign, ",")

    def _nature(self, part: Range) -> frozenset[str]:
        """What an operand may be: a list (l), null (n), a text (t), a float (f)."""
        begin, end = part
        token, last = self._tokens[begin], self._tokens[end - 1]
        if end - begin == 1:
            return self._nature_of_token(token)
        closed = self._expressions.partner.get(end - 1)
        if token.source == "[" and closed == begin:
            return frozenset("l")
        if closed == begin + 1 and token.kind is Kind.WORD:
            return _nature_of_call(token.source.lower())
        if self._expressions.source(end - 2) == "." and end - begin >= 3 and last.name in PROPERTY_KINDS:
            return frozenset(PROPERTY_KINDS[last.name]) | {"n"}
        if any(self._tokens[place].source in {"*", "/", "%", "^"} for place in self._top(part)):
            return frozenset("fn")
        return _ANYTHING

    def _top(self, part: Range) -> Iterator[int]:
        """The tokens of a part that stand inside no bracket of it."""
        place = part[0]
        while place < part[1]:
            yield place
            place = max(place, self._expressions.partner.get(place, place)) + 1

    def _nature_of_token(self, token: Token) -> frozenset[str]:
        value: Json
        match token.kind:
            case Kind.NUMBER:
                value = 0.5 if set(token.source.lower()) & set(".e") and "x" not in token.source.lower() else 1
            case Kind.TEXT:
                value = ""
            case Kind.PARAMETER:
                value = self._parameters.get(token.name_of_parameter)
            case _:
                return {"NULL": frozenset("n"), "TRUE": frozenset("b"), "FALSE": frozenset("b")}.get(
                    token.keyword, _ANYTHING
                )
        match value:
            case None:
                return frozenset("n")
            case bool():
                return frozenset("b")
            case list() | tuple():
                return frozenset("l")
            case str():
                return frozenset("t")
            case float():
                return frozenset("f")
        return frozenset()


def _meet(natures: Sequence[frozenset[str]], one: str, other: str) -> bool:
    """Whether one operand may be the one while another may be the other."""
    ones = {place for place, nature in enumerate(natures) if one in nature}
    others = {place for place, nature in enumerate(natures) if other in nature}
    return bool(ones and others) and len(ones | others) > 1


def _nature_of_call(name: str) -> frozenset[str]:
    if name in {"collect", "range"}:
        return frozenset("l")
    for kind, names in (("l", _LISTS), ("t", _TEXTS), ("f", _FLOATS), ("", _WHOLE)):
        if name in names:
            return frozenset(kind) | {"n"}
    return _ANYTHING
