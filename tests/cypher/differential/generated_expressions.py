"""Expressions by chance over numbers, texts, lists, maps, times and null, of which most have types that fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[str]], str]

WHOLE = ("0", "1", "2", "-1", "-3", "7", "10", "1000000", "4611686018427387904", "null", "$whole", "size([1, 2])")
FLOATS = ("0.0", "-0.0", "0.5", "-0.5", "1.0", "2.5", "-2.5", "1.005", "0.0001", "12345678.5", "1e20", "null", "$float")
TEXTS = (
    *("''", "'a'", "'Ab c'", "'1'", "'1.5'", "' 7 '", "'true'", "'ß'", "'É'", "'😀x'", "'a,b,,c'", "'x\\ny'", "null"),
    *("$text", "'1e3'", "'-0'", "'NaN'", "'inf'", "'ſ'", "'٣'"),
)
LISTS = ("[]", "[1]", "[1, 2, 3]", "[1, 2.5]", "[null]", "['a', null]", "[[1], [2]]", "null", "$list", "range(1, 4)")
TRUTHS = ("true", "false", "null")
MAPS = ("{a: 1}", "{a: null}", "{a: 'x', b: [1]}", "{}", "null")
TIMES = ("date('2020-02-29')", "date('2021-01-31')", "null")
PATTERNS = (
    *("'a'", "'.*'", "'(?i)ab.*'", "'[a-z]+'", "'\\\\w+'", "'\\\\d'", "'(?s).*'", "'x.y'", "'(?i)s|é|ss'", "'[^a]'"),
    *("'\\\\S+ \\\\S'", "'(a|b)?.*'", "'(?i)[^a-c]'"),
)
PARAMETERS = {"whole": 5, "float": -1.5, "text": "Zoë 1", "list": [3, 1, 2]}
DEEPEST = 3
NUMERIC = 2
"""How many of the kinds are numbers."""


class Expressions:
    """Writes expressions; every choice is drawn, so that a failing one is made smaller."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def _one_of(self, choices: Sequence[str]) -> str:
        return self._draw(st.sampled_from(list(choices)))

    def _made(self, depth: int, leaves: Sequence[str], forms: Sequence[str]) -> str:
        """A leaf, or a form whose letters w f n t l b m d stand for values of their kinds."""
        if depth >= DEEPEST or self._one_of(["leaf", "form", "form"]) == "leaf":
            return self._one_of(leaves)
        kinds = {
            "W": self.whole,
            "F": self.number,
            "T": self.text,
            "L": self.list,
            "B": self.truth,
            "M": self.map,
            "D": self.time,
            "V": self.any,
        }
        parts = self._one_of(forms).split("§")
        made = [part if place % 2 == 0 else kinds[part](depth + 1) for place, part in enumerate(parts)]
        return "".join(made)

    def whole(self, depth: int = 0) -> str:
        forms = (
            *("(§W§ + §W§)", "(§W§ - §W§)", "(§W§ * §W§)", "(§W§ / §W§)", "(§W§ % §W§)", "size(§L§)", "size(§T§)"),
            *("toInteger(§F§)", "toInteger(§T§)", "abs(§W§)", "sign(§F§)", "-(§W§)", "coalesce(§W§, §W§)"),
            *("CASE WHEN §B§ THEN §W§ ELSE §W§ END", "head(§L§)", "§L§[§W§]", "§M§.a", "§D§.year", "§D§.week"),
            "reduce(s = 0, x IN [§W§, §W§] | s + x)",
        )
        return self._made(depth, WHOLE, forms)

    def number(self, depth: int = 0) -> str:
        forms = (
            *("(§F§ + §F§)", "(§F§ - §W§)", "(§W§ * §F§)", "(§F§ / §F§)", "(§F§ % §W§)", "(§W§ ^ §W§)", "§W§", "§F§"),
            *("round(§F§)", "round(§F§, 2)", "floor(§F§)", "ceil(§F§)", "sqrt(§F§)", "log(§F§)", "log10(§F§)"),
            *("exp(§F§)", "toFloat(§T§)", "toFloat(§W§)", "abs(§F§)", "coalesce(§F§, 0.5)", "-(§F§)"),
        )
        return self._made(depth, FLOATS, forms)

    def text(self, depth: int = 0) -> str:
        forms = (
            *("(§T§ + §T§)", "(§T§ + §W§)", "(§T§ + §F§)", "toString(§F§)", "toString(§W§)", "toString(§B§)"),
            *("toUpper(§T§)", "toLower(§T§)", "trim(§T§)", "left(§T§, 2)", "right(§T§, 1)", "substring(§T§, 1)"),
            *("replace(§T§, 'a', §T§)", "reverse(§T§)", "split(§T§, ',')[0]", "toString(§D§)", "coalesce(§T§, 'z')"),
        )
        return self._made(depth, TEXTS, forms)

    def list(self, depth: int = 0) -> str:
        forms = (
            *("(§L§ + §L§)", "(§L§ + §V§)", "(§V§ + §L§)", "tail(§L§)", "reverse(§L§)", "§L§[1..]", "§L§[..-1]"),
            *("split(§T§, ',')", "[x IN §L§ | x]", "[x IN §L§ WHERE x IS NOT NULL]", "[§V§, §V§]", "keys(§M§)"),
        )
        return self._made(depth, LISTS, forms)

    def truth(self, depth: int = 0) -> str:
        forms = (
            *("(§W§ = §F§)", "(§F§ < §F§)", "(§W§ >= §F§)", "(§T§ < §T§)", "(§T§ = §T§)", "(§L§ = §L§)", "(§M§ = §M§)"),
            *(
                "(§B§ AND §B§)",
                "(§B§ OR §B§)",
                "(§B§ XOR §B§)",
                "NOT §B§",
                "(§V§ IS NULL)",
                "(§V§ IN §L§)",
                "(§V§ = §V§)",
            ),
            *("(§T§ CONTAINS §T§)", "(§T§ STARTS WITH §T§)", "toBoolean(§T§)", "(§D§ < §D§)", "(§L§ < §L§)"),
            *("any(x IN §L§ WHERE x = 1)", "all(x IN §L§ WHERE x IS NOT NULL)", "(§V§ <> §V§)"),
            *(f"(§T§ =~ {pattern})" for pattern in PATTERNS),
        )
        return self._made(depth, TRUTHS, forms)

    def map(self, depth: int = 0) -> str:
        return self._made(depth, MAPS, ("{a: §V§}", "{a: §W§, b: §T§}"))

    def time(self, depth: int = 0) -> str:
        return self._made(depth, TIMES, ("(§D§ + duration('P1M'))", "(§D§ - duration('P1D'))", "coalesce(§D§, §D§)"))

    def any(self, depth: int = 0) -> str:
        kind = self._one_of(["W", "F", "T", "L", "B", "M"])
        makers = {"W": self.whole, "F": self.number, "T": self.text, "L": self.list, "B": self.truth, "M": self.map}
        return makers[kind](depth)


@st.composite
def expressions(draw: Draw) -> str:
    """A query that gives the value of one expression, or counts, orders or folds a few."""
    writer = Expressions(draw)
    kinds = [writer.whole, writer.number, writer.text, writer.list, writer.truth, writer.map, writer.time]
    kind = int(draw(st.sampled_from("0123456")))
    make = kinds[kind]
    form = draw(st.sampled_from(["", "", "", "distinct", "group", "fold", "order"]))
    if not form:
        return f"RETURN {make()} AS x"
    rows = f"UNWIND [{make(2)}, {make(2)}, {make(2)}] AS x"
    match form:
        case "distinct":
            return f"{rows} RETURN DISTINCT x"
        case "group":
            return f"{rows} RETURN x, count(*) AS n"
        case "order":
            return f"{rows} RETURN x ORDER BY x"
    folded = draw(st.sampled_from(["min(x)", "max(x)", "collect(x)", "count(x)", "count(DISTINCT x)"]))
    numbers = draw(st.sampled_from(["sum(x)", "avg(x)", "stDev(x)", "stDevP(x)"]))
    return f"{rows} RETURN {numbers if kind < NUMERIC else folded} AS y"
