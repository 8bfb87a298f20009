"""What kglite understands of Cypher: what it lacks or answers otherwise than a server is refused, the rest mended."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from causetrail.errors import CypherUnsupported
from kg.cypher_expressions import Expressions
from kg.cypher_tokens import Kind, Token, place_of, without_comments
from kg.cypher_values import Json
from kg.embedded_cypher_guards import applied, with_guards
from kg.embedded_cypher_ordering import named_order, outside
from kg.embedded_cypher_unlike import refuse_values

FUNCTIONS = frozenset(
    {
        *("all", "any", "none", "single", "reduce", "shortestpath", "allshortestpaths"),
        *("avg", "collect", "count", "max", "min", "stdev", "stdevp", "sum"),
        *("coalesce", "head", "keys", "labels", "last", "length", "nodes", "properties", "range"),
        *("relationships", "reverse", "size", "tail", "type", "startnode", "endnode"),
        *("abs", "ceil", "e", "exp", "floor", "log", "log10", "pi", "round", "sign", "sqrt"),
        *("left", "ltrim", "replace", "right", "rtrim", "split", "substring", "tolower", "toupper", "trim"),
        *("toboolean", "tofloat", "tofloatornull", "tointeger", "tointegerornull", "tostring", "tostringornull"),
        *("date", "datetime", "duration", "duration.indays"),
    }
)
"""Functions that answer as a server's do, in lower case."""

_BEFORE_BRACKETS = frozenset(
    {
        *("AND", "AS", "BY", "CALL", "CASE", "CONTAINS", "DISTINCT", "ELSE", "ENDS", "IN", "LIMIT", "MATCH", "NOT"),
        *(
            "CREATE",
            "DELETE",
            "FOREACH",
            "INSERT",
            "MERGE",
            "ON",
            "OPTIONAL",
            "OR",
            "RETURN",
            "SKIP",
            "STARTS",
            "THEN",
            "UNWIND",
            "WHEN",
            "WHERE",
            "WITH",
            "XOR",
        ),
    }
)
"""Keywords that a bracket may follow."""
_FOREIGN = frozenset({"EXCEPT", "FILTER", "HAVING", "INTERSECT", "LET", "VALID_TIME"})
"""Keywords of kglite alone, or of later Cypher: no server of version 5 knows them."""
_MADE_UP = frozenset({"label", "type"})
"""Properties that kglite makes up where there are none."""
_NO_SUCH_PROPERTY = "The graph has none of this name: write labels(n)[0] or type(r)."
_WITHOUT_PROCEDURES = (
    "A Neo4j server has them. Write MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label, "
    "or MATCH ()-[r]->() RETURN DISTINCT type(r)."
)
_SHORTEST = "Write MATCH (a ...), (b ...) MATCH p = shortestPath((a)-[*1..9]->(b)), or allShortestPaths(...)."

_COUNT_LINKS = "Write COUNT { ... } > 0, or one link of bounded length."
_CONDITIONS = frozenset({"AND", "NOT", "OR", "WHERE", "XOR"})
_BETWEEN_COMPARISONS = frozenset(
    {
        *("AND", "OR", "XOR", "NOT", "WHERE", "WITH", "RETURN", "MATCH", "WHEN", "THEN", "ELSE", "END", "CASE", "BY"),
        *("AS", "UNWIND", "UNION", "ORDER", "CALL", "YIELD", "DISTINCT"),
    }
)
"""Keywords behind which a new comparison may begin."""
_PROJECTION = re.compile(r"^(\w+)\s*\{.*\}$", re.DOTALL)

Refusal = tuple[str, str]
"""What is not known, and what to write instead."""


def translate(query: str, tokens: Sequence[Token], parameters: Mapping[str, Json]) -> str:
    """The query as kglite is asked.

    Args:
        tokens: Those of the query, without closing semicolons.
        parameters: Values by name.

    Raises:
        CypherUnsupported: it uses what kglite lacks, or answers otherwise than a server does.
    """
    words = _Words(tokens)
    for place, token in enumerate(tokens):
        for check in _CHECKS:
            refusal = check(words, place)
            if refusal is not None:
                what, advice = refusal
                raise CypherUnsupported(what=f"{what} ({place_of(query, token.start)})", advice=advice)
    refuse_values(query, tokens, parameters)
    quoted = [
        (token.start, 0, len(token.source), f"`{token.source}`")
        for place, token in enumerate(tokens)
        if words.is_reserved_key(place)
    ]
    ordered = named_order(tokens)
    guarded = outside([*with_guards(query, tokens, parameters), *quoted], ordered)
    return applied(without_comments(query)[: tokens[-1].end], [*guarded, *ordered])


