from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from causetrail.errors import CausetrailError, CollectionUnknown, StoreMissing
from kg.record_tables import EVENTS
from kg.records import DecisionKind
from kg.sqlite_store import SqliteStore
from kg.verify import VerifyReport, verify
from tests.conformance.material import ByName, Statement, bundle_of, content, decision_of

KINDS = ["claim", "document", "edge", "event", "mention", "passage", "source"]


def report_of(path: Path, collection: str | None = None) -> VerifyReport:
    return verify(f"sqlite:///{path}", collection)


def alter(path: Path, *statements: str) -> None:
    """Changes the file by another program, past all checks of ours."""
    database = sqlite3.connect(path)
    for statement in statements:
        assert database.execute(statement).rowcount == 1, statement
    database.commit()
    database.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 12 documents and two decisions."""
    path = tmp_path_factory.mktemp("verify") / "trail.db"
    with SqliteStore(path, wait_seconds=5.0, lease_seconds=5.0) as store:
        for number in range(12):
            statements = [
                Statement(f"leak-{n}", f"fire-{n % 5}", cause_day=1 + n % 3) for n in range(number, number + 9)
            ]
            bundle = bundle_of(f"{number}.txt", statements, words=f"w{number} " * 40)
            store.commit_document(bundle)
        store.decide(decision_of(DecisionKind.REJECT_CLAIM, bundle.claims[0].id, at=1))
        store.decide(decision_of(DecisionKind.MERGE, bundle.mentions[0].id, bundle.mentions[2].id, at=2))
        store.derive("main", ByName())
        store.commit_document(bundle_of("o.txt", [Statement("leak-1", "fire-1")], collection="other"))
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path))


def test_a_whole_store_is_exact(path: Path) -> None:
    report = report_of(path)
    assert (report.faults, report.exact) == ((), 1.0)
    assert sorted(report.checked) == sorted([*KINDS, "decision"])
    assert (report.checked["document"], report.checked["claim"]) == (13, 109)
    assert report_of(path, "other").checked["claim"] == 1
    with pytest.raises(CollectionUnknown):
        report_of(path, "none")


def test_an_open_store_can_be_verified(path: Path) -> None:
    with SqliteStore(path, wait_seconds=5.0, lease_seconds=5.0) as store:
        store.commit_document(bundle_of("late.txt", [Statement("leak-1", "fire-1")]))
        report = verify(store, "main")
        assert (report.faults, report.checked["document"]) == ((), 13)


def test_there_has_to_be_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing):
        report_of(tmp_path / "none.db")


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("mention", "text = 'x' || substr(text, 2)"),
        ("mention", "start = start + 1"),
        ("mention", "sentence_end = sentence_end + 1"),
        ("mention", "modality = 'possible'"),
        ("mention", "time_start = '2014-03-01T00:00:01Z'"),
        ("claim", "quote = 'x' || substr(quote, 2)"),
        ("claim", '"end" = "end" - 1'),
        ("claim", "confidence = confidence + 0.01"),
        ("claim", "polarity = 'negated'"),
        ("passage", "start = start + 1"),
        ("document", "length = length + 1"),
        ("source", "doc_title = 'Other'"),
        ("decision", "reason = 'none'"),
        ("event", "description = 'other'"),
        ("edge", "p_for = p_for / 2"),
    ],
)
def test_any_altered_field_is_named_and_nothing_else(path: Path, kind: str, change: str) -> None:
    alter(path, f"UPDATE {kind} SET {change} WHERE key = 2")
    faults = [fault for fault in report_of(path).faults if fault.kind not in {"page", "table"}]
    assert [fault.kind for fault in faults] == [kind]


def test_an_altered_text_names_its_document_and_the_quotes_that_are_gone(path: Path) -> None:
    database = sqlite3.connect(path)
    ((text, id_),) = database.execute("SELECT text, document_id FROM document_text WHERE rowid = 3")
    database.close()
    alter(path, f"UPDATE document_text SET text = replace(text, 'leak-2 on', 'peak-2 on') WHERE document_id = '{id_}'")
    named = {(fault.kind, fault.id) for fault in report_of(path).faults if fault.kind not in {"page", "table"}}
    assert ("document", id_) in named
    assert sorted(kind for kind, _ in named) == ["claim", "document", "mention"]
    assert "leak-2 on" in text


@pytest.mark.parametrize(
    ("table", "kind"),
    [("document_text", "document"), ("source", "document"), ("mention", "claim"), ("event", "edge")],
)
def test_orphans_are_named(path: Path, table: str, kind: str) -> None:
    alter(path, f"DELETE FROM {table} WHERE rowid = 3")
    assert kind in {fault.kind for fault in report_of(path).faults}


def test_twenty_altered_characters_are_named_and_few_innocent_ones(path: Path) -> None:
    chance = random.Random(7)
    hit = set()
    database = sqlite3.connect(path)
    for turn in range(20):
        table, column, key = (
            ("document_text", "text", "document_id"),
            ("mention", "text", "id"),
            ("claim", "quote", "id"),
            ("claim", "start", "id"),
            ("passage", '"end"', "id"),
        )[turn % 5]
        where = chance.choice(database.execute(f"SELECT {key} FROM {table} WHERE collection = 'main'").fetchall())[0]
        (value,) = database.execute(f"SELECT {column} FROM {table} WHERE {key} = ?", (where,)).fetchone()
        if isinstance(value, str):
            at = chance.randrange(len(value))
            value = value[:at] + "#" + value[at + 1 :]
        else:
            value += 1
        database.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (value, where))
        hit.add(where)
    database.commit()
    database.close()
    named = {fault.id for fault in report_of(path).faults if fault.kind not in {"page", "table"}}
    assert hit <= named
    assert len(named) < 3 * len(hit)


def test_random_bytes_never_give_a_silently_wrong_answer(path: Path, tmp_path: Path) -> None:
    with SqliteStore(path, wait_seconds=1.0, lease_seconds=5.0) as store:
        truth = content(store)
    whole = path.read_bytes()
    chance = random.Random(11)
    refused = 0
    for turn in range(40):
        damaged = bytearray(whole)
        for _ in range(20 if turn % 2 else 1):
            damaged[chance.randrange(len(damaged))] ^= chance.randrange(1, 256)
        other = tmp_path / f"{turn}.db"
        other.write_bytes(damaged)
        try:
            with SqliteStore(other, wait_seconds=1.0, lease_seconds=5.0, read_only=True) as store:
                assert content(store) == truth
        except CausetrailError:
            refused += 1
        try:
            assert report_of(other).faults
        except CausetrailError:
            refused += 1
    assert refused > 20


@pytest.mark.parametrize("length", [0.3, 0.7])
def test_a_truncated_file_is_reported(path: Path, length: float) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * length)])
    try:
        assert report_of(path).faults
    except CausetrailError as error:
        assert error.code == "CT-S005"
    with pytest.raises(CausetrailError), SqliteStore(path, wait_seconds=1.0, lease_seconds=5.0) as store:
        content(store)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("mark", "INSERT INTO mark VALUES ('main', 'ghost')"),
        ("document", "INSERT INTO near_copy SELECT 'main', min(id), max(id) FROM document WHERE collection = 'main'"),
        ("document", "UPDATE copy_group SET least = 'd' WHERE document_id = (SELECT max(document_id) FROM copy_group)"),
        ("document", "DELETE FROM sketch_hash WHERE hash = (SELECT min(hash) FROM sketch_hash)"),
        ("event", "INSERT INTO similar_events SELECT 'main', min(id), max(id) FROM event WHERE collection = 'main'"),
    ],
)
def test_what_follows_from_records_is_named_where_no_checksum_is_wrong(path: Path, kind: str, change: str) -> None:
    with SqliteStore(path, wait_seconds=5.0, lease_seconds=5.0) as store:
        store._transact("main", lambda: store._file.rows(change))
    faults = verify(f"sqlite:///{path}", resolver=ByName()).faults
    assert {fault.kind for fault in faults} == {kind}


def test_a_store_that_waits_for_derivation_is_exact_at_every_step(path: Path) -> None:
    address = f"sqlite:///{path}"
    with SqliteStore(path, wait_seconds=5.0, lease_seconds=5.0) as store:
        first = next(store.documents("main"))
        merge = next(decision for decision in store.decisions("main") if decision.kind is DecisionKind.MERGE)
        store.undo("main", merge.id)
        assert verify(address, resolver=ByName()).faults == ()
        store.delete_document("main", first.id)
        assert verify(address, resolver=ByName()).faults == ()
        store.derive("main", ByName("by-name-2", by_day=False))
        assert verify(address, resolver=ByName("by-name-2", by_day=False)).faults == ()
        for document in list(store.documents("main")):
            store.delete_document("main", document.id)
        assert (store.pending("main"), verify(address).faults) == (0, ())


def test_an_altered_event_is_named_while_another_kind_waits(path: Path) -> None:
    with SqliteStore(path, wait_seconds=5.0, lease_seconds=5.0) as store:
        store.commit_document(bundle_of("late.txt", [Statement("flood-1", "storm-1")]))
        rows = store._event_rows("main", store.event_ids("main")[:1])
        row = [*next(iter(rows.values()))]
        row[EVENTS.columns.index("description")] = "other"
        altered = (*row, EVENTS.digest(row))
        store._transact("main", lambda: store._put_events("main", [altered]))
        assert store.pending("main")
    faults = verify(f"sqlite:///{path}").faults
    assert [(fault.kind, fault.id) for fault in faults] == [("event", row[0])]
