"""docs/cypher.md tells the schema as it is, and its queries find something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from causetrail import Causetrail
from kg.cypher_rules import PROCEDURES
from kg.cypher_schema import EDGE_PROPERTIES, NODE_PROPERTIES
from kg.embedded_cypher_dialect import FUNCTIONS
from kg.graph_schema import EDGE_TYPES, LINKS

PAGE = (Path(__file__).parents[2] / "docs" / "cypher.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"```cypher\n(.*?)```", PAGE.split("## Rejected claims")[0], re.DOTALL)


def names(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_it_names_every_label_with_its_properties() -> None:
    told = {row[0]: tuple(names(row[1])) for row in re.findall(r"^\| `(\w+)` \| [^|]* \| (.*) \|$", PAGE, re.MULTILINE)}
    assert told == dict(NODE_PROPERTIES)


def test_it_names_every_relationship() -> None:
    told = re.findall(r"^\| `\(:(\w+)\)-\[:(\w+)\]->\(:(\w+)\)` \|", PAGE, re.MULTILINE)
    assert told == [
        *(("Event", name, "Event") for name in EDGE_TYPES),
        *((str(a), name, str(b)) for a, name, b in LINKS),
    ]
    assert tuple(names(PAGE.split("effect and carry")[1].split("\n\n")[0])) == EDGE_PROPERTIES


def test_it_names_what_may_be_called() -> None:
    told = names(PAGE.split("Procedures on a server:")[1].split(" The embedded view")[0])
    assert set(told) == PROCEDURES
    assert set(names(PAGE.split("Functions that the embedded view knows:")[1])) == FUNCTIONS


def test_the_properties_are_those_of_the_graph(flood: Causetrail) -> None:
    for label, told in NODE_PROPERTIES.items():
        found = flood.cypher(f"MATCH (n:{label}) UNWIND keys(n) AS key RETURN DISTINCT key").rows
        assert {key for (key,) in found} <= set(told)
    edges = flood.cypher("MATCH (:Event)-[r:CAUSES]->() UNWIND keys(r) AS key RETURN DISTINCT key").rows
    assert {key for (key,) in edges} == set(EDGE_PROPERTIES)


def test_a_suspicion_is_no_told_root_cause(tmp_path: Path) -> None:
    (query,) = [query for query in QUERIES if "told_cause" in query]
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:
        trail.ingest_text("The storm on 2 May 2021 may have caused the landslide on 3 May 2021.", "suspected")
        (edge,) = trail.cypher("MATCH (:Event)-[r:CAUSES]->(:Event) RETURN r.reads, r.p_for <= 0.5").rows
        assert list(edge) == ["may cause", True]
        assert not trail.cypher(query).rows
        trail.ingest_text("The storm on 2 May 2021 caused the landslide on 3 May 2021.", "told")
        assert [row[1] for row in trail.cypher(query).rows] == ["The storm on 2 May 2021"]


def test_there_are_eight_queries() -> None:
    assert len(QUERIES) == 8


@pytest.mark.parametrize("query", QUERIES)
def test_its_queries_find_something(query: str, flood_folder: Path) -> None:
    with Causetrail(f"sqlite:///{flood_folder}/trail.db") as trail:
        result = trail.cypher(query)
    assert result.rows
    assert result.truncated is None
    assert all(any(value is not None for value in row) for row in result.rows)