def refuse_labels(query: str, tokens: Sequence[Token]) -> None:
    """Refuses what shows labels: where nodes of several collections have the same ids, they are not those of a server.

    Raises:
        CypherUnsupported: the query asks for them.
    """
    words = _Words(tokens)
    for place, token in enumerate(tokens):
        if words.called(place) == "labels":
            what = f"labels() while collections share a document ({place_of(query, token.start)})"
            raise CypherUnsupported(what=what, advice="Write n:Event in MATCH or WHERE.")


def column_names(query: str, tokens: Sequence[Token], names: Sequence[str]) -> tuple[str, ...]:
    """The names of the columns as a server gives them: as written, and for `e {.id}` the name of what is projected."""
    written = _written_columns(query, tokens)
    named = [shown or name for shown, name in zip(written, names, strict=True)] if len(written) == len(names) else names
    return tuple(_PROJECTION.sub(r"\1", name) for name in named)


def _written_columns(query: str, tokens: Sequence[Token]) -> list[str]:
    """Each column of the last RETURN as it is written; nothing for one that has a name by AS."""
    expressions = Expressions(tokens)
    found: list[str] = []
    begin = place = 1 + max((at for at, token in enumerate(tokens) if token.keyword == "RETURN"), default=0)
    if expressions.keyword(begin) == "DISTINCT":
        begin = place = begin + 1
    named = False
    while place <= len(tokens):
        ends = place == len(tokens) or expressions.keyword(place) in {"ORDER", "SKIP", "OFFSET", "LIMIT", "UNION"}
        if (ends or expressions.source(place) == ",") and place > begin:
            found.append("" if named else query[tokens[begin].start : tokens[place - 1].end])
            begin, named = place + 1, False
        if ends:
            break
        named = named or expressions.keyword(place) == "AS"
        place = max(place, expressions.partner.get(place, place)) + 1
    return found


def names_links(tokens: Sequence[Token]) -> bool:
    """Whether a path of variable length has a name for its links, so that their order is seen."""
    words = _Words(tokens)
    for place, token in enumerate(tokens):
        opener = words.opener[place]
        if token.source == "*" and opener is not None and words.tokens[opener + 1].name in words.relationships:
            return True
    return False


