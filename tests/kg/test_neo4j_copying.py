from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from causetrail import Causetrail, copy_store
from causetrail.errors import CopyRefused, DatabaseForeign, DatabaseMixed, SchemaRefused, ServerLost, StoreMissing
from causetrail.settings import Settings, load_settings
from kg.addresses import open_store
from kg.copying import copy
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_store import Neo4jStore
from kg.records import DecisionKind, Document, Modality, Polarity, Resolution
from kg.store import GraphStore
from kg.verify import verify
from tests.conformance.material import ByName, Statement, bundle_of, content, decision_of, source_of
from tests.kg.killed_copy import copy_and_die
from tests.neo4j.server import Neo4jTestServer

pytestmark = pytest.mark.neo4j

COPIED = (
    "The crew wrote down what it saw that night at the pump and left the page in the log for the next watch to read"
)
WAITING = {"wait_seconds": 10.0, "lease_seconds": 10.0}


@pytest.fixture
def settings(neo4j_server: Neo4jTestServer) -> Settings:
    return load_settings(neo4j_user=neo4j_server.user, neo4j_password=neo4j_server.password)


def fill(store: GraphStore, collection: str = "main") -> None:
    """Near-copies, denials, dates, several sources, a stale date, decisions standing and undone."""
    doubt = Statement("storm-1", "leak-1", polarity=Polarity.NEGATED, modality=Modality.POSSIBLE, confidence=1 / 3)
    dated = {"published": "2014-03-01T00:00:00Z", "published_resolution": Resolution.DAY}
    for number in range(6):
        statements = [Statement("leak-1", "fire-1", cause_day=1 + number % 2), Statement("fire-1", "storm-2"), doubt]
        words = f"{COPIED} {number}" if number < 3 else f"\u00c9tat {number} \U0001f30a"
        source = source_of(f"{number}.txt", **dated) if number % 2 else None
        bundle = bundle_of(f"{number}.txt", statements, collection=collection, words=words, source=source)
        store.commit_document(bundle)
        for other in range(number % 3):
            store.add_source(collection, Document.id_of(bundle.text), source_of(f"{number}.txt#{other}"))
    store.add_source(collection, Document.id_of(bundle.text), source_of("0-undated.txt"))
    store.derive(collection, ByName())
    store.decide(decision_of(DecisionKind.REJECT_CLAIM, bundle.claims[0].id, at=1, collection=collection))
    store.decide(decision_of(DecisionKind.SPLIT, *(m.id for m in bundle.mentions[:2]), at=2, collection=collection))
    store.undo(collection, store.decisions(collection)[1].id)
    store.derive(collection, ByName())


def test_embedded_to_server_and_back_is_the_identity(server_store: Neo4jStore, tmp_path: Path) -> None:
    with (
        open_store(f"sqlite:///{tmp_path}/a.db", create=True, **WAITING) as store,
        open_store(f"sqlite:///{tmp_path}/b.db", create=True, **WAITING) as back,
    ):
        for collection in ("main", "other", "without-documents"):
            fill(store, collection)
        for document in list(store.documents("without-documents")):
            store.delete_document("without-documents", document.id)
        there = copy(store, server_store, None, ByName())
        again = copy(store, server_store, None, ByName())
        home = copy(server_store, back, None, ByName())
        assert [done.copied for done in there.collections] == [6, 6, 0]
        # The one whose times were resolved with another date than its least source gives is written once more.
        assert [(done.copied, done.replaced, done.decisions) for done in again.collections] == [
            (0, 1, 0),
            (0, 1, 0),
            (0, 0, 0),
        ]
        proofs = [[done.target for done in report.collections] for report in (there, again, home)]
        assert proofs[0] == proofs[1] == proofs[2]
        for collection in ("main", "other", "without-documents"):
            assert content(server_store, collection) == content(store, collection) == content(back, collection)


def test_the_example_corpus_answers_the_same_on_a_server(
    neo4j_server: Neo4jTestServer, settings: Settings, flood_folder: Path, tmp_path: Path
) -> None:
    neo4j_server.wipe()
    shutil.copy(flood_folder / "trail.db", tmp_path / "trail.db")
    given, back = f"sqlite:///{tmp_path}/trail.db", f"sqlite:///{tmp_path}/back.db"
    copy_store(given, neo4j_server.address, settings=settings)
    copy_store(neo4j_server.address, back, settings=settings)
    assert verify(back).faults == ()
    with (
        Causetrail(given) as first,
        Causetrail(neo4j_server.address, settings=settings) as second,
        Causetrail(back) as third,
    ):
        assert "".join(first.export()) == "".join(second.export()) == "".join(third.export())
        question = "Why did the council close the footbridge?"
        answers = [trail.ask(question) for trail in (first, second)]
        assert answers[0].text == answers[1].text
        assert answers[0].chains == answers[1].chains
        assert answers[0].evidence == answers[1].evidence


@pytest.mark.parametrize(("stage", "moment"), [("copy", 1), ("copy", 4), ("resolve", 1), ("compare", 2)])
def test_a_copy_to_a_server_that_was_killed_goes_on(
    server_store: Neo4jStore, tmp_path: Path, stage: str, moment: int
) -> None:
    with open_store(f"sqlite:///{tmp_path}/a.db", create=True, **WAITING) as store:
        fill(store)
        copy_and_die(store.address, server_store.address, stage, moment)
        held = server_store.counts("main").documents
        assert held == (moment if stage == "copy" else 6)
        (done,) = copy(store, server_store, None, ByName()).collections
        assert done.present >= held - 1
        assert content(server_store) == content(store)


