"""Hostile queries are refused or bounded on both stores, in our words, and change nothing."""

from __future__ import annotations

import hashlib
import re
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from causetrail import Causetrail
from causetrail.errors import CausetrailError, CypherError
from causetrail.settings import load_settings
from causetrail.stores import copy_store
from kg.cypher_notes import ALL_PROPERTIES
from kg.neo4j_cypher import KEPT_PROPERTIES
from tests.neo4j.server import Neo4jTestServer

QUERIES = tomllib.loads((Path(__file__).parent / "hostile.toml").read_text(encoding="utf-8"))["query"]
SECONDS = 2.0
LATE_SECONDS = 15.0
"""What a query may take on a busy machine, where its limit is `SECONDS`."""
QUIET_SECONDS = 60.0
"""How long a server may need to be done with queries that were cut."""
FOREIGN_WORDS = re.compile(
    r"Neo\.|kglite|Exception|Traceback|org\.neo4j|java\b|panick|rust|KnowledgeGraph|read-only mode|\(offset",
    re.IGNORECASE,
)
REPEATED = re.compile("«(.*?)\\|(\\d+)»")
CHARACTERS = {
    "a NUL character": "RETURN 1\x00",
    "a NUL character in a text": "RETURN 'a\x00b' AS x",
    "a lone surrogate": "RETURN '\ud800' AS x",
    "a lone surrogate in a name": "MATCH (\udfff) RETURN 1",
}
VALUES: dict[str, Any] = {
    "beyond 64 bits": 2**63,
    "no number": float("nan"),
    "no end": float("inf"),
    "a lone surrogate": "\ud800",
    "bytes": b"x",
    "an object": object(),
    "deep": eval("[" * 80 + "]" * 80),
    "a key that is no text": {1: 2},
}


@pytest.fixture(scope="module")
def embedded(flood_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Causetrail]:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "trail.db").write_bytes((flood_folder / "trail.db").read_bytes())
    with Causetrail(f"sqlite:///{folder}/trail.db") as trail:
        before = _content(trail), _digest(folder / "trail.db")
        yield trail
        assert (_content(trail), _digest(folder / "trail.db")) == before


@pytest.fixture(scope="module")
def on_server(flood_folder: Path, neo4j_server: Neo4jTestServer) -> Iterator[Causetrail]:
    neo4j_server.wipe(schema=True)
    settings = load_settings(
        store=neo4j_server.address, neo4j_user=neo4j_server.user, neo4j_password=neo4j_server.password
    )
    copy_store(f"sqlite:///{flood_folder}/trail.db", neo4j_server.address, settings=settings)
    with Causetrail(settings=settings) as trail:
        before = _content(trail), _inventory(neo4j_server)
        yield trail
        assert (_content(trail), _inventory(neo4j_server)) == before
    neo4j_server.wipe(schema=True)


@pytest.mark.parametrize("query", QUERIES, ids=[query["name"] for query in QUERIES])
def test_the_embedded_store_withstands(query: dict[str, Any], embedded: Causetrail) -> None:
    _withstands(embedded, query)


@pytest.mark.neo4j
@pytest.mark.parametrize("query", QUERIES, ids=[query["name"] for query in QUERIES])
def test_a_server_withstands(query: dict[str, Any], on_server: Causetrail, neo4j_server: Neo4jTestServer) -> None:
    before = _inventory(neo4j_server)
    _wait_for_cut_queries(on_server)
    _withstands(on_server, query)
    assert _inventory(neo4j_server) == before


@pytest.mark.parametrize("name", CHARACTERS)
def test_characters_that_no_text_holds_are_refused(name: str, embedded: Causetrail) -> None:
    with pytest.raises(CausetrailError) as refusal:
        embedded.cypher(CHARACTERS[name])
    assert refusal.value.code == "CT-Q005"


@pytest.mark.neo4j
@pytest.mark.parametrize("name", CHARACTERS)
def test_a_server_is_not_asked_for_them(name: str, on_server: Causetrail) -> None:
    with pytest.raises(CausetrailError) as refusal:
        on_server.cypher(CHARACTERS[name])
    assert refusal.value.code == "CT-Q005"


@pytest.mark.parametrize("name", VALUES)
def test_values_that_json_does_not_know_are_refused(name: str, embedded: Causetrail) -> None:
    with pytest.raises(CausetrailError) as refusal:
        embedded.cypher("RETURN $x AS x", {"x": VALUES[name]})
    assert refusal.value.code == "CT-Q009"


def test_after_all_of_them_a_query_still_answers(embedded: Causetrail) -> None:
    with pytest.raises(CausetrailError):
        embedded.cypher("RETURN size(reduce(s = 'x', i IN range(1, 60) | s + s))", timeout=1)
    assert embedded.cypher("MATCH (e:Event) RETURN count(e) > 0 AS some").rows == ((True,),)


@pytest.mark.neo4j
def test_what_a_store_keeps_for_itself_can_be_left_out(embedded: Causetrail, on_server: Causetrail) -> None:
    for asked in (
        "MATCH (n) WHERE NOT n:Meta RETURN count(n) AS n",
        "MATCH ()-[r]->() WHERE NOT type(r) IN ['SKETCHED', 'NEAR_COPY_OF'] RETURN count(r) AS n",
    ):
        assert embedded.cypher(asked).rows == on_server.cypher(asked).rows
        assert embedded.cypher(asked).notes == ()
    kept = on_server.cypher("MATCH (n) WHERE NOT n:Meta UNWIND keys(n) AS key RETURN DISTINCT key").rows
    assert {key for (key,) in kept} - ALL_PROPERTIES - KEPT_PROPERTIES == set()


def _withstands(trail: Causetrail, query: dict[str, Any]) -> None:
    text = REPEATED.sub(lambda match: match[1] * int(match[2]), query["cypher"])
    begin = time.monotonic()
    try:
        result = trail.cypher(text, query.get("parameters"), limit=100, timeout=SECONDS)
    except CausetrailError as error:
        assert error.code in query["codes"], str(error)
        assert not FOREIGN_WORDS.search(str(error))
        assert len(str(error)) < 1_000
    else:
        assert "" in query["codes"], result.rows[:1]
        assert len(result.rows) <= 100
    assert time.monotonic() - begin < LATE_SECONDS


def _wait_for_cut_queries(trail: Causetrail) -> None:
    """Until the server is done with what earlier tests left it with."""
    deadline = time.monotonic() + QUIET_SECONDS
    while time.monotonic() < deadline:
        try:
            trail.cypher("RETURN 1 AS x")
            return
        except CypherError:
            time.sleep(1)


def _content(trail: Causetrail) -> str:
    return hashlib.sha256("".join(trail.export()).encode()).hexdigest()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _inventory(server: Neo4jTestServer) -> list[Any]:
    with neo4j.GraphDatabase.driver(server.address, auth=(server.user, server.password)) as driver:
        asked = (
            "MATCH (n) RETURN count(n), sum(size(keys(n)))",
            "MATCH ()-[r]->() RETURN count(r), sum(size(keys(r)))",
            "CALL db.labels() YIELD label RETURN label ORDER BY label",
            "CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey ORDER BY propertyKey",
            "SHOW INDEXES YIELD name RETURN name ORDER BY name",
            "SHOW CONSTRAINTS YIELD name RETURN name ORDER BY name",
            "SHOW USERS YIELD user RETURN user ORDER BY user",
        )
        return [[list(record) for record in driver.execute_query(query).records] for query in asked]