class _Words:
    """The tokens with what stands around each of them."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.opener: list[int | None] = []
        self.closed_by: dict[int, int] = {}
        self.closes: dict[int, int] = {}
        open_brackets: list[int] = []
        for place, token in enumerate(tokens):
            if token.kind is Kind.MARK and token.source in ")]}" and open_brackets:
                self.closed_by[place] = open_brackets.pop()
                self.closes[self.closed_by[place]] = place
            self.opener.append(open_brackets[-1] if open_brackets else None)
            if token.kind is Kind.MARK and token.source in "([{":
                open_brackets.append(place)

        self.relationships = {
            token.name
            for place, token in enumerate(tokens)
            if token.name and self.source(place - 1) == "[" and self.source(place - 2) == "-"
        }
        """Names of relationships."""
        self.chained = set(self._chained())
        """Where a comparison stands whose left side is one already."""

    def links_inside(self, opener: int) -> int:
        """The relationships of the patterns between a bracket and the one that closes it."""
        closer = self.closes.get(opener, len(self.tokens))
        return sum(self._is_link(place) for place in range(opener, closer))

    def links_from(self, opener: int) -> int:
        """The relationships of the pattern whose first node opens here; none when it is no pattern."""
        links, place = 0, self.closes.get(opener, len(self.tokens)) + 1
        while self.source(place) in {"-", "<"}:
            begin = place
            while self.source(place) in {"-", "<", ">"}:
                links += self._is_link(place)
                place += 1
                if self.source(place) == "[":
                    place = self.closes.get(place, len(self.tokens)) + 1
            if self.source(place) != "(" or place == begin:
                return 0
            place = self.closes.get(place, len(self.tokens)) + 1
        return links

    def _is_link(self, place: int) -> bool:
        return self.source(place) == "-" and self.source(place + 1) in {"[", "-"}

    def _chained(self) -> Iterator[int]:
        compared: dict[int | None, bool] = {}
        for place, token in enumerate(self.tokens):
            opener = self.opener[place]
            if token.keyword in _BETWEEN_COMPARISONS or token.source in {",", "|", ":"}:
                compared[opener] = False
            elif token.kind is Kind.MARK and token.source in "([{":
                compared[place] = False
            elif self._compares(place):
                if compared.get(opener):
                    yield place
                compared[opener] = True

    def _compares(self, place: int) -> bool:
        mark, before, after = self.source(place), self.source(place - 1), self.source(place + 1)
        if mark == "<":
            return not (after == "-" and self.source(place + 2) in {"[", "-", "("})
        if mark == ">":
            return before not in {"-", "<"}
        return mark == "=" and before not in {"<", ">"}

    def source(self, place: int) -> str:
        """A token as it is written; nothing outside of the query."""
        return self.tokens[place].source if 0 <= place < len(self.tokens) else ""

    def keyword(self, place: int) -> str:
        """A word in capitals; nothing for another token."""
        return self.tokens[place].keyword if 0 <= place < len(self.tokens) else ""

    def inside(self, place: int) -> str:
        """The innermost open bracket."""
        opener = self.opener[place]
        return "" if opener is None else self.source(opener)

    def called(self, place: int) -> str:
        """The function that a word calls, dotted and in lower case; nothing for another token."""
        token = self.tokens[place]
        if not token.name or self.source(place + 1) != "(" or self.source(place - 1) in {":", "|"}:
            return ""
        if token.keyword in _BEFORE_BRACKETS:
            return ""
        name = token.name
        while self.source(place - 1) == "." and place >= 2 and self.tokens[place - 2].name:
            place -= 2
            name = f"{self.tokens[place].name}.{name}"
        return "" if self.keyword(place - 1) == "CALL" else name.lower()

    def is_reserved_key(self, place: int) -> bool:
        """Whether a word is the name of a property that kglite takes for a keyword."""
        if self.keyword(place) != "END":
            return False
        in_map = self.source(place - 1) in {"{", ","} and self.source(place + 1) == ":"
        return self.source(place - 1) == "." or (in_map and self.inside(place) == "{")


def _labels(words: _Words, place: int) -> Refusal | None:
    token = words.tokens[place]
    if token.kind is Kind.WORD and not token.source.isascii():
        return "a name with other letters than a to z", f"Write it in backticks: `{token.source[:40]}`."
    if token.kind is Kind.QUOTED and not token.name.isidentifier():
        return "quoted names of other characters than letters, digits and _", "Choose such a name."
    if token.source == "!" and words.source(place + 1) != "=":
        return "the negation of labels", "Write WHERE NOT n:Label."
    if token.source == "&":
        return "labels joined by &", "Write n:One:Two."
    if token.source == "|" and words.source(place + 1) == ":":
        return "a colon behind the bar", "Write [:CAUSES|ENABLES]."
    if token.source == "$" or (
        token.kind is Kind.PARAMETER and words.source(place - 1) in {":", "|"} and words.inside(place) != "{"
    ):
        return "parameters in place of labels or types", "Write the name itself."
    return None


def _paths(words: _Words, place: int) -> Refusal | None:
    token = words.tokens[place]
    if token.source in {"{", "+", "*"} and token.kind is Kind.MARK:
        after_arrow = words.source(place - 1) == ">" and words.source(place - 2) == "-"
        after_line = words.source(place - 1) == "-" and words.source(place - 2) in {"-", "]"}
        if after_arrow or after_line:
            return "quantified paths", _bounds(words, place)
        opener = words.closed_by.get(place - 1)
        group = opener is not None and words.source(opener) == "(" and words.source(opener + 1) == "("
        if group and token.source != "*":
            return "quantified paths", _bounds(words, place)
    if token.keyword == "SHORTEST" or (
        token.keyword in {"ALL", "ANY"} and words.keyword(place + 1) in {"PATHS", "PATH"}
    ):
        return "SHORTEST", _SHORTEST
    return None


def _bounds(words: _Words, place: int) -> str:
    """How to write the length of a path that a quantifier bounds; ten links where it has no upper bound."""
    first, _, last = "".join(words.source(at) for at in range(place + 1, words.closes.get(place, place))).partition(",")
    match words.source(place):
        case "{" if first.isdecimal() and not last and words.source(place + 2) == "}":
            told = first
        case "{":
            told = f"{first or '0'}..{last or '10'}"
        case "*":
            told = "0..10"
        case _:
            told = "1..10"
    return f"Write the length of a path as -[:CAUSES*{told}]->."


def _patterns(words: _Words, place: int) -> Refusal | None:
    token = words.tokens[place]
    opener = words.opener[place]
    if token.keyword == "WHERE" and opener is not None and words.source(opener) in {"(", "["}:
        looping = words.keyword(opener + 2) == "IN"
        pattern = words.source(opener) == "[" and (words.source(opener + 1) == "(" or words.source(opener + 2) == "=")
        if not looping and not pattern:
            return "conditions inside a pattern", "Write them in the WHERE behind the MATCH."
    if token.source == "*" and opener is not None and words.source(opener) == "[":
        named = words.tokens[opener + 1].name and words.source(opener - 1) == "-"
        inside = words.opener[opener]
        if named and inside is not None and words.called(inside - 1) in {"shortestpath", "allshortestpaths"}:
            return "names for the links of a shortest path", "Name the path: relationships(p) gives its links."
    if token.keyword == "COLLECT" and words.source(place + 1) == "{":
        return "COLLECT {}", "Write OPTIONAL MATCH, and collect() in a WITH."
    if token.keyword == "EXISTS" and words.source(place + 1) == "{" and words.links_inside(place + 1) > 1:
        return "EXISTS {} with more than one link", _COUNT_LINKS
    if token.source == "(" and words.keyword(place - 1) in _CONDITIONS and words.links_from(place) > 1:
        return "a condition that is a pattern with more than one link", _COUNT_LINKS
    counts = words.keyword(place + 1) in {"COUNT", "EXISTS"} and words.source(place + 2) == "{"
    if token.source == "(" and words.keyword(place - 1) in _CONDITIONS and counts:
        return "a bracket before COUNT {} or EXISTS {}", "Leave it out, or turn the comparison around."
    if token.source == "{" and words.source(place + 1) == "." and words.source(place - 1) in words.relationships:
        return "the projection of a relationship", "Write {confidence: r.confidence}."
    return None


def _expressions(words: _Words, place: int) -> Refusal | None:
    token = words.tokens[place]
    if token.keyword == "TRIM" and words.keyword(place + 2) in {"BOTH", "LEADING", "TRAILING"}:
        return "trim(... FROM ...)", "Trim spaces with trim(), ltrim() and rtrim(); cut others with substring()."
    if place in words.chained:
        return "chained comparisons", "Write a <= b AND b <= c."
    return None


def _keywords(words: _Words, place: int) -> Refusal | None:
    token, following = words.tokens[place], words.source(place + 1)
    if token.keyword in _FOREIGN and following not in {".", ",", ")", "=", ":", ""}:
        return token.keyword, "Neither does a server; docs/cypher.md shows what both know."
    if token.keyword == "FORMAT" and words.keyword(place + 1) == "CSV":
        return "FORMAT CSV", "Use the option --format csv."
    if token.keyword == "OVER" and following == "(":
        return "OVER", "Aggregate in a WITH of its own."
    if token.keyword == "CALL" and words.source(place + 2) == "." and words.tokens[place + 1].name:
        return "the procedures of a server", _WITHOUT_PROCEDURES
    return None


def _properties(words: _Words, place: int) -> Refusal | None:
    token, following = words.tokens[place], words.source(place + 1)
    if token.source == "." and following in _MADE_UP and words.source(place + 2) != "(":
        return f"the property {following}", _NO_SUCH_PROPERTY
    if token.source == "[" and words.source(place + 2) == "]" and following[1:-1] in _MADE_UP:
        return f"the property {following[1:-1]}", _NO_SUCH_PROPERTY
    return None


def _functions(words: _Words, place: int) -> Refusal | None:
    name = words.called(place)
    if not name:
        return None
    if name in {"id", "elementid"}:
        return f"{name}()", "Its numbers are no ids of the graph: write n.collection and n.id."
    if name not in FUNCTIONS:
        return f"the function {name[:60]!a}", "docs/cypher.md lists those it knows; a Neo4j server knows more."
    if name in {"startnode", "endnode"} and words.source(place + 4) != ".":
        return f"{name}() as a value", "Ask for its properties, startNode(r).id, or name the nodes in the pattern."
    return None


_CHECKS: tuple[Callable[[_Words, int], Refusal | None], ...] = (
    *(_labels, _paths, _patterns, _expressions),
    *(_keywords, _properties, _functions),
)
