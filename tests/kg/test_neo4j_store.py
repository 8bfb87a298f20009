"""The server's store beyond the contract: what is refused, what is told, and what survives."""

from __future__ import annotations

import multiprocessing
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest

from causetrail.errors import (
    CausetrailError,
    DatabaseForeign,
    DatabaseMissing,
    ServerAbsent,
    ServerLogin,
    ServerLost,
    ServerReadOnly,
    SettingInvalid,
    StoreAddress,
    StoreLocked,
    StoreMissing,
    StoreNewer,
)
from kg.addresses import open_store
from kg.doctor import examine
from kg.examination import State
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_schema import LABELS, MIGRATIONS
from kg.neo4j_server import Neo4jServer, checked_address
from kg.neo4j_store import Neo4jStore
from kg.store import Outcome
from tests.conformance.material import ACCESS, ByName, Statement, bundle_of, content, open_at
from tests.neo4j.process import Neo4jServerProcess
from tests.neo4j.server import Neo4jTestServer

pytestmark = pytest.mark.neo4j

CHAIN = [Statement("storm-1", "leak-1"), Statement("leak-1", "fire-1"), Statement("fire-1", "closure-1")]


@pytest.fixture
def store(server: Neo4jTestServer) -> Iterator[Neo4jStore]:
    with open_at(server.address, create=True) as opened:
        assert isinstance(opened, Neo4jStore)
        yield opened


def test_programs_that_open_an_empty_database_at_once_share_it(second_neo4j_server: Neo4jTestServer) -> None:
    for round_ in range(2):
        second_neo4j_server.wipe(schema=True)
        start = threading.Barrier(4)

        def commit(number: int, start: threading.Barrier = start) -> Outcome:
            start.wait()
            with open_at(second_neo4j_server.address, create=True) as store:
                return store.commit_document(bundle_of(f"{number}.txt", CHAIN))

        with ThreadPoolExecutor(4) as programs:
            assert list(programs.map(commit, range(4))) == [Outcome.ADDED] * 4, round_


def opened_with(address: str, access: Neo4jAccess, wait_seconds: float = 1.0) -> CausetrailError:
    with pytest.raises(CausetrailError) as caught:
        open_store(address, wait_seconds=wait_seconds, lease_seconds=5.0, create=True, access=access)
    return caught.value


def test_wrong_ways_in_are_told_apart(server: Neo4jTestServer) -> None:
    wrong = opened_with(server.address, replace(ACCESS, password="not this one"))
    assert isinstance(wrong, ServerLogin)
    assert "not this one" not in str(wrong)
    assert isinstance(opened_with(server.address, replace(ACCESS, password=None)), ServerLogin)
    assert isinstance(opened_with(server.address, replace(ACCESS, database="elsewhere")), DatabaseMissing)
    absent = opened_with("bolt://127.0.0.1:9", ACCESS)
    assert isinstance(absent, ServerAbsent) and "nothing listens" in str(absent)
    unknown = opened_with("neo4j://no-such-host.invalid:7687", ACCESS)
    assert isinstance(unknown, ServerAbsent) and "name is unknown" in str(unknown)
    web = opened_with(f"bolt://127.0.0.1:{server.http_port}", ACCESS)
    assert isinstance(web, ServerAbsent)


@pytest.mark.parametrize(
    "address",
    [
        "neo4j://",
        "neo4j://user:secret@127.0.0.1:7687",
        "neo4j://127.0.0.1:7687/other",
        "bolt://127.0.0.1:0",
        "bolt://127.0.0.1:99999",
        "neo4jx://127.0.0.1",
        "bolt://127.0.0.1?a=b",
        "neo4j://127.0.0.1:7687?password=secret",
        "neo4j://user@127.0.0.1:7687?password=secret",
        "neo4j://..:7687",
        "neo4j://.example:1",
        f"neo4j://{'a' * 64}.example",
        f"neo4j://{'a' * 5000}",
    ],
)
def test_an_address_of_no_server_is_refused(address: str) -> None:
    with pytest.raises(StoreAddress) as caught:
        checked_address(address)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("name", ["user", "password", "database"])
