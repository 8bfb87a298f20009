"""Queries made by chance give the same rows on a Neo4j server and on the embedded view of the same graph."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from neo4j.exceptions import Neo4jError

from benchmarks.cypher_dialects import Server, ask_embedded, difference
from causetrail import Causetrail
from causetrail.errors import CypherInvalid, CypherUnsupported
from tests.cypher.differential.generated_expressions import PARAMETERS, expressions
from tests.cypher.differential.generated_queries import queries

MOST_ROWS = 1_000
"""As many as the program gives without being asked for more."""

pytestmark = pytest.mark.neo4j


@settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.filter_too_much],
)
@given(made=queries())
def test_both_give_the_same_rows(made: tuple[str, bool], server: Server, trail: Causetrail) -> None:
    query, ordered = made
    expected = server.ask(query, {})
    assume(len(expected.rows) <= MOST_ROWS)
    found = difference(expected, ask_embedded(trail, query, {}), ordered=ordered)
    assert found is None, f"{query}\n{found}"


@settings(max_examples=300, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(query=expressions())
def test_both_give_the_same_values(query: str, server: Server, trail: Causetrail) -> None:
    """Or the view refuses, and says what to write instead; what a server fails on is no value."""
    try:
        expected = server.ask(query, PARAMETERS)
    except Neo4jError:
        assume(False)
        return
    try:
        given_rows = ask_embedded(trail, query, PARAMETERS)
    except CypherUnsupported:
        return
    except CypherInvalid as fault:
        # A server gives null or does not look at all where a whole number is divided by zero beside null.
        assert "divides by zero" in fault.message, f"{query}\n{fault}"
        return
    found = difference(expected, given_rows, ordered="ORDER BY" in query)
    assert found is None, f"{query}\n{found}"
