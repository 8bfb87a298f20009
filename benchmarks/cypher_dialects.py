"""Ask a Neo4j server and the embedded view the same questions, and compare the rows.

    python -m benchmarks.cypher_dialects

The queries of tests/cypher/differential/queries.toml run on the example corpora, each in a collection of its own: on a
server, through its driver alone, and on the embedded store, through the program. A query that the view refuses must be
refused with the code the file expects, and its portable form must give the rows that the server gives for the query.
"""

from __future__ import annotations

import math
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchmarks.results import write_result
from causetrail import Causetrail
from causetrail.errors import CypherError
from kg.graph_schema import STYLE_LABELS

ROOT = Path(__file__).parents[1]
QUERIES = ROOT / "tests" / "cypher" / "differential" / "queries.toml"
COLLECTIONS = ("plant", "outage", "flood")
TOLERANCE = 1e-9
"""Largest difference of two floats that count as equal, relative to the larger, absolute below 1."""
SORTING_DIGITS = 6
"""Digits by which rows in any order are brought into one, so that nearly equal floats stand at the same place."""
Row = Sequence[Any]


class Query(BaseModel):
    """One query of the file; see its head for the meaning of the fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    asks: str
    cypher: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    ordered: bool = False
    refused: str | None = None
    portable: str | None = None

    @model_validator(mode="after")
    def _refused_with_a_way_out(self) -> Self:
        if (self.refused is None) != (self.portable is None):
            raise ValueError(f"{self.name}: a refused query has a portable form, and no other has one")
        return self


@dataclass(frozen=True, slots=True)
class Table:
    """What a query gave: the names of its columns, and its rows as JSON values."""

    columns: tuple[str, ...]
    rows: list[Row]


def read_queries() -> list[Query]:
    """The queries of the file, whose names are unique."""
    queries = [Query(**fields) for fields in tomllib.loads(QUERIES.read_text("utf-8"))["query"]]
    if len({query.name for query in queries}) < len(queries):
        raise ValueError("two queries have one name")
    return queries


class Server:
    """A Neo4j server that holds the graph of an embedded store and answers through its own driver, without our code."""

    def __init__(self, address: str, user: str, password: str) -> None:
        import neo4j

        self._driver = neo4j.GraphDatabase.driver(address, auth=(user, password))

    def load(self, trail: Causetrail, collections: Sequence[str]) -> None:
        """Runs the exported scripts of the collections, statement by statement."""
        for collection in collections:
            for statement in trail.within(collection).export("cypher"):
                self._driver.execute_query(statement)

    def ask(self, cypher: str, parameters: Mapping[str, Any]) -> Table:
        """The rows of a query that only reads."""
        with self._driver.session(default_access_mode="READ", notifications_min_severity="OFF") as session:
            result = session.run(cypher, dict(parameters))
            columns = tuple(result.keys())
            return Table(columns, [[json_value(value) for value in record.values()] for record in result])

    def close(self) -> None:
        """Ends the connections."""
        self._driver.close()


def json_value(value: Any) -> Any:
    """A value of the driver in the form of `kg.cypher.CypherResult`, made apart from the code that makes ours."""
    import neo4j.graph
    import neo4j.time

    match value:
        case neo4j.graph.Path():
            nodes, relationships = map(json_value, value.nodes), map(json_value, value.relationships)
            return {"nodes": list(nodes), "relationships": list(relationships)}
        case neo4j.graph.Node():
            (label,) = value.labels - set(STYLE_LABELS)
            return {"label": label, "properties": dict(value)}
        case neo4j.graph.Relationship():
            return {"relationship": value.type, "properties": dict(value)}
        case neo4j.time.Date():
            return value.iso_format()
        case list():
            return [json_value(part) for part in value]
        case dict():
            return {key: json_value(part) for key, part in value.items()}
        case float() if not math.isfinite(value):
            return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
        case None | bool() | int() | float() | str():
            return value
    raise TypeError(f"no form is told for {type(value).__name__}")


def difference(expected: Table, given: Table, *, ordered: bool) -> str | None:
    """What two answers differ in, in words; none when they are alike."""
    if expected.columns != given.columns:
        return f"columns {expected.columns} and {given.columns}"
    if len(expected.rows) != len(given.rows):
        return f"{len(expected.rows)} rows and {len(given.rows)} rows"
    pair = (expected.rows, given.rows) if ordered else (sorted(expected.rows, key=_key), sorted(given.rows, key=_key))
    for number, (one, other) in enumerate(zip(*pair, strict=True), start=1):
        if not alike(list(one), list(other)):
            return f"row {number}: {list(one)!r:.300} and {list(other)!r:.300}"
    return None


def alike(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal: whole numbers and floats are different kinds, floats equal within 1e-9."""
    if type(one) is not type(other) and not (isinstance(one, list | tuple) and isinstance(other, list | tuple)):
        return False
    if isinstance(one, float):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(part, other[key]) for key, part in one.items())
    return bool(one == other)


