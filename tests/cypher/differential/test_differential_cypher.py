"""Read queries of users give the same rows on a Neo4j server and on the embedded view of the same graph."""

from __future__ import annotations

import pytest

from benchmarks.cypher_dialects import (
    Query,
    Server,
    Table,
    alike,
    ask_embedded,
    difference,
    read_queries,
    verdict,
)
from causetrail import Causetrail
from causetrail.errors import CypherError

QUERIES = read_queries()


@pytest.mark.neo4j
@pytest.mark.parametrize("query", QUERIES, ids=[query.name for query in QUERIES])
def test_both_give_the_same_rows(query: Query, server: Server, trail: Causetrail) -> None:
    kind, why = verdict(query, server, trail)
    assert kind == ("same" if query.refused is None else "portable"), why


def test_there_are_enough_queries_that_the_view_answers() -> None:
    assert len(QUERIES) >= 90
    assert sum(query.refused is None for query in QUERIES) >= 90


def test_a_refusal_shows_the_way_out(trail: Causetrail) -> None:
    for query in QUERIES:
        if query.refused is not None:
            with pytest.raises(CypherError) as refusal:
                ask_embedded(trail, query.cypher, query.parameters)
            assert refusal.value.code == query.refused
            assert "kglite" not in str(refusal.value)


def table(*rows: list[object]) -> Table:
    return Table(("x",), list(rows))


def test_rows_in_any_order_are_compared_as_often_as_they_occur() -> None:
    assert difference(table([1], [2], [2]), table([2], [1], [2]), ordered=False) is None
    assert difference(table([1], [2], [2]), table([2], [1], [1]), ordered=False) is not None
    assert difference(table([1], [2]), table([1], [2], [2]), ordered=False) is not None
    assert difference(table([1], [2]), table([2], [1]), ordered=True) is not None
    assert difference(Table(("x",), []), Table(("y",), []), ordered=False) is not None


def test_nearly_equal_floats_stand_at_the_same_place() -> None:
    ours, theirs = table([0.1 + 0.2, "b"], [0.3, "a"]), table([0.3, "b"], [0.1 + 0.2, "a"])
    assert difference(ours, theirs, ordered=False) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        (None, 0),
        (None, False),
        ("1", 1),
        ([1], [1, 1]),
        ({"a": None}, {}),
        (0.5, 0.500001),
        ([], None),
    ],
)
def test_values_of_different_kinds_differ(one: object, other: object) -> None:
    assert not alike(one, other)
    assert not alike(other, one)


@pytest.mark.parametrize("value", [None, True, 3, 0.1 + 0.2, "洪水", [1, [2.0]], {"a": {"b": None}}, 1e-300])
def test_a_value_is_like_itself(value: object) -> None:
    assert alike(value, value)
