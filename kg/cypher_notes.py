"""Hints about names in a query that the graph does not have: such a query finds nothing, and no store says why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from itertools import islice, pairwise

from kg.cypher_expressions import Expressions
from kg.cypher_schema import EDGE_PROPERTIES, NODE_PROPERTIES, RELATIONSHIPS
from kg.cypher_tokens import Kind, Token, place_of
from kg.graph_schema import EDGE_TYPES, STYLE_LABELS

LABELS = frozenset({*NODE_PROPERTIES, *STYLE_LABELS})
"""Labels of the graph."""
STORE_LABELS = frozenset({"Meta"})
STORE_RELATIONSHIPS = frozenset({"SKETCHED", "NEAR_COPY_OF"})
"""What a server's store keeps for itself; it may be asked for."""
ALL_PROPERTIES = frozenset(name for names in (*NODE_PROPERTIES.values(), EDGE_PROPERTIES) for name in names)
TIME_PARTS = frozenset(
    {
        *("year", "quarter", "month", "week", "weekYear", "weekDay", "day", "dayOfWeek", "dayOfQuarter", "ordinalDay"),
        *("hour", "minute", "second", "millisecond", "microsecond", "nanosecond", "timezone", "offset", "epochMillis"),
        *("epochSeconds", "offsetMinutes", "offsetSeconds", "quarterDay", "x", "y", "z", "crs", "srid"),
        *("years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds"),
        *("microseconds", "nanoseconds", "monthsOfYear", "daysOfWeek", "minutesOfHour", "secondsOfMinute"),
    }
)
"""What may be asked of a time, a duration or a point."""
CLOSE = 0.6
"""Likeness from which a name is offered, 0 to 1."""
MOST_NOTES = 10


def notes_of(query: str, tokens: Sequence[Token], kept: Collection[str] = ()) -> tuple[str, ...]:
    """Hints about labels, relationship types and properties that the graph does not have, in the order of the query.

    Args:
        kept: Properties beside those of the graph that this store has.
    """
    return tuple(islice(_Names(query, tokens, frozenset(kept)).notes(), MOST_NOTES))