def test_a_login_that_cannot_be_sent_is_refused_and_not_repeated(name: str) -> None:
    with pytest.raises(SettingInvalid, match=f"neo4j_{name}") as caught:
        Neo4jAccess(**{name: "secret-\udce9"})  # type: ignore[arg-type]
    assert "secret" not in str(caught.value) and caught.value.__context__ is None


@pytest.mark.parametrize("scheme", ["neo4j", "bolt", "neo4j+ssc", "bolt+ssc"])
def test_certificates_that_nothing_would_be_checked_against_are_refused(scheme: str) -> None:
    access = Neo4jAccess(ca_file="ca.pem")
    assert isinstance(opened_with(f"{scheme}://127.0.0.1:9", access), SettingInvalid)
    (finding,) = examine(f"{scheme}://127.0.0.1:9", access=access, lease_seconds=5.0).findings
    assert (finding.state, finding.check) == (State.FAILURE, "address") and "neo4j+s://" in finding.found


def test_a_database_of_another_program_is_refused_unless_adopted(server: Neo4jTestServer) -> None:
    server.wipe(schema=True)
    with closing(Neo4jServer(server.address, ACCESS, wait_seconds=5.0)) as bare:
        bare.execute("CREATE (:Event {name: 'a party'}), (:Person)-[:CAUSES]->(:Event {name: 'another'})")
        refused = opened_with(server.address, ACCESS)
        assert isinstance(refused, DatabaseForeign) and "2 of the label Event" in str(refused)
        with pytest.raises(StoreMissing):
            open_at(server.address)
        adopted = replace(ACCESS, adopt=True)
        with open_store(server.address, wait_seconds=5, lease_seconds=5, create=True, access=adopted) as store:
            store.commit_document(bundle_of("a.txt", CHAIN))
            store.derive("main", ByName())
            assert (store.counts("main").events, len(list(store.edges("main")))) == (4, 3)
            store.delete_source("main", "a.txt")
        assert bare.rows("MATCH (n:Event) RETURN count(n)") == [(2,)]
        with open_at(server.address) as store:
            assert store.counts("main").events == 0
    server.wipe(schema=True)


def test_the_schema_is_made_once_and_a_newer_one_is_left_alone(store: Neo4jStore) -> None:
    names = {row[0] for row in store.server.rows("SHOW CONSTRAINTS YIELD name RETURN name")}
    assert names == {f"causetrail_{label.lower()}_id" for label in LABELS}
    states = store.server.rows("SHOW INDEXES YIELD state RETURN DISTINCT state")
    assert states == [("ONLINE",)]
    store.server.execute("MATCH (m:Meta {collection: '', id: 'schema'}) SET m.version = m.version + 1")
    try:
        with pytest.raises(StoreNewer):
            open_at(store.address)
    finally:
        store.server.execute(f"MATCH (m:Meta {{collection: '', id: 'schema'}}) SET m.version = {len(MIGRATIONS)}")


def test_a_server_that_goes_away_for_a_moment_is_waited_for(server: Neo4jTestServer) -> None:
    with open_at(server.address, wait_seconds=60.0, create=True) as store:
        store.commit_document(bundle_of("a.txt", CHAIN))
        server.kill()
        back = threading.Timer(2.0, server.start)
        back.start()
        store.commit_document(bundle_of("b.txt", CHAIN))
        back.join()
        store.derive("main", ByName())
        assert (store.counts("main").documents, store.counts("main").edges) == (2, 3)


