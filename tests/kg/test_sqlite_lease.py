from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kg import derivations
from kg.sqlite_store import SqliteStore
from tests.conformance.material import ByName, Statement, bundle_of, graph

STATEMENTS = [Statement(f"leak{n}-1", f"fire{n}-1") for n in range(5)]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SqliteStore:
    """A store that derives one block at a time."""
    monkeypatch.setattr(derivations, "MENTIONS_PER_STEP", 1)
    store = SqliteStore(tmp_path / "trail.db", wait_seconds=10.0, lease_seconds=10.0)
    store.commit_document(bundle_of("a.txt", STATEMENTS))
    return store


def holder_of(store: SqliteStore) -> str:
    return str(store._file.rows("SELECT holder FROM lease WHERE collection = 'main'")[0][0])


def test_no_step_is_taken_while_another_holds_the_lease(store: SqliteStore) -> None:
    """Another machine takes the lease once; the derivation has to wait for it to run out, and to go on then."""
    holders: list[str] = []

    def take_it_away(stage: str, done: int, total: int) -> None:
        holders.append(holder_of(store))
        if len(holders) == 2:
            with store._file.writing():
                store._file.rows("UPDATE lease SET holder = 'elsewhere:1:x', expires = ?", (time.time() + 0.3,))

    assert store.derive("main", ByName(), take_it_away).blocks == 10
    assert len(holders) == 10
    assert all(holder.startswith(socket.gethostname()) for holder in holders)
    assert len(set(holders)) == 2
    assert store._file.rows("SELECT count(*) FROM lease") == [(0,)]


def test_each_step_prolongs_the_lease(store: SqliteStore) -> None:
    ends: list[float] = []

    def note(stage: str, done: int, total: int) -> None:
        ends.append(store._file.rows("SELECT expires FROM lease")[0][0])

    store.derive("main", ByName(), note)
    assert ends == sorted(set(ends))


def test_a_lease_from_a_clock_that_was_wrong_is_taken(store: SqliteStore) -> None:
    with store._file.writing():
        store._file.rows(
            "INSERT INTO lease (collection, holder, expires) VALUES ('main', 'elsewhere:1:x', ?)", (time.time() + 1e6,)
        )
    assert store.derive("main", ByName()).blocks == 10


def test_a_process_of_another_container_of_the_same_name_may_live() -> None:
    """It is not to be seen from here, and its number may be that of a process here, or of none."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for process in (os.getpid(), gone.pid):
        for machine in (socket.gethostname(), f"{socket.gethostname()}/another boot/4026531836"):
            assert derivations._may_live(f"{machine}:{process}:x")
    assert derivations._may_live(f"{derivations._machine()}:{os.getpid()}:x")
    assert not derivations._may_live(f"{derivations._machine()}:{gone.pid}:x")


def test_the_size_of_a_step_does_not_show(store: SqliteStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    store.derive("main", ByName())
    monkeypatch.undo()
    with SqliteStore(tmp_path / "other.db", wait_seconds=10.0, lease_seconds=10.0) as other:
        other.commit_document(bundle_of("a.txt", STATEMENTS))
        other.derive("main", ByName())
        assert graph(other) == graph(store)