def _key(value: Any) -> str:
    if isinstance(value, float):
        return f"{round(value, SORTING_DIGITS) + 0.0}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_key, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{_key(value[key])}" for key in sorted(value)) + "}"
    return repr(value)


def ask_embedded(trail: Causetrail, cypher: str, parameters: Mapping[str, Any]) -> Table:
    """The rows that the program gives.

    Raises:
        CypherError: it refuses the query, or cannot run it.
    """
    result = trail.cypher(cypher, parameters)
    if result.truncated:
        raise ValueError(f"the answer was cut: {result.truncated}")
    return Table(result.columns, [list(row) for row in result.rows])


@contextmanager
def example_graph(folder: Path) -> Iterator[Causetrail]:
    """An embedded store in the folder with the example corpora, each in a collection of its own."""
    with Causetrail(f"sqlite:///{folder}/examples.db") as trail:
        for collection in COLLECTIONS:
            report = trail.within(collection).ingest(ROOT / "examples" / collection)
            if report.failed:
                raise ValueError(f"{report.failed} documents of {collection} could not be taken in")
        yield trail


def verdict(query: Query, server: Server, trail: Causetrail) -> tuple[str, str]:
    """How the two answer a query, and why when not alike: `same`, `portable`, `differs`, `refused` or `accepted`.

    `portable`: refused as the file says, and its portable form gives the server's rows on both; `accepted`: answered,
    although the file says that it is refused.
    """
    expected = server.ask(query.cypher, query.parameters)
    if not expected.rows:
        return "differs", "the server gives no row, so that nothing is compared"
    try:
        given = ask_embedded(trail, query.cypher, query.parameters)
    except CypherError as refusal:
        if query.portable is None or refusal.code != query.refused:
            return "refused", str(refusal)
        for which, table in (
            ("on the server", server.ask(query.portable, query.parameters)),
            ("on the embedded view", ask_embedded(trail, query.portable, query.parameters)),
        ):
            if (found := difference(expected, table, ordered=query.ordered)) is not None:
                return "differs", f"the portable form {which}: {found}"
        return "portable", str(refusal)
    if query.refused is not None:
        return "accepted", f"expected {query.refused}"
    found = difference(expected, given, ordered=query.ordered)
    return ("same", "") if found is None else ("differs", found)


def main() -> None:
    """Judges every query and stores the counts."""
    from tests.neo4j.starting import running_server

    queries = read_queries()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder) / "server") as running,
        example_graph(Path(folder)) as trail,
    ):
        server = Server(running.address, running.user, running.password)
        server.load(trail, COLLECTIONS)
        rows = [(query, *verdict(query, server, trail)) for query in queries]
        server.close()
    counted = {name: [row for row in rows if row[1] == name] for name in ("same", "portable", "differs")}
    other = [row for row in rows if row[1] not in counted]
    for query, kind, why in [*counted["differs"], *other]:
        print(f"{query.name}: {kind}: {why}")
    write_result(
        "cypher_dialects",
        command="python -m benchmarks.cypher_dialects",
        data="the example corpora plant, outage and flood, each in a collection of its own",
        baseline="Neo4j 5.26 through its own driver",
        figures={
            "queries": len(queries),
            "same rows": len(counted["same"]),
            "refused by the embedded view, portable form gives the same rows": len(counted["portable"]),
            "other rows": len(counted["differs"]),
            "refused or accepted against expectation": len(other),
        },
        rows=[{"query": query.name, "verdict": kind, "why": why} for query, kind, why in rows if kind != "same"],
    )


if __name__ == "__main__":
    main()