def test_a_server_that_stays_away_is_told_of_and_nothing_is_lost(server: Neo4jTestServer) -> None:
    with open_at(server.address, wait_seconds=1.0, create=True) as store:
        store.commit_document(bundle_of("a.txt", CHAIN))
        server.kill()
        with pytest.raises(ServerLost):
            store.commit_document(bundle_of("b.txt", CHAIN))
        with pytest.raises(ServerLost):
            store.counts("main")
        server.start()
        assert store.counts("main").documents == 1


def test_a_writer_that_takes_too_long_is_told_so_and_changes_nothing(store: Neo4jStore) -> None:
    store.commit_document(bundle_of("a.txt", CHAIN))
    held, leave = threading.Event(), threading.Event()

    def hold() -> None:
        def work() -> None:
            held.set()
            leave.wait(30)

        store._transact("main", work)

    holder = threading.Thread(target=hold)
    holder.start()
    assert held.wait(10)
    try:
        hasty = replace(ACCESS, transaction_seconds=1.0)
        with (
            open_store(store.address, wait_seconds=1.0, lease_seconds=5.0, access=hasty) as other,
            pytest.raises(StoreLocked),
        ):
            other.commit_document(bundle_of("b.txt", CHAIN))
    finally:
        leave.set()
        holder.join()
    assert store.counts("main").documents == 1


def test_collections_share_a_database_and_nothing_else(store: Neo4jStore) -> None:
    bundles = [bundle_of("a.txt", CHAIN, collection=name) for name in ("main", "other")]
    for bundle in bundles:
        store.commit_document(bundle)
        store.derive(bundle.collection, ByName())
    first, second = (without_collection(content(store, name)) for name in ("main", "other"))
    assert first == second
    assert store.collections() == ["main", "other"]
    store.delete_source("main", "a.txt")
    assert without_collection(content(store, "other")) == second
    left = store.server.rows("MATCH (n) WHERE n.collection = 'main' RETURN count(n)")
    marks = store.server.rows("MATCH (n:Meta) WHERE n.collection = 'main' RETURN count(n)")
    assert left == marks


def test_direction_is_cause_to_effect(store: Neo4jStore) -> None:
    store.commit_document(bundle_of("a.txt", CHAIN[:1]))
    store.derive("main", ByName())
    told = "MATCH (a:Event)-[r:CAUSES]->(b:Event) RETURN a.description, b.description, r.reads, r.quotes"
    assert store.server.rows(told) == [("storm-1", "leak-1", "causes", ["storm-1 on None did CAUSES leak-1 on None."])]
    assert store.server.rows(
        "MATCH (c:Claim)-[:HAS_CAUSE]->(a:Event), (c)-[:HAS_EFFECT]->(b:Event) RETURN a.description, b.description"
    ) == [("storm-1", "leak-1")]


def test_a_forked_process_connects_anew(store: Neo4jStore) -> None:
    store.commit_document(bundle_of("a.txt", CHAIN))
    child = multiprocessing.get_context("fork").Process(target=_commits, args=(store,))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert store.counts("main").documents == 2


def _commits(store: Neo4jStore) -> None:
    store.commit_document(bundle_of("b.txt", CHAIN))


def without_collection(told: str) -> str:
    return re.sub(r'(\\*"collection\\*": \\*")\w+', r"\1x", told)


def test_a_database_that_takes_no_writes_is_told_so(server: Neo4jTestServer) -> None:
    if not isinstance(server, Neo4jServerProcess):
        pytest.skip("only a server that runs from its jars can be configured here")
    with open_at(server.address, create=True) as store:
        store.commit_document(bundle_of("a.txt", CHAIN))
    server.stop()
    server.configure({"server.databases.default_to_read_only": "true"})
    server.start()
    try:
        with open_at(server.address, wait_seconds=2.0) as store:
            assert store.counts("main").documents == 1
            with pytest.raises(ServerReadOnly):
                store.commit_document(bundle_of("b.txt", CHAIN))
    finally:
        server.stop()
        server.configure({})
        server.start()
