"""Read queries by chance over the schema of the graph, in the part of Cypher that both stores know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from kg.graph_schema import EDGE_TYPES, LINKS

Draw = Callable[[st.SearchStrategy[str]], str]

TEXTS = {
    "Event": ("id", "kind", "description", "time_start", "time_resolution", "polarity", "modality", "collection"),
    "Claim": ("id", "quote", "cue", "polarity", "modality", "relation"),
    "Mention": ("id", "text", "lemma", "kind", "place", "incident", "time_start"),
    "Document": ("id", "doc_title", "published", "media_type"),
    "Passage": ("id", "text", "kind"),
    "Source": ("id", "doc_title", "published"),
    "edge": ("relation",),
}
NUMBERS = {
    "Event": ("mention_count", "document_count"),
    "Claim": ("confidence", "start"),
    "Mention": ("start", "sentence_start"),
    "Document": ("length",),
    "Passage": ("ordinal", "page"),
    "Source": (),
    "edge": ("confidence", "support", "against", "p_for"),
}
LISTS = {"Mention": ("participants",), "Document": ("sources", "pages"), "edge": ("claims", "quotes")}
STEPS = [
    *((start.value, name, end.value) for start, name, end in LINKS if start in TEXTS and end in TEXTS),
    *(("Event", name, "Event") for name in EDGE_TYPES for _ in range(3)),
]
SOME_TEXTS = ("'failure'", "'the '", "'e5'", "'2022'", "'actual'", "'CAUSES'", "''", "null", "'ed'")
SOME_NUMBERS = ("0", "1", "2", "0.8", "-1", "100", "null")
COMPARISONS = ("=", "<>", "<", ">=")
LENGTHS = ("*1..2", "*1..3", "*0..2", "*2", "*..2")


@dataclass
class Names:
    """What a query has bound so far: nodes and edges by label, paths, and other relationships."""

    labels: dict[str, str] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    used: int = 0

    def new(self, letter: str) -> str:
        self.used += 1
        return f"{letter}{self.used}"

    def nodes(self) -> list[str]:
        return [name for name, label in self.labels.items() if label != "edge"]


class Writer:
    """Writes one query; every choice is drawn, so that a failing query is made smaller."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self.names = Names()

    def one_of(self, choices: Sequence[str]) -> str:
        return self._draw(st.sampled_from(list(choices)))

    def chance(self, *choices: str) -> bool:
        """Whether `yes` was drawn: the choices are all the other ones."""
        return self.one_of(["", "yes", *choices]) == "yes"

    def match(self, optional: bool = False) -> str:
        start = self.one_of(self.names.nodes()) if self.names.nodes() and (optional or self.chance()) else ""
        text = self._pattern(start, int(self.one_of("0112" if not start else "112")))
        condition = f" WHERE {self.condition()}" if self.chance() else ""
        return f"{'OPTIONAL ' if optional else ''}MATCH {text}{condition}"

    def _pattern(self, start: str, steps: int) -> str:
        if start:
            label, text = self.names.labels[start], f"({start})"
        else:
            label = self.one_of(["Event", "Event", *(step[0] for step in STEPS)])
            start = self.names.new("n")
            text = f"({start}:{label})"
        self.names.labels[start] = label
        for _ in range(steps):
            part, label = self._step(label)
            text += part
        if steps and self.chance("no"):
            path = self.names.new("p")
            self.names.paths.append(path)
            text = f"{path} = {text}"
        return text

    def _step(self, label: str) -> tuple[str, str]:
        ways = [(name, "->", end) for start, name, end in STEPS if start == label]
        ways += [(name, "<-", start) for start, name, end in STEPS if end == label]
        name, arrow, other = ways[int(self.one_of([str(number) for number in range(len(ways))]))]
        length = self.one_of(LENGTHS) if name in EDGE_TYPES and self.chance("no", "no") else ""
        bound = ""
        if not length and self.chance():
            bound = self.names.new("r")
            if name in EDGE_TYPES:
                self.names.labels[bound] = "edge"
            else:
                self.names.links.append(bound)
        node = self.names.new("n")
        self.names.labels[node] = other
        line = f"-[{bound}:{name}{length}]-"
        if self.chance("no", "no"):
            arrow = "-"
        line = f"<{line}" if arrow == "<-" else f"{line}>" if arrow == "->" else line
        return f"{line}({node}{':' + other if self.chance() else ''})", other

    def condition(self, depth: int = 0) -> str:
        kind = self.one_of(
            ["text", "number", "null", "list", "pattern", "path", *(["both", "not"] if depth < 2 else [])]
        )
        if kind == "both":
            joined = self.one_of(["AND", "OR", "XOR"])
            return f"({self.condition(depth + 1)} {joined} {self.condition(depth + 1)})"
        if kind == "not":
            return f"NOT ({self.condition(depth + 1)})"
        if kind == "path" and self.names.paths:
            path = self.one_of(self.names.paths)
            quantifier = self.one_of(["any", "all", "none", "single"])
            return self.one_of([f"length({path}) > 1", f"{quantifier}(x IN nodes({path}) WHERE x.time_start IS NULL)"])
        if kind == "pattern" and self.names.nodes():
            return self._predicate(self.one_of(self.names.nodes()))
        if kind == "list" and (value := self._property(LISTS)):
            return self.one_of([f"size({value}) > 1", f"'reactor' IN {value}", f"{value} IS NULL", f"{value} = []"])
        if kind == "number" and (value := self._property(NUMBERS)):
            return f"{value} {self.one_of(COMPARISONS)} {self.one_of(SOME_NUMBERS)}"
        value = self._property(TEXTS)
        if not value:
            return "true"
        if kind == "null":
            return f"{value} IS {self.one_of(['', 'NOT '])}NULL"
        operator = self.one_of([*COMPARISONS, "CONTAINS", "STARTS WITH", "ENDS WITH", "IN"])
        if operator == "IN":
            return f"{value} IN [{self.one_of(SOME_TEXTS)}, {self.one_of(SOME_TEXTS)}]"
        return f"{value} {operator} {self.one_of(SOME_TEXTS)}"

    def _predicate(self, node: str) -> str:
        label = self.names.labels[node]
        name, arrow = self.one_of(
            [f"{name} ->" for start, name, _ in STEPS if start == label]
            + [f"{name} <-" for _, name, end in STEPS if end == label]
        ).split()
        pattern = f"({node})-[:{name}]->()" if arrow == "->" else f"({node})<-[:{name}]-()"
        return self.one_of([pattern, f"NOT EXISTS {{ {pattern} }}", f"1 < COUNT {{ {pattern} }}", f"NOT {pattern}"])

    def _property(self, table: dict[str, tuple[str, ...]]) -> str:
        """A property of a bound node or edge; nothing when none has one of this kind."""
        found = [f"{name}.{key}" for name, label in self.names.labels.items() for key in table.get(label, ())]
        return self.one_of(found) if found else ""

    def value(self) -> str:
        kind = self.one_of(["text", "text", "number", "list", "path", "link", "value"])
        if kind == "value" and self.names.values:
            return self.one_of(self.names.values)
        if kind == "link" and self.names.links:
            return f"type({self.one_of(self.names.links)})"
        if kind == "path" and self.names.paths:
            path = self.one_of(self.names.paths)
            return self.one_of([f"length({path})", f"[x IN nodes({path}) | x.id]", f"last(nodes({path})).id"])
        if kind == "list" and (value := self._property(LISTS)):
            return self.one_of([value, f"size({value})", f"{value}[0]", f"last({value})", f"tail({value})"])
        if kind == "number" and (value := self._property(NUMBERS)):
            return self.one_of([value, f"{value} / 2", f"coalesce({value}, -1)", f"{value} > 1", f"toString({value})"])
        if value := self._property(TEXTS):
            return self.one_of(
                [value, value, f"size({value})", f"left({value}, 4)", f"toUpper({value})", f"split({value}, ' ')[1]"]
            )
        return self.one_of([*self.names.values, "1"])

    def aggregate(self) -> str:
        kind = self.one_of(["count(*)", "count", "distinct", "size", "least", "sum"])
        if kind == "sum" and (value := self._property(NUMBERS)):
            return f"{self.one_of(['sum', 'avg', 'min', 'max'])}({value})"
        bound = [*self.names.labels, *self.names.links, *self.names.paths]
        if kind == "distinct" and bound:
            return f"count(DISTINCT {self.one_of(bound)})"
        if kind == "size":
            return f"size(collect(DISTINCT {self.value()}))"
        if kind == "least" and (value := self._property(TEXTS)):
            return f"{self.one_of(['min', 'max'])}({value})"
        return f"count({self.one_of(bound)})" if kind == "count" and bound else "count(*)"

    def keep(self) -> str:
        """A WITH that keeps some names and may count the rest."""
        kept = self.one_of([*self.names.labels, *self.names.links])
        labels = {name: label for name, label in self.names.labels.items() if name == kept or self.chance("no")}
        links = [name for name in self.names.links if name == kept]
        parts = [*labels, *links]
        values = []
        if self.chance():
            values = [self.names.new("c")]
            parts.append(f"{self.aggregate()} AS {values[0]}")
        self.names = Names(labels, [], links, values, self.names.used)
        return f"WITH {'DISTINCT ' if self.chance('no') else ''}{', '.join(parts)}"

    def answer(self) -> tuple[str, bool]:
        """The RETURN, and whether it sorts by all its columns."""
        columns = [f"{self.value()} AS x{number}" for number in range(int(self.one_of("112")))]
        if self.chance():
            columns.append(f"{self.aggregate()} AS y")
        text = f"RETURN {'DISTINCT ' if self.chance('no') else ''}{', '.join(columns)}"
        if not self.chance():
            return text, False
        text += " ORDER BY " + ", ".join(column.split(" AS ")[-1] + self.one_of(["", " DESC"]) for column in columns)
        text += " SKIP 1" if self.chance("no") else ""
        return text + (" LIMIT 3" if self.chance() else ""), True


@st.composite
def queries(draw: Draw) -> tuple[str, bool]:
    """A query, and whether the order of its rows counts."""
    writer = Writer(draw)
    clauses = [writer.match()]
    for kind in writer.one_of(["", "o", "m", "w", "ow", "wo", "oo", "mow"]):
        if kind == "w" or not writer.names.nodes():
            clauses.append(writer.keep())
        else:
            clauses.append(writer.match(optional=kind == "o"))
    text, ordered = writer.answer()
    return "\n".join([*clauses, text]), ordered
