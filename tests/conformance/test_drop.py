from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import apsw
import pytest

from causetrail.errors import CollectionUnknown
from kg.addresses import is_server, path_of
from kg.records import DecisionKind
from kg.store import GraphStore
from kg.verify import verify
from tests.conformance.material import ACCESS, ByName, Statement, bundle_of, content, decision_of, source_of

COPIED = " ".join(f"word{number}" for number in range(60))
STATEMENTS = [Statement("leak-1", "fire-1"), Statement("fire-1", "storm-1")]


def filled(store: GraphStore, collection: str) -> None:
    """Near-copies, several sources, decisions standing and undone, a mark, and a lease."""
    for number in range(3):
        bundle = bundle_of(f"{number}.txt", STATEMENTS, collection=collection, words=f"{COPIED} {number}")
        store.commit_document(bundle)
    store.add_source(collection, next(store.documents(collection)).id, source_of("more.txt"))
    store.derive(collection, ByName())
    for at, subject in enumerate(bundle.claims):
        store.decide(decision_of(DecisionKind.REJECT_CLAIM, subject.id, at=at, collection=collection))
    ends = [mention.id for mention in bundle.mentions[:2]]
    store.decide(decision_of(DecisionKind.SPLIT, *ends, at=9, collection=collection))
    store.undo(collection, store.decisions(collection)[0].id)
    store._transact(collection, lambda: store._set_lease(collection, "elsewhere:1:a", 1.0))  # type: ignore[attr-defined]
    assert store.pending(collection)


def rows(store: GraphStore) -> int:
    """Everything in the store, of all collections: nodes on a server, rows of tables in a file."""
    if is_server(store.address):
        return int(store.server.rows("MATCH (n) RETURN count(n)")[0][0])  # type: ignore[attr-defined]
    with apsw.Connection(str(path_of(store.address)), flags=apsw.SQLITE_OPEN_READONLY) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return sum(
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in tables
            if not table.startswith("sqlite_")
        )


def test_nothing_of_a_dropped_collection_is_left(store: GraphStore) -> None:
    filled(store, "first")
    store.drop("first")
    # What stays is one number: the largest generation that was forgotten.
    empty = rows(store)
    assert empty == 1
    filled(store, "other")
    before, others = rows(store), content(store, "other")
    filled(store, "main")
    assert rows(store) > before
    told: list[tuple[str, int, int]] = []
    assert store.drop("main", lambda *step: told.append(step)) == 3
    assert told == [("drop", 1, 3), ("drop", 2, 3), ("drop", 3, 3)]
    assert (rows(store), store.collections(), store.generation("main")) == (before, ["other"], 0)
    assert content(store, "other") == others
    assert verify(store.address, access=ACCESS).faults == ()
    store.drop("other")
    assert rows(store) == empty


def test_a_collection_that_was_dropped_and_made_again_is_another_one(store: GraphStore) -> None:
    filled(store, "main")
    seen: list[int] = []
    store.drop("main", lambda *_: seen.append(store.generation("main")))
    for name in ("main", "other"):
        store.commit_document(bundle_of("a.txt", STATEMENTS, collection=name))
        assert store.generation(name) == max(seen) + 1


def test_a_drop_that_was_interrupted_goes_on(store: GraphStore) -> None:
    filled(store, "main")

    class Interrupted(Exception):
        pass

    def interrupt(stage: str, done: int, total: int) -> None:
        if done == 2:
            raise Interrupted

    with pytest.raises(Interrupted):
        store.drop("main", interrupt)
    assert (store.counts("main").documents, len(store.decisions("main"))) == (1, 3)
    assert store.drop("main") == 1
    with pytest.raises(CollectionUnknown, match="There is no collection main at"):
        store.drop("main")


def test_what_others_commit_meanwhile_is_dropped_too(store: GraphStore) -> None:
    filled(store, "main")

    def commit(stage: str, done: int, total: int) -> None:
        if done == 3:
            store.commit_document(bundle_of("late.txt", STATEMENTS))

    assert store.drop("main", commit) == 4
    assert store.collections() == []


def test_a_collection_of_decisions_alone_is_dropped(store: GraphStore) -> None:
    filled(store, "main")
    for document in list(store.documents("main")):
        store.delete_document("main", document.id)
    assert store.collections() == ["main"]
    assert store.drop("main") == 0
    assert store.collections() == []


def test_a_drop_beside_a_writer_leaves_a_whole_collection_or_none(store: GraphStore) -> None:
    filled(store, "main")
    with ThreadPoolExecutor(2) as threads:
        writing = [threads.submit(write, store, number) for number in range(2)]
        for _ in range(4):
            with suppress(CollectionUnknown):
                store.drop("main")
        for each in writing:
            each.result()
    store.derive("main", ByName())
    assert verify(store.address, access=ACCESS).faults == ()
    with suppress(CollectionUnknown):
        store.drop("main")
    assert rows(store) == 1


def write(store: GraphStore, writer: int) -> None:
    for number in range(6):
        store.commit_document(bundle_of(f"{writer}-{number}.txt", STATEMENTS))
        store.derive("main", ByName())
