from __future__ import annotations

import shutil
import sqlite3
import time
from pathlib import Path
from types import SimpleNamespace

import apsw
import pytest

from causetrail import Causetrail, examine_store
from kg import embedded_doctor
from kg.doctor import DoctorReport, examine
from kg.examination import Finding, State
from kg.neo4j_access import Neo4jAccess
from kg.schema import APPLICATION_ID
from kg.sqlite_store import SqliteStore
from tests.conformance.material import ByName, Statement, bundle_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of one document, closed."""
    path = tmp_path / "trail.db"
    with SqliteStore(path, wait_seconds=5.0, lease_seconds=5.0) as store:
        store.commit_document(bundle_of("a.txt", [Statement("leak-1", "fire-1")]))
        store.derive("main", ByName())
    return path


def report_of(path: Path) -> DoctorReport:
    report = examine(f"sqlite:///{path}", Neo4jAccess(), lease_seconds=5.0)
    assert report.healthy == all(finding.state is not State.FAILURE for finding in report.findings)
    for finding in report.findings:
        assert bool(finding.advice) == (finding.state is not State.OK)
    return report


def found(report: DoctorReport, check: str) -> Finding:
    (finding,) = (finding for finding in report.findings if finding.check == check)
    return finding


def test_a_store_in_order_passes_and_is_not_changed(path: Path) -> None:
    before = path.read_bytes()
    report = report_of(path)
    assert {finding.state for finding in report.findings} == {State.OK}
    checks = ["file", "version", "writable", "disk", "log", "collections", "seed index", "cypher view", "pages"]
    assert [finding.check for finding in report.findings] == checks
    assert "1 document(s), 2 event(s), 1 edge(s)" in found(report, "collections").found
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir() if file.stat().st_size) == ["trail.db"]


def test_much_room_is_told_in_a_large_unit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=64 * 2**30))
    assert found(report_of(path), "disk").found == "64.0 GiB free"


def test_no_store_is_made(tmp_path: Path) -> None:
    report = report_of(tmp_path / "absent.db")
    assert (report.healthy, [finding.check for finding in report.findings]) == (False, ["file"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"x", b"no database" * 100, b"SQLite format 3\x00" + bytes(4096)])
def test_a_file_of_another_program_is_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "notes.db").write_bytes(content)
    assert found(report_of(tmp_path / "notes.db"), "file").state is State.FAILURE
    assert (tmp_path / "notes.db").read_bytes() == content


@pytest.mark.parametrize("address", ["sqlite:///", "sqlite://trail.db", "trail.db", "sqlite:///folder/", ""])
def test_an_address_that_names_no_file_is_told(address: str) -> None:
    report = examine(address, Neo4jAccess(), lease_seconds=5.0)
    assert [(finding.check, finding.state) for finding in report.findings] == [("address", State.FAILURE)]


def test_a_newer_store_is_told(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "newer.db") as database:
        database.execute("CREATE TABLE t (a)")
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute("PRAGMA user_version = 99")
    finding = found(report_of(tmp_path / "newer.db"), "version")
    assert finding.state is State.FAILURE and "99" in finding.found


def test_a_damaged_store_is_told(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // 4096):
        data[page * 4096 + 2000] ^= 0xFF
    path.write_bytes(data)
    finding = found(report_of(path), "pages")
    assert finding.state is State.FAILURE
    assert "causetrail verify" in finding.advice


def test_a_file_that_may_not_be_written_is_told(path: Path) -> None:
    path.chmod(0o444)
    finding = found(report_of(path), "writable")
    assert (finding.state, "permissions" in finding.advice) == (State.WARNING, True)


def test_a_store_that_is_being_written_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_doctor, "WAIT", 0.05)
    with SqliteStore(path, wait_seconds=5.0, lease_seconds=5.0) as store, store._file.writing():
        assert "another process is writing" in found(report_of(path), "writable").found


def test_scarce_room_and_a_long_log_are_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_doctor, "SCARCE_DISK", shutil.disk_usage(path).total * 2)
    monkeypatch.setattr(embedded_doctor, "LARGE_LOG", 1_000)
    with SqliteStore(path, wait_seconds=5.0, lease_seconds=5.0) as store:
        store.commit_document(bundle_of("b.txt", [Statement("leak-1", "fire-1")]))
        report = report_of(path)
    assert (found(report, "disk").state, found(report, "log").state) == (State.WARNING, State.WARNING)
    assert report.healthy


def test_waiting_blocks_and_leases_are_told(path: Path) -> None:
    with SqliteStore(path, wait_seconds=5.0, lease_seconds=5.0) as store:
        store.commit_document(bundle_of("b.txt", [Statement("leak-1", "fire-1")]))
        assert found(report_of(path), "derivation").found.startswith("main: 2 block(s) wait")
        with store._file.writing():
            store._set_lease("main", "elsewhere:7:abc", time.time() + 30)
        assert "elsewhere:7:abc" in found(report_of(path), "lease").found
        with store._file.writing():
            store._set_lease("main", "elsewhere:7:abc", time.time() - 30)
        report = report_of(path)
        assert (found(report, "lease").state, found(report, "derivation").state) == (State.WARNING, State.WARNING)


def test_what_is_kept_beside_the_store_is_compared_with_it(flood_folder: Path, tmp_path: Path) -> None:
    # Another test of the same run may have asked the shared store in Cypher.
    shutil.copytree(flood_folder, tmp_path, ignore=shutil.ignore_patterns("*-cypher"), dirs_exist_ok=True)
    address = f"sqlite:///{tmp_path}/trail.db"
    with Causetrail(address) as trail:
        assert found(examine_store(address), "seed index").found == "main: up to date"
        assert found(examine_store(address), "cypher view").found.startswith("none yet")
        trail.cypher("MATCH (e:Event) RETURN count(e)")
        assert found(examine_store(address), "cypher view").found == "up to date"
        trail.delete(next(trail.documents()).id)
        report = examine_store(address)
        assert found(report, "seed index").state is State.WARNING
        assert found(report, "cypher view").state is State.WARNING
        assert report.healthy


def test_pages_without_checksums_are_told(tmp_path: Path) -> None:
    plain = tmp_path / "plain.db"
    connection = apsw.Connection(str(plain))
    connection.execute("CREATE TABLE collection (name TEXT)")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    finding = report_of(plain).findings[-1]
    assert (finding.check, finding.state) == ("pages", State.FAILURE)
