"""Turns, snapshots and lost connections of the server's store: who is waited for, how long, and what is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from neo4j.exceptions import IncompleteCommit

from causetrail.errors import ServerBusy, ServerLost, ServerMemory, SnapshotLost, StoreLocked
from kg import neo4j_queries as queries
from kg.addresses import open_store
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_store import Neo4jStore
from kg.records import DecisionKind
from tests.conformance.material import ACCESS, ByName, Statement, bundle_of, decision_of
from tests.neo4j.process import Neo4jServerProcess
from tests.neo4j.server import Neo4jTestServer

pytestmark = pytest.mark.neo4j

CHAIN = [Statement("storm-1", "leak-1"), Statement("leak-1", "fire-1")]
LONG = "UNWIND range(1, 1000000000) AS n WITH n WHERE n % 7 = 8 RETURN count(n)"


@pytest.fixture
def store(server: Neo4jTestServer) -> Iterator[Neo4jStore]:
    with opened(server) as store:
        yield store


def opened(server: Neo4jTestServer, wait_seconds: float = 20.0, access: Neo4jAccess = ACCESS) -> Neo4jStore:
    store = open_store(server.address, wait_seconds=wait_seconds, lease_seconds=5.0, create=True, access=access)
    assert isinstance(store, Neo4jStore)
    return store


@contextmanager
def turn_taken(store: Neo4jStore) -> Iterator[None]:
    """Another writer has the turn of the collection `main`."""
    held, leave = threading.Event(), threading.Event()

    def work() -> None:
        held.set()
        leave.wait(60)

    holder = threading.Thread(target=lambda: store._transact("main", work))
    holder.start()
    assert held.wait(20)
    try:
        yield
    finally:
        leave.set()
        holder.join()


def losing_first_answer(store: Neo4jStore, meanwhile: Callable[[], object], work: Callable[[], str]) -> str:
    """Does the work; the answer to its first commit is lost, and something happens before it is asked for again."""
    original = store.server.session
    lost: list[bool] = []

    class Losing:
        def __init__(self, *mode: str) -> None:
            self.session = original(*mode)

        def __enter__(self) -> Losing:
            return self

        def __exit__(self, *error: object) -> None:
            self.session.close()

        def __getattr__(self, name: str) -> object:
            return getattr(self.session, name)

        def execute_write(self, attempt):  # type: ignore[no-untyped-def]
            result = self.session.execute_write(attempt)
            if not lost:
                lost.append(True)
                meanwhile()
                raise IncompleteCommit("lost")
            return result

    store.server.session = Losing  # type: ignore[method-assign,assignment]
    try:
        return store._transact("main", work)
    finally:
        store.server.session = original  # type: ignore[method-assign]


def test_a_snapshot_counts_only_the_collections_it_reads(store: Neo4jStore) -> None:
    for name in ("main", "other"):
        store.commit_document(bundle_of("a.txt", CHAIN, collection=name))
    with store.snapshot():
        assert store.counts("main").documents == 1
        store.commit_document(bundle_of("b.txt", CHAIN, collection="other"))
        store.commit_document(bundle_of("b.txt", CHAIN, collection="new"))
        assert store.counts("main").documents == 1
    with pytest.raises(SnapshotLost), store.snapshot():
        assert store.counts("new").documents == 1
        assert store.counts("third").documents == 0
        store.commit_document(bundle_of("b.txt", CHAIN, collection="third"))


def test_a_snapshot_never_sees_half_a_commit(store: Neo4jStore) -> None:
    """A commit becomes visible piece by piece: without the marks of sessions one snapshot in twenty sees half of it."""
    many = 300
    write = """
    MATCH (s:Meta {collection: '', id: 'collection/main'})
    SET s.generation = s.generation + 1
    WITH s
    CALL (s) { MATCH (d:Meta) WHERE d.collection = 'main' AND d.id STARTS WITH 'piece/' DETACH DELETE d }
    UNWIND range(1, $many) AS n
    CREATE (:Meta {collection: 'main', id: 'piece/' + s.generation + '/' + n})
    """
    count = """
    UNWIND range($generation - 1, $generation + 1) AS g UNWIND [1, 2, $many / 2, $many] AS n
    OPTIONAL MATCH (d:Meta {collection: 'main', id: 'piece/' + g + '/' + n})
    RETURN g, count(d)
    """
    store.commit_document(bundle_of("a.txt", CHAIN))
    store._transact("main", lambda: store.server.rows(write, many=many))
    ended = threading.Event()

    def writer() -> None:
        while not ended.wait(0.01):
            store._transact("main", lambda: store.server.rows(write, many=many))

    thread = threading.Thread(target=writer)
    thread.start()
    end = time.monotonic() + 15
    kept = 0
    seen: set[tuple[int, ...]] = set()
    try:
        while time.monotonic() < end:
            try:
                with store.snapshot():
                    generation = store.generation("main")
                    found = dict(store.server.rows(count, collection="main", many=many, generation=generation))
            except SnapshotLost:
                continue
            kept += 1
            seen.add(tuple(found[generation + step] for step in (-1, 0, 1)))
    finally:
        ended.set()
        thread.join()
    assert kept > 20
    assert seen == {(0, 4, 0)}


@pytest.mark.parametrize("others", [0, 1, queries.LAST_MARKS - 1])
def test_a_commit_whose_answer_was_lost_is_not_done_twice(store: Neo4jStore, others: int) -> None:
    bundle = bundle_of("a.txt", CHAIN)
    store.commit_document(bundle)
    decision = decision_of(DecisionKind.REJECT_CLAIM, bundle.claims[0].id)
    done: list[str] = []

    def work() -> str:
        store._log(decision)
        done.append("logged")
        return "logged"

    def others_commit() -> None:
        for _ in range(others):
            store._transact("main", lambda: None)

    assert losing_first_answer(store, others_commit, work) == "logged"
    assert (done, [logged.id for logged in store.decisions("main")]) == (["logged"], [decision.id])
    marks = store.server.rows("MATCH (s:Meta {collection: '', id: 'collection/main'}) RETURN size(s.marks)")
    assert marks == [(min(others + 2, queries.LAST_MARKS),)]


def test_the_wait_for_the_turn_has_its_own_limit(store: Neo4jStore, server: Neo4jTestServer) -> None:
    store.commit_document(bundle_of("a.txt", CHAIN))
    with opened(server, wait_seconds=1.0) as other, turn_taken(store):
        begin = time.monotonic()
        with pytest.raises(StoreLocked) as told:
            other.commit_document(bundle_of("b.txt", CHAIN))
        taken = time.monotonic() - begin
        assert 1.0 <= float(str(told.value.details["seconds"])) <= round(taken, 2) < 10.0
    assert store.counts("main").documents == 1


def test_a_turn_is_waited_for_longer_than_a_transaction_may_take(store: Neo4jStore, server: Neo4jTestServer) -> None:
    store.commit_document(bundle_of("a.txt", CHAIN))
    with opened(server, access=replace(ACCESS, transaction_seconds=2.0)) as other:
        with turn_taken(store):
            waiting = threading.Thread(target=lambda: other.commit_document(bundle_of("b.txt", CHAIN)))
            waiting.start()
            time.sleep(4.0)
        waiting.join()
    assert store.counts("main").documents == 2


def test_a_slow_transaction_is_not_told_as_a_held_store(server: Neo4jTestServer) -> None:
    with opened(server, wait_seconds=0.5, access=replace(ACCESS, transaction_seconds=1.0)) as store:
        for slow in (lambda: store.server.rows(LONG), lambda: store._transact("main", lambda: store.server.rows(LONG))):
            with pytest.raises(ServerBusy, match=r"longer than the 1 seconds.* neo4j_transaction_seconds"):
                slow()


def test_an_error_of_the_work_is_told_as_it_is(store: Neo4jStore) -> None:
    def work() -> None:
        raise FileNotFoundError("the pages of the document")

    with pytest.raises(FileNotFoundError, match="the pages"):
        store._transact("main", work)


def test_a_question_does_not_wait_for_a_server_that_went_away(server: Neo4jTestServer) -> None:
    with opened(server, wait_seconds=60.0) as store:
        store.commit_document(bundle_of("a.txt", CHAIN))
        server.kill()
        try:
            for block in (store.snapshot, store.prompt):
                begin = time.monotonic()
                with pytest.raises(ServerLost), block():
                    store.counts("main")
                assert time.monotonic() - begin < 8.0
        finally:
            server.start()
        with store.snapshot():
            assert store.counts("main").documents == 1


def test_a_document_too_large_for_one_transaction_names_the_setting(server: Neo4jTestServer) -> None:
    if not isinstance(server, Neo4jServerProcess):
        pytest.skip("only a server that runs from its jars can be configured here")
    server.stop()
    server.configure({"db.memory.transaction.max": "2m"})
    server.start()
    large = bundle_of("large.txt", [Statement(f"leak{n}-1", f"fire{n}-1") for n in range(2_000)])
    try:
        with opened(server, wait_seconds=60.0) as store:
            begin = time.monotonic()
            with pytest.raises(ServerMemory, match=r"db\.memory\.transaction\.max"):
                store.commit_document(large)
            assert time.monotonic() - begin < 60.0
            store.commit_document(bundle_of("small.txt", CHAIN))
            assert store.derive("main", ByName()).events == 3
    finally:
        server.stop()
        server.configure({})
        server.start()