def test_a_copy_goes_on_after_its_server_was_killed(
    neo4j_server: Neo4jTestServer, server_access: Neo4jAccess, tmp_path: Path
) -> None:
    neo4j_server.wipe()
    here = {"wait_seconds": 0.0, "lease_seconds": 10.0}

    def kill(stage: str, done: int, total: int) -> None:
        if (stage, done) == ("copy", 3):
            neo4j_server.kill()

    with open_store(f"sqlite:///{tmp_path}/a.db", create=True, **WAITING) as store:
        fill(store)
        with (
            open_store(neo4j_server.address, create=True, access=server_access, **here) as target,
            pytest.raises(ServerLost, match=str(neo4j_server.bolt_port)),
        ):
            copy(store, target, None, ByName(), kill)
        neo4j_server.start()
        with open_store(neo4j_server.address, access=server_access, **WAITING) as target:
            assert target.counts("main").documents == 3
            copy(store, target, None, ByName())
            assert content(target) == content(store)


def test_a_server_that_holds_something_else_is_refused(
    server_store: Neo4jStore, settings: Settings, tmp_path: Path
) -> None:
    given = f"sqlite:///{tmp_path}/a.db"
    with pytest.raises(StoreMissing):
        copy_store(given, server_store.address, settings=settings)
    with open_store(given, create=True, **WAITING) as store:
        fill(store)
    server_store.commit_document(bundle_of("strange.txt", [Statement("leak-1", "fire-1")]))
    before = content(server_store)
    with pytest.raises(CopyRefused, match="1 document"):
        copy_store(given, server_store.address, settings=settings)
    assert content(server_store) == before


def test_a_database_of_another_program_is_shared_only_when_told(
    neo4j_server: Neo4jTestServer, settings: Settings, flood_folder: Path, tmp_path: Path
) -> None:
    import neo4j

    neo4j_server.wipe()
    login = (neo4j_server.user, neo4j_server.password)
    with neo4j.GraphDatabase.driver(neo4j_server.address, auth=login) as driver:
        driver.execute_query("CREATE (:Event {id: 'theirs'})")
        shutil.copy(flood_folder / "trail.db", tmp_path / "trail.db")
        given = f"sqlite:///{tmp_path}/trail.db"
        with pytest.raises(DatabaseForeign, match="Event"):
            copy_store(given, neo4j_server.address, settings=settings)
        copy_store(given, neo4j_server.address, adopt=True, settings=settings)
        found = driver.execute_query("MATCH (e:Event {id: 'theirs'}) RETURN properties(e)").records
        assert [record[0] for record in found] == [{"id": "theirs"}]


def test_nodes_of_another_program_that_look_like_ours_are_never_adopted(
    neo4j_server: Neo4jTestServer, settings: Settings, tmp_path: Path
) -> None:
    import neo4j

    neo4j_server.wipe(schema=True)
    given = f"sqlite:///{tmp_path}/a.db"
    with open_store(given, create=True, **WAITING) as store:
        store.commit_document(bundle_of("a.txt", [Statement("leak-1", "fire-1")]))
    login = (neo4j_server.user, neo4j_server.password)
    with neo4j.GraphDatabase.driver(neo4j_server.address, auth=login) as driver:
        driver.execute_query("UNWIND [1, 1, 2] AS id CREATE (:Event {collection: 'main', id: id, theirs: true})")
        driver.execute_query("CREATE (:Event {id: 'theirs'})")
        for adopt in (False, True):
            with pytest.raises(DatabaseMixed, match="3 of the label Event"):
                copy_store(given, neo4j_server.address, adopt=adopt, settings=settings)
        assert driver.execute_query("MATCH (n) RETURN count(n)").records[0][0] == 4
        assert driver.execute_query("SHOW CONSTRAINTS").records == []


def test_a_constraint_that_cannot_be_made_is_named(
    neo4j_server: Neo4jTestServer, settings: Settings, tmp_path: Path
) -> None:
    import neo4j

    neo4j_server.wipe(schema=True)
    given = f"sqlite:///{tmp_path}/a.db"
    with open_store(given, create=True, **WAITING) as store:
        store.commit_document(bundle_of("a.txt", [Statement("leak-1", "fire-1")]))
    login = (neo4j_server.user, neo4j_server.password)
    with neo4j.GraphDatabase.driver(neo4j_server.address, auth=login) as driver:
        driver.execute_query("CREATE INDEX theirs FOR (n:Claim) ON (n.collection, n.id)")
        try:
            with pytest.raises(SchemaRefused, match="causetrail_claim_id") as refused:
                copy_store(given, neo4j_server.address, adopt=True, settings=settings)
            assert "Neo." not in str(refused.value)
        finally:
            driver.execute_query("DROP INDEX theirs")
    copy_store(given, neo4j_server.address, settings=settings)


def test_duplicates_that_come_while_the_schema_is_made_are_told_in_our_words(
    neo4j_server: Neo4jTestServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    import neo4j

    from kg import neo4j_schema

    neo4j_server.wipe(schema=True)
    monkeypatch.setattr(neo4j_schema, "refuse_foreign", lambda server, adopt: None)
    login = (neo4j_server.user, neo4j_server.password)
    with neo4j.GraphDatabase.driver(neo4j_server.address, auth=login) as driver:
        driver.execute_query("UNWIND [1, 1] AS id CREATE (:Event {collection: 'main', id: id})")
        access = Neo4jAccess(user=neo4j_server.user, password=neo4j_server.password)
        with pytest.raises(SchemaRefused, match="causetrail_event_id"):
            Neo4jStore(neo4j_server.address, access, **WAITING)
    neo4j_server.wipe(schema=True)
