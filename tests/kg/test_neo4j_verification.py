"""Verification of the graph on a server: what another program changed is named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from causetrail.errors import ServerLogin, StoreDamaged, StoreMissing
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_store import Neo4jStore
from kg.records import DecisionKind
from kg.verify import Fault, verify
from tests.conformance.conftest import empty
from tests.conformance.material import ACCESS, ByName, Statement, bundle_of, decision_of, open_at, source_of
from tests.neo4j.server import Neo4jTestServer

pytestmark = pytest.mark.neo4j


@pytest.fixture(scope="module")
def kept(neo4j_server: Neo4jTestServer) -> Iterator[Neo4jStore]:
    """A store of eight documents, two of them near-copies, and two decisions, in two collections."""
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
        pages = source_of("copy.txt", pages=(0, 150))
        store.commit_document(
            bundle_of("copy.txt", statements, words=f"w{number} \U0001f525 " * 20 + "more", source=pages)
        )
        store.commit_document(bundle_of("later.txt", [Statement("leak-1", "fire-1", cause_day=9)]))
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
    return list(verify(store, collection, access=ACCESS, resolver=ByName()).faults)


def test_a_whole_store_is_exact(store: Neo4jStore) -> None:
    report = verify(store.address, access=ACCESS)
    assert (report.faults, report.exact) == ((), 1.0)
    kinds = ["claim", "decision", "document", "edge", "event", "mention", "passage", "source"]
    assert sorted(report.checked) == kinds
    assert (report.checked["document"], report.checked["claim"], report.checked["mention"]) == (8, 26, 52)
    assert verify(store, "other", access=ACCESS).checked["claim"] == 1


def test_nodes_of_others_are_neither_counted_nor_damage(store: Neo4jStore) -> None:
    """Those that lack a part of the key, as the doctor says too."""
    before = verify(store.address, access=ACCESS).checked
    for label in ("Event", "Passage", "Claim", "Mention", "Document"):
        store.server.execute(
            f"CREATE (:{label}:Foreign {{collection: 'main', title: 'party'}}), (:{label}:Foreign {{id: 'e1'}})"
        )
    try:
        report = verify(store.address, access=ACCESS)
        assert (report.faults, report.checked) == ((), before)
    finally:
        store.server.execute("MATCH (n:Foreign) DELETE n")


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


ONE = "WITH n ORDER BY n.collection, n.id LIMIT 1"
PAIR = """
MATCH (a:Event {collection: 'main'}), (b:Event {collection: 'main'})
WHERE a.id < b.id AND NOT (a)--(b) WITH a, b ORDER BY a.id, b.id LIMIT 1
"""
EDGE = "MATCH (a:Event)-[n:CAUSES]->(b:Event) WITH a, n, b ORDER BY a.id, b.id, n.digest LIMIT 1"
SIMILAR = "MATCH (a:Event)-[n:SIMILAR_TO]->(b:Event) WITH a, n, b ORDER BY a.id, b.id LIMIT 1"
COPY = "MATCH (a:Document)-[n:NEAR_COPY_OF]->(b:Document) WITH a, n, b ORDER BY a.id, b.id LIMIT 1"
CAUSES = "a.id + ' CAUSES ' + b.id"
CREATED = "MATCH ()-[n]->() WHERE n.foreign DELETE n"


def foreign(relationship: str, told: str = "") -> tuple[str, str, str, str]:
    """A relationship of another program between two events."""
    change = f"{PAIR} CREATE (a)-[n:{relationship} {{foreign: true{told}}}]->(b)"
    return "edge", change, f"a.id + ' {relationship} ' + b.id", CREATED


def changed(label: str, key: str, value: str) -> tuple[str, str, str, str]:
    """Another value of a property of one node."""
    return (
        label.lower(),
        f"MATCH (n:{label}) {ONE} SET n.altered = true, n.was = n.{key}, n.{key} = {value}",
        "coalesce(toString(n.id), '')",
        f"MATCH (n:{label}) WHERE n.altered SET n.{key} = n.was REMOVE n.was, n.altered",
    )


def removed(start: str, relationship: str, end: str, match: str, kind: str) -> tuple[str, str, str, str]:
    """A relationship without properties that is no more."""
    undo = f"MATCH (a:{start}) WHERE a.was IS NOT NULL MATCH (b:{end} {{collection: a.collection, id: a.was}})"
    return kind, f"{match} SET a.was = b.id DELETE n", "a.id", f"{undo} CREATE (a)-[:{relationship}]->(b) REMOVE a.was"


def styled(label: str, style: str) -> tuple[str, str, str, str]:
    """A label for viewers that the fields do not ask for."""
    undo = f"MATCH (n:{style}) WHERE n.was REMOVE n:{style} REMOVE n.was"
    return label.lower(), f"MATCH (n:{label}) WHERE NOT n:{style} {ONE} SET n:{style}, n.was = true", "n.id", undo


def meta(kind: str, collection: str, id_: str, name: str) -> tuple[str, str, str, str]:
    """A node among those that the store keeps for itself."""
    change = f"CREATE (n:Meta {{collection: '{collection}', id: {id_}, foreign: true}})"
    return kind, change, f"'{name}'", "MATCH (n:Meta) WHERE n.foreign DELETE n"


def state(key: str, value: str) -> tuple[str, str, str, str]:
    """Another value of what is known of a collection."""
    node = "MATCH (n:Meta {collection: '', id: 'collection/main'})"
    undo = f"{node} SET n.{key} = n.was REMOVE n.was"
    return "collection", f"{node} SET n.was = n.{key}, n.{key} = {value}", "'main'", undo


def forgotten(value: str) -> tuple[str, str, str, str]:
    """Another value of the largest generation that was forgotten."""
    node = "MATCH (n:Meta {collection: '', id: 'schema'})"
    change = f"{node} SET n.was = n.forgotten, n.forgotten = {value}"
    return "schema", change, "'schema'", f"{node} SET n.forgotten = n.was REMOVE n.was"


EXACTLY = {
    "foreign edge": foreign("CAUSES"),
    "foreign edge with a digest that is none": foreign("PREVENTS", ", digest: 'zz'"),
    "foreign edge of our form": foreign("ENABLES", ", relation: 'ENABLES'"),
    "foreign edge with numbers": foreign("RULED_OUT", ", relation: 7, digest: 3, claims: [1]"),
    "edge to a foreign node": (
        "edge",
        "MATCH (a:Event) WITH a ORDER BY a.id LIMIT 1 CREATE (a)-[:CAUSES]->(b:Event:Foreign)",
        "a.id + ' CAUSES None'",
        "MATCH (n:Foreign) DETACH DELETE n",
    ),
    "edge told twice": (
        "edge",
        f"{EDGE} CREATE (a)-[m:CAUSES]->(b) SET m = properties(n), m.foreign = true",
        CAUSES,
        CREATED,
    ),
    "edge without its digest": (
        "edge",
        f"{EDGE} SET n.was = n.digest REMOVE n.digest",
        CAUSES,
        "MATCH ()-[n:CAUSES]->() WHERE n.was IS NOT NULL SET n.digest = n.was REMOVE n.was",
    ),
    "claims of an edge": (
        "edge",
        f"{EDGE} SET n.was = n.claims, n.claims = 5",
        CAUSES,
        "MATCH ()-[n:CAUSES]->() WHERE n.was IS NOT NULL SET n.claims = n.was REMOVE n.was",
    ),
    "words of an event": changed("Event", "words", "n.words + 'x'"),
    "words of an event, a number": changed("Event", "words", "3"),
    "vector of an event": changed("Event", "vector", "[1.0, 0.0, 0.0, 0.0]"),
    "vector of a mention": changed("Mention", "vector", "[1.0, 0.0, 0.0, 0.0]"),
    "vector of a passage": changed("Passage", "vector", "[1.0, 0.0, 0.0, 0.0]"),
    "vector of a passage, a text": changed("Passage", "vector", "'x'"),
    "page of a passage": changed("Passage", "page", "9"),
    "pages of a source": changed("Source", "pages", "'x'"),
    "resolution of a source": changed("Source", "published_resolution", "'era'"),
    "digest of a source": changed("Source", "digest", "date()"),
    "sketch of a document": changed("Document", "sketch", "7"),
    "rejected claims of a document": changed("Document", "rejected", "[date()]"),
    "reasons of an event": changed("Event", "reasons", "point({x: 1, y: 2})"),
    "style of an event": styled("Event", "ToldWidely"),
    "style of a denied event": styled("Event", "Denied"),
    "style of a claim": styled("Claim", "Hedged"),
    "index of a sketch": removed(
        "Document",
        "SKETCHED",
        "Meta",
        "MATCH (a:Document)-[n:SKETCHED]->(b:Meta) WHERE COUNT { (b)<-[:SKETCHED]-() } > 1"
        " WITH a, n, b ORDER BY a.id, b.id LIMIT 1",
        "document",
    ),
    "near-copy": removed("Document", "NEAR_COPY_OF", "Document", COPY, "document"),
    "near-copy that is none": (
        "document",
        "MATCH (a:Document {collection: 'main'}), (b:Document {collection: 'main'}) WHERE a.id < b.id"
        " AND NOT (a)-[:NEAR_COPY_OF]-(b) WITH a, b ORDER BY a.id, b.id LIMIT 1"
        " CREATE (a)-[:NEAR_COPY_OF {foreign: true}]->(b)",
        "a.id",
        CREATED,
    ),
    "group of near-copies": (
        "document",
        f"{COPY} SET b.was = b.copy_group REMOVE b.copy_group",
        "b.id",
        "MATCH (n:Document) WHERE n.was IS NOT NULL SET n.copy_group = n.was REMOVE n.was",
    ),
    "similar events": removed("Event", "SIMILAR_TO", "Event", SIMILAR, "event"),
    "similar events that are not": (
        "event",
        f"{PAIR} CREATE (a)-[:SIMILAR_TO {{foreign: true}}]->(b)",
        "a.id",
        CREATED,
    ),
    "similar events told twice": (
        "event",
        f"{SIMILAR} CREATE (a)-[:SIMILAR_TO {{foreign: true}}]->(b)",
        "a.id",
        CREATED,
    ),
    "mark of nothing": meta("mark", "main", "'mark/ghost'", "ghost"),
    "sketch of nothing": meta("mark", "main", "'sketch/ffff'", "sketch/ffff"),
    "node for nothing": meta("mark", "main", "7", "7"),
    "foreign event": (
        "event",
        "CREATE (n:Event {collection: 'main', id: 'e7', foreign: true})",
        "n.id",
        "MATCH (n:Event) WHERE n.foreign DELETE n",
    ),
    "foreign decision of numbers": (
        "decision",
        "CREATE (n:Decision {collection: 'main', id: 7, digest: 7, foreign: true})",
        "'7'",
        "MATCH (n:Decision) WHERE n.foreign DELETE n",
    ),
    "generation of a collection": state("generation", "'x'"),
    "generation below nothing": state("generation", "-5"),
    "marks of a collection": state("marks", "'x'"),
    "marks of a collection, of numbers": state("marks", "[1, 2]"),
    "turn of a collection": state("turn", "7"),
    "lease of a collection": state("lease_expires", "'soon'"),
    "what was forgotten": forgotten("'x'"),
    "less than nothing was forgotten": forgotten("-5"),
}


@pytest.mark.parametrize(("kind", "change", "name", "undo"), EXACTLY.values(), ids=EXACTLY)
def test_exactly_what_was_altered_is_named(store: Neo4jStore, kind: str, change: str, name: str, undo: str) -> None:
    """The fixture asserts that the graph is exact again once the alteration was undone."""
    server = store.server
    ((altered,),) = server.transact(lambda: server.rows(f"{change} RETURN {name}"), lambda mark: None)
    try:
        assert {(fault.kind, fault.id) for fault in faults(store)} == {(kind, altered)}
    finally:
        server.execute(undo)


@pytest.mark.parametrize("told", ["", "relation: 'CAUSES'", "relation: 7, digest: 3", "digest: 'zz'"])
def test_a_derivation_goes_past_relationships_of_other_programs(neo4j_server: Neo4jTestServer, told: str) -> None:
    with open_at(neo4j_server.address) as store:
        assert isinstance(store, Neo4jStore)
        bundle = bundle_of("a.txt", [Statement("leak-1", "fire-1")], collection="foreign")
        store.commit_document(bundle)
        store.derive("foreign", ByName())
        cause, effect = store.event_ids("foreign")
        server = store.server
        server.execute(
            f"MATCH (a:Event {{id: '{cause}'}}), (b:Event {{id: '{effect}'}})"
            " WHERE a.collection = 'foreign' AND b.collection = a.collection"
            f" CREATE (a)-[:ENABLES {{{told}}}]->(b), (a)-[:CAUSES]->(:Event:Foreign)"
        )
        store.commit_document(bundle_of("b.txt", [Statement("leak-1", "fire-1")], collection="foreign"))
        store.derive("foreign", ByName())
        assert [edge.support for edge in store.edges("foreign")] == [2]
        server.execute(
            "MATCH (n) WHERE n.collection = 'foreign' OR n.id = 'collection/foreign' OR n:Foreign DETACH DELETE n"
        )


@pytest.mark.parametrize(
    ("lost", "what"),
    [
        ("MATCH (n:Passage) {one} DETACH DELETE n", "its passages are not"),
        ("MATCH (n:Mention) {one} DETACH DELETE n", "its mentions are not"),
        ("MATCH (n:Claim) {one} DETACH DELETE n", "its claims are not"),
        ("MATCH (n:Document) {one} REMOVE n.found", "what tells its passages"),
        ("MATCH (n:Document) {one} SET n.found = [1, 2, 3]", "its claims are not"),
    ],
)
def test_what_was_deleted_is_named(kept: Neo4jStore, lost: str, what: str) -> None:
    kept.commit_document(bundle_of("a.txt", [Statement("leak-1", "fire-1")], collection="gone"))
    # A claim that was rejected, so that no edge rests on it, leaves no other trace.
    bundle = bundle_of("b.txt", [Statement("leak-2", "fire-2")], collection="gone", words="of something else " * 30)
    kept.commit_document(bundle)
    kept.decide(decision_of(DecisionKind.REJECT_CLAIM, bundle.claims[0].id, collection="gone"))
    kept.derive("gone", ByName())
    try:
        assert faults(kept, "gone") == []
        one = f"WHERE n.collection = 'gone' AND coalesce(n.document_id, n.id) = '{bundle.passages[0].document_id}'"
        kept.server.execute(lost.replace("{one}", f"{one} WITH n ORDER BY n.id LIMIT 1"))
        named = [fault for fault in faults(kept, "gone") if fault.what.startswith(what)]
        assert {(fault.kind, fault.id) for fault in named} == {("document", bundle.passages[0].document_id)}
    finally:
        kept.server.execute("MATCH (n) WHERE n.collection = 'gone' OR n.id = 'collection/gone' DETACH DELETE n")
    assert faults(kept) == []


@pytest.mark.parametrize("value", ["'x'", "-5", "[1]", "date()"])
def test_what_was_forgotten_is_counted_on_past_what_another_program_wrote(kept: Neo4jStore, value: str) -> None:
    kept.server.execute(f"MATCH (s:Meta {{collection: '', id: 'schema'}}) SET s.forgotten = {value}")
    for _ in range(2):
        kept.commit_document(bundle_of("a.txt", [Statement("leak-1", "fire-1")], collection="fresh"))
        assert kept.generation("fresh") > 0
        kept.drop("fresh")
        assert faults(kept) == []


@pytest.mark.parametrize("value", ["'x'", "-5", "date()"])
def test_no_document_is_written_to_a_collection_of_no_generation(kept: Neo4jStore, value: str) -> None:
    kept.commit_document(bundle_of("a.txt", [Statement("leak-1", "fire-1")], collection="fresh"))
    node = "MATCH (s:Meta {collection: '', id: 'collection/fresh'})"
    kept.server.execute(f"{node} SET s.marks = 'x', s.generation = {value}")
    with pytest.raises(StoreDamaged, match="the generation of the collection fresh"):
        kept.commit_document(bundle_of("b.txt", [Statement("leak-2", "fire-2")], collection="fresh"))
    assert kept.counts("fresh").documents == 1
    kept.server.execute(f"{node} SET s.generation = 9")
    kept.drop("fresh")
    assert faults(kept) == []


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
