"""Verification of the graph on a server: what another program changed is named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from causetrail.errors import ServerLogin, StoreMissing
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_store import Neo4jStore
from kg.records import DecisionKind
from kg.verify import Fault, verify
from tests.conformance.conftest import empty
from tests.conformance.material import ACCESS, ByName, Statement, bundle_of, decision_of, open_at
from tests.neo4j.server import Neo4jTestServer

pytestmark = pytest.mark.neo4j


@pytest.fixture(scope="module")
def kept(neo4j_server: Neo4jTestServer) -> Iterator[Neo4jStore]:
    """A store of six documents and two decisions, in two collections."""
    neo4j_server.start()
    empty(neo4j_server)
    with open_at(neo4j_server.address, create=True) as store:
        assert isinstance(store, Neo4jStore)
        for number in range(5):
            statements = [
                Statement(f"leak-{n}", f"fire-{n % 3}", cause_day=1 + n % 3) for n in range(number, number + 4)
            ]
            bundle = bundle_of(f"{number}.txt", statements, words=f"w{number} \U0001f525 " * 20)
            store.commit_document(bundle)
        store.decide(decision_of(DecisionKind.REJECT_CLAIM, bundle.claims[0].id, at=1))
        store.decide(decision_of(DecisionKind.MERGE, bundle.mentions[0].id, bundle.mentions[2].id, at=2))
        store.derive("main", ByName())
        store.commit_document(bundle_of("o.txt", [Statement("leak-1", "fire-1")], collection="other"))
        yield store


@pytest.fixture
def store(kept: Neo4jStore) -> Iterator[Neo4jStore]:
    """The store for a test that undoes what it changed."""
    yield kept
    assert faults(kept) == []


def faults(store: Neo4jStore, collection: str | None = None) -> list[Fault]:
    return list(verify(store, collection, access=ACCESS).faults)


def test_a_whole_store_is_exact(store: Neo4jStore) -> None:
    report = verify(store.address, access=ACCESS)
    assert (report.faults, report.exact) == ((), 1.0)
    kinds = ["claim", "decision", "document", "edge", "event", "mention", "passage", "source"]
    assert sorted(report.checked) == kinds
    assert (report.checked["document"], report.checked["claim"], report.checked["mention"]) == (6, 21, 42)
    assert verify(store, "other", access=ACCESS).checked["claim"] == 1


ALTERATIONS = [
    ("claim", "MATCH (n:Claim) {one} SET n.was = n.quote, n.quote = n.quote + 'x'", "SET n.quote = n.was REMOVE n.was"),
    (
        "claim",
        "MATCH (n:Claim) {one} SET n.was = n.confidence, n.confidence = 0.99",
        "SET n.confidence = n.was REMOVE n.was",
    ),
    (
        "claim",
        "MATCH (n:Claim) {one} SET n.was = n.polarity, n.polarity = 'perhaps'",
        "SET n.polarity = n.was REMOVE n.was",
    ),
    ("claim", "MATCH (n:Claim) {one} SET n.was = n.start, n.start = 'one'", "SET n.start = n.was REMOVE n.was"),
    ("claim", "MATCH (n:Claim) {one} SET n.was = n.cue REMOVE n.cue", "SET n.cue = n.was REMOVE n.was"),
    ("mention", "MATCH (n:Mention) {one} SET n.was = n.text, n.text = 'else'", "SET n.text = n.was REMOVE n.was"),
    ("mention", "MATCH (n:Mention) {one} SET n.was = n.kind, n.kind = 'else'", "SET n.kind = n.was REMOVE n.was"),
    ("passage", "MATCH (n:Passage) {one} SET n.was = n.text, n.text = 'else'", "SET n.text = n.was REMOVE n.was"),
    ("passage", "MATCH (n:Passage) {one} SET n.was = n.ordinal, n.ordinal = 99", "SET n.ordinal = n.was REMOVE n.was"),
    (
        "document",
        "MATCH (n:Document) {one} SET n.was = n.text, n.text = n.text + ' '",
        "SET n.text = n.was REMOVE n.was",
    ),
    (
        "document",
        "MATCH (n:Document) {one} SET n.was = n.doc_title, n.doc_title = 'x'",
        "SET n.doc_title = n.was REMOVE n.was",
    ),
    (
        "source",
        "MATCH (n:Source) {one} SET n.was = n.raw_sha256, n.raw_sha256 = 'x'",
        "SET n.raw_sha256 = n.was REMOVE n.was",
    ),
    (
        "event",
        "MATCH (n:Event) {one} SET n.was = n.description, n.description = 'x'",
        "SET n.description = n.was REMOVE n.was",
    ),
    (
        "event",
        "MATCH (n:Event) {one} SET n.was = n.vector, n.vector = [1.0, 0.0, 0.0, 0.0]",
        "SET n.vector = n.was REMOVE n.was",
    ),
    ("decision", "MATCH (n:Decision) {one} SET n.was = n.undone, n.undone = true", "SET n.undone = n.was REMOVE n.was"),
    ("edge", "MATCH ()-[n:CAUSES]->() {one} SET n.was = n.p_for, n.p_for = 1.0", "SET n.p_for = n.was REMOVE n.was"),
    (
        "edge",
        "MATCH ()-[n:CAUSES]->() {one} SET n.was = n.quotes, n.quotes = ['a lie']",
        "SET n.quotes = n.was REMOVE n.was",
    ),
]


@pytest.mark.parametrize(("kind", "change", "undo"), ALTERATIONS)
def test_an_altered_property_is_named(store: Neo4jStore, kind: str, change: str, undo: str) -> None:
    one = "WITH n ORDER BY coalesce(n.collection, ''), coalesce(n.id, startNode(n).id + endNode(n).id) LIMIT 1"
    one = one if kind == "edge" else "WITH n ORDER BY n.collection, n.id LIMIT 1"
    pattern = change.split(" {one}", maxsplit=1)[0]
    store.server.execute(change.replace("{one}", one))
    try:
        assert kind in {fault.kind for fault in faults(store)}
    finally:
        store.server.execute(f"{pattern} WHERE n.was IS NOT NULL {undo}")


@pytest.mark.parametrize(
    ("kind", "break_", "mend"),
    [
        ("claim", "MATCH (a:Claim)-[r:{type}]->(b)", "CAUSE_MENTION"),
        ("claim", "MATCH (a:Claim)-[r:{type}]->(b)", "HAS_EFFECT"),
        ("claim", "MATCH (a:Document)-[r:{type}]->(b)", "HAS_CLAIM"),
        ("passage", "MATCH (a:Passage)-[r:{type}]->(b)", "CONTAINS"),
        ("passage", "MATCH (a:Passage)-[r:{type}]->(b)", "MENTIONS"),
        ("source", "MATCH (a:Source)-[r:{type}]->(b)", "GAVE"),
        ("event", "MATCH (a:Mention)-[r:{type}]->(b)", "REFERS_TO"),
    ],
)
def test_a_missing_relationship_is_named(store: Neo4jStore, kind: str, break_: str, mend: str) -> None:
    pattern = break_.format(type=mend)
    store.server.execute(f"{pattern} WITH a, r, b ORDER BY a.collection, a.id, b.id LIMIT 1 SET a.was = b.id DELETE r")
    try:
        assert kind in {fault.kind for fault in faults(store)}
    finally:
        store.server.execute(
            "MATCH (a) WHERE a.was IS NOT NULL MATCH (b {collection: a.collection, id: a.was})"
            f" CREATE (a)-[:{mend}]->(b) REMOVE a.was"
        )


def test_an_edge_that_nobody_claims_is_named(store: Neo4jStore) -> None:
    store.server.execute(
        "MATCH (a:Event {collection: 'main'}), (b:Event {collection: 'main'}) WHERE a.id < b.id"
        " AND NOT (a)-[:PREVENTS]->(b) WITH a, b ORDER BY a.id, b.id LIMIT 1"
        " CREATE (a)-[:PREVENTS {relation: 'PREVENTS', confidence: 1.0, p_for: 1.0, p_against: 0.0, support: 9,"
        " against: 0, consistent: true, claims: [], quotes: [], documents: [], reads: 'prevents', digest: '00'}]->(b)"
    )
    try:
        assert "edge" in {fault.kind for fault in faults(store)}
        assert faults(store, "other") == []
    finally:
        store.server.execute("MATCH ()-[r:PREVENTS]->() DELETE r")


def test_a_server_without_a_store_and_a_wrong_password(neo4j_server: Neo4jTestServer, kept: Neo4jStore) -> None:
    with pytest.raises(ServerLogin):
        verify(neo4j_server.address, access=Neo4jAccess(password="wrong"))


def test_an_empty_database_holds_no_store(second_neo4j_server: Neo4jTestServer) -> None:
    second_neo4j_server.wipe(schema=True)
    with pytest.raises(StoreMissing):
        verify(second_neo4j_server.address, access=ACCESS)
