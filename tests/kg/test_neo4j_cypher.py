"""Cypher of users on a server: judged by its plan alone, values in our form, and a connection left in time."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from causetrail.errors import CypherBusy, CypherInvalid, CypherParameters, CypherRefused, CypherTooMuch
from kg.cypher import CypherLimits
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_cut_queries import MARK, MOST_RUNNING
from kg.neo4j_cypher import ServerCypher
from kg.neo4j_server import Neo4jServer
from tests.neo4j.server import Neo4jTestServer

LIMITS = CypherLimits(rows=5, size=100_000, seconds=20.0)
SHORT = CypherLimits(rows=5, size=100_000, seconds=0.5)
ENDLESS = "UNWIND [16000] AS n RETURN reduce(a = 0, x IN range(0, n * n) | a + x) AS x"
"""A sum that never looks whether it was ended; it takes some seconds."""
BEYOND_READING = (
    "CREATE (n:Gone)",
    "MATCH (n) SET n.x = 1",
    "MATCH (n) DETACH DELETE n",
    "MERGE (n:Gone {x: 1}) RETURN n",
    "MATCH (n) FOREACH (x IN [1] | SET n.x = x)",
    "MATCH (n) CALL (n) { SET n.x = 1 } IN TRANSACTIONS",
    "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
    "CALL () { LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row } RETURN row",
    "CALL dbms.listConfig() YIELD name RETURN name",
    "CALL dbms.components() YIELD name RETURN name",
    "MATCH (n) WHERE EXISTS { CALL dbms.components() YIELD name RETURN name } RETURN n",
    "CALL db.createLabel('Gone')",
    "CALL tx.setMetaData({a: 1})",
    "CREATE INDEX gone FOR (n:Gone) ON (n.x)",
    "SHOW INDEXES",
    "SHOW INDEXES YIELD name RETURN name",
    "SHOW USERS",
    "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
    "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'",
)

pytestmark = pytest.mark.neo4j


@pytest.fixture(scope="module")
def runner(neo4j_server: Neo4jTestServer) -> Iterator[ServerCypher]:
    neo4j_server.wipe(schema=True)
    with neo4j.GraphDatabase.driver(neo4j_server.address, auth=(neo4j_server.user, neo4j_server.password)) as driver:
        driver.execute_query(
            "CREATE (a:Event:Denied {collection: 'main', id: 'e1', kind: 'rise', digest: 'x', vector: [1.0]})"
            "-[:CAUSES {confidence: 0.5, quotes: ['q']}]->(:Event {collection: 'main', id: 'e2'})"
            " CREATE (:Meta {id: 'm'})"
        )
    server = Neo4jServer(
        neo4j_server.address, Neo4jAccess(user=neo4j_server.user, password=neo4j_server.password), wait_seconds=20
    )
    runner = ServerCypher(server)
    yield runner
    runner.close()
    server.close()
    neo4j_server.wipe(schema=True)


def transactions(server: Neo4jTestServer) -> list[str]:
    """What queries of users run at the server."""
    with neo4j.GraphDatabase.driver(server.address, auth=(server.user, server.password)) as driver:
        asked = "SHOW TRANSACTIONS YIELD currentQuery, metaData WHERE metaData[$mark] IS NOT NULL RETURN currentQuery"
        return [record[0] or "" for record in driver.execute_query(asked, mark=MARK).records]


def wait_until_quiet(server: Neo4jTestServer, seconds: float) -> None:
    """Until nothing of an earlier query runs at the server."""
    deadline = time.monotonic() + seconds
    while transactions(server) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not transactions(server)


@pytest.mark.parametrize("query", BEYOND_READING)
def test_the_plan_alone_tells_what_is_more_than_reading(
    query: str, runner: ServerCypher, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kg.cypher_tokens import tokens_of

    monkeypatch.setattr("kg.neo4j_cypher.read_query", lambda text, _: tokens_of(text))
    with pytest.raises(CypherRefused):
        runner.run(query, {}, LIMITS)


def test_the_transaction_alone_refuses_writes(runner: ServerCypher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.neo4j_cypher._judge", lambda _: None)
    for query in ("MATCH (n) SET n.x = 1", "MATCH (n) DETACH DELETE n"):
        with pytest.raises(CypherRefused):
            runner.run(query, {}, LIMITS)


def test_nodes_show_the_schema(runner: ServerCypher) -> None:
    asked = "MATCH p = (a:Event)-[r:CAUSES]->(b) RETURN a, r, p"
    node = {"label": "Event", "properties": {"collection": "main", "id": "e1", "kind": "rise"}}
    other = {"label": "Event", "properties": {"collection": "main", "id": "e2"}}
    link = {"relationship": "CAUSES", "properties": {"confidence": 0.5, "quotes": ["q"]}}
    assert runner.run(asked, {}, LIMITS).rows == ((node, link, {"nodes": [node, other], "relationships": [link]}),)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("date('2021-02-03')", "2021-02-03"),
        ("datetime('2021-02-03T04:05:06.7+02:00')", "2021-02-03T04:05:06.7+02:00"),
        ("datetime('2021-02-03T04:05:06Z')", "2021-02-03T04:05:06Z"),
        ("localtime('04:05')", "04:05:00"),
        ("duration('P14M3DT4H5M6.5S')", "P1Y2M3DT4H5M6.5S"),
        ("duration({seconds: -1, nanoseconds: 500000000})", "PT-0.5S"),
        ("duration({days: 0})", "PT0S"),
        ("0.0 / 0.0", "NaN"),
        ("-1.0 / 0.0", "-Infinity"),
        ("[1, null, {a: true}]", [1, None, {"a": True}]),
        ("$x", {"a": [1, "b"]}),
    ],
)
def test_values(expression: str, value: object, runner: ServerCypher) -> None:
    result = runner.run(f"RETURN {expression} AS x", {"x": {"a": [1, "b"]}}, LIMITS)
    assert result.rows == ((value,),)
    assert result.columns == ("x",)


def test_an_answer_is_cut_at_either_limit(runner: ServerCypher) -> None:
    endless = "UNWIND range(1, 1000000) AS x RETURN x"
    result = runner.run(endless, {}, LIMITS)
    assert (result.rows, result.truncated) == (((1,), (2,), (3,), (4,), (5,)), "rows")
    assert runner.run("UNWIND range(1, 5) AS x RETURN x", {}, LIMITS).truncated is None
    short = runner.run(endless, {}, CypherLimits(rows=1_000, size=100, seconds=20.0))
    assert short.truncated == "bytes"
    assert 0 < len(short.rows) < 100


def test_faults_are_told_by_their_place(runner: ServerCypher) -> None:
    for query, told in (
        ("MATCH (n)\nRETURN m", "a name that it does not define at line 2, column 8, near 'm'"),
        ("MATCH (n RETURN n", "it cannot be read at line 1, column 10, near 'RETURN'"),
        ("RETURN gone(1)", "a function that the server does not have at line 1, column 8, near 'gone'"),
        ("RETURN date('x')", "a text is no date"),
        ("RETURN 1 / 0", "divides by zero"),
        ("RETURN 1 +", "it ends where something should follow at line 1, column 11"),
        ("MATCH (e:Event) RETURN e.kind, e.kind", "two columns have one name"),
        ("RETURN date('0000-01-01')", "outside of the years 1 to 9999"),
        ("RETURN [{a: datetime('-0001-01-01T00:00Z')}]", "outside of the years 1 to 9999"),
    ):
        with pytest.raises(CypherInvalid) as fault:
            runner.run(query, {}, LIMITS)
        assert told in fault.value.message
    with pytest.raises(CypherParameters, match=r"\$gone"):
        runner.run("RETURN $gone", {}, LIMITS)


def test_a_server_that_does_not_look_at_its_clock_is_left(runner: ServerCypher, neo4j_server: Neo4jTestServer) -> None:
    with pytest.raises(CypherTooMuch):
        runner.run(ENDLESS, {}, SHORT)
    assert runner.run("RETURN 1 AS x", {}, LIMITS).rows == ((1,),)
    wait_until_quiet(neo4j_server, 120)


def test_it_may_be_used_after_it_was_closed(runner: ServerCypher) -> None:
    runner.close()
    assert runner.run("RETURN 1 AS x", {}, LIMITS).rows == ((1,),)


def test_cut_queries_that_run_on_are_counted(runner: ServerCypher, neo4j_server: Neo4jTestServer) -> None:
    other = ServerCypher(runner._server)
    assert other.run("RETURN 1 AS x", {}, LIMITS).rows == ((1,),)
    for _ in range(MOST_RUNNING):
        with pytest.raises(CypherTooMuch):
            runner.run(ENDLESS, {}, SHORT)
    assert len([query for query in transactions(neo4j_server) if "n * n" in query]) == MOST_RUNNING
    with pytest.raises(CypherBusy):
        runner.run("RETURN 1 AS x", {}, LIMITS)
    # The other one cut nothing, and has looked before there was anything to see.
    with pytest.raises(CypherBusy):
        other.run("RETURN 1 AS x", {}, LIMITS)
    other.close()
    wait_until_quiet(neo4j_server, 120)
    assert runner.run("RETURN 1 AS x", {}, LIMITS).rows == ((1,),)


def test_a_cut_query_that_looks_is_gone_from_the_server(runner: ServerCypher, neo4j_server: Neo4jTestServer) -> None:
    slow = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b) AS x"
    with pytest.raises(CypherTooMuch):
        runner.run(slow, {}, SHORT)
    wait_until_quiet(neo4j_server, 10)
    assert runner.run("RETURN 1 AS x", {}, LIMITS).rows == ((1,),)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not tell the open files")
def test_closing_leaves_no_file_open(runner: ServerCypher) -> None:
    gc.disable()
    try:
        counts = []
        for _ in range(4):
            one = ServerCypher(runner._server)
            one.run("RETURN 1 AS x", {}, LIMITS)
            one.close()
            counts.append(len(list(Path("/proc/self/fd").iterdir())))
    finally:
        gc.enable()
    assert counts[-1] == counts[0]


def test_a_slip_of_a_name_is_told(runner: ServerCypher) -> None:
    result = runner.run("MATCH (n:Evnt) RETURN n.kid", {}, LIMITS)
    assert result.rows == ()
    assert "did you mean Event?" in result.notes[0]
    assert runner.run("MATCH (e:Event) RETURN e.digest, e.vector", {}, LIMITS).notes == ()