class _Names:
    def __init__(self, query: str, tokens: Sequence[Token], kept: frozenset[str]) -> None:
        self._query = query
        self._tokens = tokens
        self._kept = kept
        self._expressions = Expressions(tokens)
        self._openers = self._innermost()
        self._before_labels = self._beginnings_of_labels()
        self._called = self._calls()
        self._patterns: dict[int, list[Token]] = {}
        self._keys = {token.name for place, token in enumerate(tokens) if self._is_key(place)}
        """Keys of maps that the query writes."""
        self._renamed = {following.name for token, following in pairwise(tokens) if token.keyword in {"AS", "YIELD"}}
        """Names of values, which may be anything."""
        self._bound = self._bindings()

    def notes(self) -> Iterator[str]:
        for place, token in enumerate(self._tokens):
            if not token.name:
                continue
            if self._in_pattern(place, "["):
                yield from self._note(token, "relationship type", {*RELATIONSHIPS}, STORE_RELATIONSHIPS)
            elif self._in_pattern(place, "("):
                yield from self._note(token, "label", LABELS, STORE_LABELS)
            elif self._is_pattern_key(place):
                yield from self._property(token, self._owner_of_map(place))
            elif self._is_looked_up(place):
                yield from self._property(token, self._source(place - 2) if self._source(place - 3) != "." else "")

    def _property(self, token: Token, owner: str) -> Iterator[str]:
        known = self._bound.get(owner)
        if known is None:
            if owner not in self._renamed:
                yield from self._note(token, "property", ALL_PROPERTIES, TIME_PARTS | self._keys | self._kept)
        else:
            label, names = known
            yield from self._note(token, "property", names, self._kept, f" of {label}")

    def _note(
        self, token: Token, what: str, known: Collection[str], allowed: Collection[str], owner: str = ""
    ) -> Iterator[str]:
        name = token.name
        if name in known or name in allowed:
            return
        folded = {one.lower(): one for one in sorted(known)}
        close = get_close_matches(name.lower(), folded, n=1, cutoff=CLOSE)
        advice = f"did you mean {folded[close[0]]}?" if close else "docs/cypher.md lists what there is."
        place = place_of(self._query, token.start)
        yield f"The graph has no {what} {name[:60]!a}{owner} ({place}); {advice}"

    def _source(self, place: int) -> str:
        return self._expressions.source(place)

    def _innermost(self) -> list[int]:
        """The innermost bracket that is open at each token; -1 for none."""
        found: list[int] = []
        opened: list[int] = []
        for token in self._tokens:
            if token.kind is Kind.MARK and token.source in ")]}" and opened:
                opened.pop()
            found.append(opened[-1] if opened else -1)
            if token.kind is Kind.MARK and token.source in "([{":
                opened.append(len(found) - 1)
        return found

    def _beginnings_of_labels(self) -> list[int]:
        """The place before each token and before what `!`, `&` and `|` join it with: that of a colon for labels."""
        found: list[int] = []
        for place in range(len(self._tokens)):
            mark = self._source(place - 1)
            joined = mark in {"&", "|"} and place >= 2 and bool(self._tokens[place - 2].name)
            if mark in {"!", "&", "|"}:
                found.append(found[place - 2] if joined else found[place - 1])
            else:
                found.append(place - 1)
        return found

    def _calls(self) -> list[bool]:
        """Whether each token is part of the name of something that is called: a bracket opens behind its dots."""
        found = [False] * len(self._tokens)
        for place in reversed(range(len(self._tokens))):
            following = self._source(place + 1)
            dotted = following == "." and self._source(place + 2) != "." and place + 2 < len(self._tokens)
            found[place] = found[place + 2] if dotted else following == "("
        return found

    def _in_pattern(self, place: int, bracket: str) -> bool:
        """Whether a name stands behind a colon or a bar as a label, or in square brackets as a type."""
        opener = self._openers[place]
        before = self._before_labels[place]
        if self._source(before) != ":" or place == 0:
            return False
        link = opener > 0 and self._source(opener) == "[" and self._source(opener - 1) == "-"
        if bracket == "[":
            return link
        return not link and self._source(opener) != "{" and bool(self._labelled(before))

    def _labelled(self, colon: int) -> bool:
        """Whether something that may have a label stands before a colon: a name, another label, or nothing at all."""
        return self._source(colon - 1) == "(" or bool(self._tokens[colon - 1].name)

    def _is_key(self, place: int) -> bool:
        opener = self._openers[place]
        return self._source(opener) == "{" and self._source(place + 1) == ":" and self._source(place - 1) in {"{", ","}

    def _is_pattern_key(self, place: int) -> bool:
        return self._is_key(place) and bool(self._pattern_of_map(self._openers[place]))

    def _pattern_of_map(self, opener: int) -> list[Token]:
        """The tokens of a node or relationship before its map of properties; none for another map."""
        if opener not in self._patterns:
            self._patterns[opener] = self._tokens_before_map(opener)
        return self._patterns[opener]

    def _tokens_before_map(self, opener: int) -> list[Token]:
        outer = self._openers[opener]
        if outer < 0 or self._source(self._expressions.partner.get(opener, 0) + 1) not in {")", "]"}:
            return []
        called = outer > 0 and self._source(outer) == "(" and self._tokens[outer - 1].kind is Kind.WORD
        clause = called and self._tokens[outer - 1].keyword in {"MATCH", "WHERE", "AND", "OR", "NOT", "XOR"}
        link = self._source(outer) == "[" and self._source(outer - 1) == "-"
        before = list(self._tokens[outer + 1 : opener])
        plain = all(token.name or token.source in {":", "|", "&", "!", "*", "."} for token in before)
        is_pattern = link or (self._source(outer) == "(" and (not called or clause))
        return before if is_pattern and plain and before else []

    def _owner_of_map(self, place: int) -> str:
        before = self._pattern_of_map(self._openers[place])
        colon = next((at for at, token in enumerate(before) if token.source == ":"), len(before))
        return before[0].name if colon else f":{before[1].name}"

    def _is_looked_up(self, place: int) -> bool:
        if self._source(place - 1) != "." or self._called[place]:
            return False
        before = self._tokens[place - 2] if place >= 2 else None
        if before is None or self._source(place - 2) == ".":
            return False
        projected = self._source(place - 2) in {"{", ","} and self._source(self._openers[place]) == "{"
        return not projected and (bool(before.name) or before.source in {")", "]"})

    def _bindings(self) -> dict[str, tuple[str, Collection[str]]]:
        """Variables, and labels behind a colon, that are surely nodes of one label or relationships of edges."""
        found: dict[str, set[str]] = {}
        for place, token in enumerate(self._tokens):
            if not token.name or self._source(place - 1) != ":":
                continue
            if self._in_pattern(place, "(") and self._source(self._openers[place]) == "(":
                if token.name in NODE_PROPERTIES and self._source(place + 1) not in {"|", "&"}:
                    owner = self._tokens[place - 2].name if self._source(place - 2) != "(" else f":{token.name}"
                    found.setdefault(owner, set()).add(token.name)
            elif self._in_pattern(place, "[") and token.name in EDGE_TYPES and self._tokens[place - 2].name:
                found.setdefault(self._tokens[place - 2].name, set()).add("edges")
        return {
            name: (next(iter(labels)), NODE_PROPERTIES.get(next(iter(labels)), EDGE_PROPERTIES))
            for name, labels in found.items()
            if len(labels) == 1 and name not in self._renamed
        }
