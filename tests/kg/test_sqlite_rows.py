"""The rows of the embedded store, asked by SQL: whatever was committed, decided and deleted, none is left behind."""

from __future__ import annotations

import json
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causetrail.errors import DecisionRefused
from kg.addresses import open_store
from kg.records import DecisionKind
from kg.store import GraphStore
from tests.conformance.material import ByName, Statement, bundle_of, decision_of

COPIED = " ".join(f"word{number}" for number in range(200))
HAPPENINGS = ["leak-1", "leak-2", "fire-1", "storm-1"]
STATEMENTS = st.permutations(HAPPENINGS).map(lambda names: Statement(names[0], names[1]))
DOCUMENTS = st.tuples(st.booleans(), st.lists(STATEMENTS, max_size=3))
NOTHING_POINTS_NOWHERE = [
    *(f"SELECT document_id FROM {table} WHERE document_id NOT IN (SELECT id FROM document)"
      for table in ("document_text", "source", "passage", "mention", "claim", "sketch_hash", "copy_group")),
    *(f"SELECT id FROM {table}_vector WHERE id NOT IN (SELECT id FROM {table})" for table in ("passage", "mention")),
    "SELECT id FROM document WHERE id NOT IN (SELECT document_id FROM source)",
    "SELECT id FROM mention WHERE id NOT IN (SELECT mention_id FROM event_mention)",
    "SELECT event_id FROM event_mention WHERE event_id NOT IN (SELECT id FROM event)",
    "SELECT mention_id FROM event_mention WHERE mention_id NOT IN (SELECT id FROM mention)",
    "SELECT id FROM event WHERE id NOT IN (SELECT event_id FROM event_mention)",
    *(f"SELECT {end} FROM edge WHERE {end} NOT IN (SELECT id FROM event)" for end in ("cause", "effect")),
    *(f"SELECT {end} FROM similar_events WHERE {end} NOT IN (SELECT id FROM event)" for end in ("a", "b")),
    *(f"SELECT {end} FROM near_copy WHERE {end} NOT IN (SELECT id FROM document)" for end in ("a", "b")),
    "SELECT least FROM copy_group GROUP BY least HAVING count(*) < 2",
    *(f"SELECT {end}_mention FROM claim WHERE {end}_mention NOT IN (SELECT id FROM mention)"
      for end in ("cause", "effect")),
    "SELECT decision_id FROM decision_subject WHERE decision_id NOT IN (SELECT id FROM decision)",
    "SELECT kind FROM mark",
    "SELECT holder FROM lease",
]  # fmt: skip
EMPTY_IN_THE_END = ["document", "document_text", "source", "passage", "passage_vector", "mention", "mention_vector",
                    "claim", "event", "event_mention", "edge", "similar_events", "sketch_hash", "near_copy",
                    "copy_group", "mark", "lease"]  # fmt: skip


@settings(max_examples=15, deadline=None)
@given(data=st.data(), corpus=st.lists(DOCUMENTS, min_size=2, max_size=5))
def test_no_row_of_the_embedded_store_is_left_behind(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, corpus: list[tuple[bool, list[Statement]]]
) -> None:
    path = tmp_path_factory.mktemp("rows") / "trail.db"
    with open_store(f"sqlite:///{path}", wait_seconds=5.0, lease_seconds=5.0, create=True) as store:
        for turn in range(2):
            for number, (copied, statements) in enumerate(corpus):
                words = f"{COPIED} no{number}" if copied else f"Turn {turn if data.draw(st.booleans()) else 0}"
                store.commit_document(bundle_of(f"{number}.txt", statements, words=words))
                if data.draw(st.booleans()):
                    _decide_something(store, data)
                if data.draw(st.booleans()):
                    store.derive("main", ByName())
            store.derive("main", ByName())
            assert rows_of(path, NOTHING_POINTS_NOWHERE) == []
        for number in data.draw(st.permutations(range(len(corpus)))):
            store.delete_source("main", f"{number}.txt")
            if data.draw(st.booleans()):
                store.derive("main", ByName())
                assert rows_of(path, NOTHING_POINTS_NOWHERE) == []
        store.derive("main", ByName())
        assert rows_of(path, [f"SELECT * FROM {table}" for table in EMPTY_IN_THE_END]) == []


def _decide_something(store: GraphStore, data: st.DataObject) -> None:
    mentions = sorted(id_ for document in store.documents("main") for id_ in _mentions(store, document.id))
    if len(mentions) > 1:
        pair = data.draw(st.lists(st.sampled_from(mentions), min_size=2, max_size=2, unique=True))
        kind = data.draw(st.sampled_from([DecisionKind.MERGE, DecisionKind.SPLIT]))
        try:
            store.decide(decision_of(kind, *pair, at=len(store.decisions("main"))))
        except DecisionRefused:
            return


def _mentions(store: GraphStore, document: str) -> list[str]:
    return [mention.id for mention in store.mentions_of("main", document)]


def rows_of(path: Path, queries: list[str]) -> list[str]:
    """What these queries find, as text."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return [f"{query}: {json.dumps(row, default=repr)}" for query in queries for row in connection.execute(query)]
    finally:
        connection.close()
