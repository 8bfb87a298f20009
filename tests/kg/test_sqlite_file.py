from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from causetrail.errors import (
    StoreAddress,
    StoreDamaged,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreMissing,
    StoreNewer,
    StoreReadOnly,
)
from kg.addresses import open_store, path_of
from kg.schema import SCHEMA_VERSION
from kg.sqlite_store import SqliteStore
from kg.verify import verify
from tests.conformance.material import ByName, Statement, bundle_of, content

STATEMENTS = [Statement("leak-1", "fire-1"), Statement("fire-1", "closure-1")]


def opened(path: Path, *, wait: float = 5.0, read_only: bool = False, create: bool = True) -> SqliteStore:
    return SqliteStore(path, wait_seconds=wait, lease_seconds=5.0, read_only=read_only, create=create)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with one document."""
    path = tmp_path / "trail.db"
    with opened(path) as store:
        store.commit_document(bundle_of("a.txt", STATEMENTS))
        store.derive("main", ByName())
    return path


@pytest.mark.parametrize(
    "address", ["", "trail.db", "sqlite:///", "sqlite:////", "sqlite://x", "mysql://x", "sqlite:///a/"]
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(StoreAddress):
        open_store(address, wait_seconds=1.0, lease_seconds=1.0)


def test_addresses_are_relative_after_three_slashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert path_of("sqlite:///a/b.db") == tmp_path / "a" / "b.db"
    assert path_of("sqlite:////a/b.db") == Path("/a/b.db")


def test_there_is_no_store_until_it_is_made(tmp_path: Path) -> None:
    path = tmp_path / "trail.db"
    with pytest.raises(StoreMissing):
        opened(path, create=False)
    assert list(tmp_path.iterdir()) == []
    opened(path).close()
    assert [found.name for found in tmp_path.iterdir()] == ["trail.db"]
    opened(path, create=False).close()


def test_an_empty_file_is_adopted_only_to_make_a_store(tmp_path: Path) -> None:
    path = tmp_path / "trail.db"
    path.touch()
    with pytest.raises(StoreMissing):
        opened(path, create=False)
    assert path.stat().st_size == 0
    with opened(path) as store:
        store.commit_document(bundle_of("a.txt", STATEMENTS))
    assert opened(path).counts("main").documents == 1


def test_a_log_left_by_a_deleted_store_is_not_played_into_a_new_one(path: Path) -> None:
    with opened(path) as store:
        store.commit_document(bundle_of("b.txt", STATEMENTS))
        log = path.with_name("trail.db-wal")
        kept = log.read_bytes()
        assert kept
    path.unlink()
    log.write_bytes(kept)
    with opened(path) as store:
        assert store.collections() == []


def _foreign_files(folder: Path) -> Iterator[Path]:
    for mode in ("delete", "wal"):
        path = folder / f"{mode}.db"
        database = sqlite3.connect(path)
        database.execute(f"PRAGMA journal_mode = {mode}")
        database.execute("CREATE TABLE document (id TEXT)")
        database.commit()
        database.close()
        yield path
    text = folder / "text.db"
    text.write_text("The pump failed. " * 50)
    yield text
    short = folder / "short.db"
    short.write_bytes(b"SQLite format 3\x00")
    yield short


def test_a_foreign_file_is_left_untouched(tmp_path: Path) -> None:
    for path in _foreign_files(tmp_path):
        before = path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir())
        for create in (True, False):
            with pytest.raises(StoreForeign):
                opened(path, create=create)
        assert (path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir())) == before
    with pytest.raises(StoreForeign):
        opened(tmp_path)


def test_a_newer_schema_is_refused(path: Path) -> None:
    with opened(path) as store:
        store._file.rows(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        with pytest.raises(StoreNewer):
            opened(path).counts("main")
    with pytest.raises(StoreNewer):
        opened(path)


def test_a_file_of_the_first_version_is_brought_up_to_date_by_a_writer_alone(path: Path) -> None:
    with opened(path) as store:
        store._file.rows("DROP TABLE hypothesis")
        store._file.rows("ALTER TABLE mention DROP COLUMN time_words")
        store._file.rows("PRAGMA user_version = 1")
    with pytest.raises(StoreReadOnly):
        opened(path, read_only=True)
    report = verify(f"sqlite:///{path}")
    assert (report.faults, report.checked["document"]) == ((), 1)
    with opened(path) as store:
        assert store._file.rows("PRAGMA user_version") == [(SCHEMA_VERSION,)]
        assert store.hypotheses("main") == []


def test_a_read_only_file_is_read_and_not_written(path: Path) -> None:
    path.chmod(0o444)
    with opened(path) as store:
        assert store.counts("main").documents == 1
        with pytest.raises(StoreReadOnly):
            store.commit_document(bundle_of("b.txt", STATEMENTS))
        with pytest.raises(StoreReadOnly):
            store.delete_source("main", "a.txt")
        assert store.derive("main", ByName()).blocks == 0
    path.chmod(0o644)
    with opened(path, read_only=True) as store, pytest.raises(StoreReadOnly):
        store.delete_source("main", "a.txt")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only an administrator can change users")
@pytest.mark.parametrize("mode", [0o555, 0o755])
def test_a_store_in_a_folder_that_cannot_be_written_is_read(path: Path, mode: int) -> None:
    folder = Path(tempfile.mkdtemp())
    path = Path(shutil.copy(path, folder))
    path.chmod(0o644)
    folder.chmod(mode)
    child = os.fork()
    if child == 0:
        try:
            os.setuid(65534)
            with opened(path) as store:
                read = store.counts("main").documents == 1
                try:
                    store.delete_source("main", "a.txt")
                except StoreReadOnly:
                    os._exit(0 if read else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    shutil.rmtree(folder)


def test_a_writer_that_waits_in_vain_says_so(path: Path) -> None:
    with opened(path) as holder, opened(path, wait=0.2) as store:
        with holder._file.writing():
            with pytest.raises(StoreLocked):
                store.commit_document(bundle_of("b.txt", STATEMENTS))
            assert store.counts("main").documents == 1
        store.commit_document(bundle_of("b.txt", STATEMENTS))


def _documents_in(path: Path) -> None:
    with opened(path) as store:
        assert store.counts("main").documents == 1


def test_opening_a_store_twice_keeps_the_locks_of_the_first(path: Path) -> None:
    """Closing any descriptor of a file drops the locks its process has on it; another process may then end the log."""
    with opened(path) as store:
        store.commit_document(bundle_of("b.txt", STATEMENTS))
        store.delete_source("main", "b.txt")
        opened(path).close()
        verify(f"sqlite:///{path}")
        other = multiprocessing.get_context("spawn").Process(target=_documents_in, args=(path,))
        other.start()
        other.join()
        assert other.exitcode == 0
        assert path.with_name("trail.db-wal").exists()


def test_threads_share_a_store(path: Path) -> None:
    with opened(path) as store:
        threads = [
            threading.Thread(target=lambda n=n: store.commit_document(bundle_of(f"t{n}.txt", STATEMENTS)))
            for n in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.counts("main").documents == 7


def test_a_forked_process_opens_its_own_connection(path: Path) -> None:
    with opened(path) as store:
        store.counts("main")
        child = multiprocessing.get_context("fork").Process(
            target=lambda: store.commit_document(bundle_of("b.txt", STATEMENTS))
        )
        child.start()
        child.join()
        assert child.exitcode == 0
        store.commit_document(bundle_of("c.txt", STATEMENTS))
        assert store.counts("main").documents == 3


def test_a_closed_store_is_not_opened_again_by_chance(path: Path) -> None:
    store = opened(path)
    store.close()
    with pytest.raises(ValueError, match="closed"):
        store.counts("main")


def test_writers_that_make_one_store_at_once_make_one(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.kg.test_sqlite_file import *;"
        "s = opened(Path(sys.argv[1])); s.commit_document(bundle_of(sys.argv[2], STATEMENTS)); s.close()"
    )
    path = tmp_path / "trail.db"
    makers = [subprocess.Popen([sys.executable, "-c", script, str(path), f"{n}.txt"]) for n in range(4)]
    assert [maker.wait() for maker in makers] == [0] * 4
    with opened(path) as store:
        assert store.counts("main").documents == 4


def _write_forever(path: Path, begun: Event) -> None:
    with opened(path) as store:
        for number in range(10_000):
            store.commit_document(bundle_of(f"{number % 7}.txt", [*STATEMENTS, Statement(f"leak-{number}", "fire-1")]))
            begun.set()
            store.derive("main", ByName())


@pytest.mark.slow
def test_a_store_survives_being_killed_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "trail.db"
    spawned = multiprocessing.get_context("spawn")
    for turn in range(5):
        begun = spawned.Event()
        writer = spawned.Process(target=_write_forever, args=(path, begun))
        writer.start()
        assert begun.wait(60)
        time.sleep(0.13 * turn)
        assert writer.pid is not None
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        with opened(path) as store:
            store.derive("main", ByName())
            assert store.counts("main").documents > 0
            bundles = sorted(document.sources[0] for document in store.documents("main"))
            assert len(bundles) == len(set(bundles))
        assert verify(f"sqlite:///{path}").faults == ()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [mount or "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
    if mount is None or subprocess.run(command, check=False).returncode:
        pytest.skip("no right to mount a disk")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_loses_nothing_that_was_acknowledged(small_disk: Path) -> None:
    path = small_disk / "trail.db"
    done = 0
    with opened(path) as store:
        with pytest.raises(StoreFull):
            for number in range(10_000):
                store.commit_document(bundle_of(f"{number}.txt", STATEMENTS * 5, words=f"w{number} " * 500))
                done += 1
        assert done > 0
        assert store.counts("main").documents == done
    with opened(path) as store:
        assert store.counts("main").documents == done
    assert verify(f"sqlite:///{path}").faults == ()


def test_a_disk_without_room_for_a_store_says_so(small_disk: Path) -> None:
    with (small_disk / "filler").open("wb", buffering=0) as filler, pytest.raises(OSError):
        while True:
            filler.write(b"x" * 4096)
    with pytest.raises(StoreFull):
        opened(small_disk / "trail.db")
    (small_disk / "filler").unlink()
    with opened(small_disk / "trail.db") as store:
        store.commit_document(bundle_of("a.txt", STATEMENTS))


def test_a_page_that_another_program_wrote_is_an_error(path: Path) -> None:
    with opened(path) as store:
        truth = content(store)
    database = sqlite3.connect(path)
    database.execute("UPDATE claim SET quote = 'x' || substr(quote, 2)")
    database.commit()
    database.close()
    with opened(path) as store:
        with pytest.raises(StoreDamaged):
            content(store)
        assert truth
