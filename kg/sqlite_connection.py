"""The one place that speaks to SQLite: opens a store file, runs statements, and translates every error.

The file is opened through SQLite's checksum layer: each page carries a checksum that is compared on every read, so a
byte that changed on the disk, or a page that another program wrote, is an error and never a wrong answer. The log is
written ahead (WAL), so readers never wait for a writer; it is synchronised at every commit (`synchronous = FULL`),
because an acknowledged document has to survive a power cut.
"""

from __future__ import annotations

import contextlib
import os
import stat
import struct
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import apsw
import apsw.sqlite_extra

from causetrail.errors import (
    RecordInvalid,
    StoreDamaged,
    StoreFolderMissing,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreMissing,
    StoreNewer,
    StoreReadOnly,
)
from kg.record_tables import Row
from kg.schema import APPLICATION_ID, MIGRATIONS, READ_AS, RESERVED_BYTES, SCHEMA_VERSION

_CHECKSUM_LAYER = "cksmvfs"
_HEADER = struct.Struct(">16s 44x I 4x I")
_HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\x00"
_DISK_FULL_CODES = frozenset({apsw.SQLITE_IOERR_SHMSIZE})
_PAGE_CACHE_KIB = 16_384
_TRIES_PER_PAGE = 3
_PAGE_PAUSE_SECONDS = 0.01

_creating = threading.Lock()
_inherited: list[threading.local] = []
"""Connections that a forked process inherited: they must be neither used nor closed in it."""


class StoreFile:
    """A store file with one connection for each thread that uses it."""

    def __init__(
        self,
        path: Path,
        address: str,
        *,
        wait_seconds: float,
        read_only: bool,
        create: bool,
        checksums: bool = True,
    ) -> None:
        """Judges the file, makes it when it is missing or empty and `create` says so, and brings its schema up to date.

        Damage inside it is found by the first statement that reads the damaged page, not here.

        Args:
            checksums: Refuse damaged pages; without, they are read as far as they can be, to find out what they held,
                and the schema stays as it is.

        Raises:
            StoreMissing: there is none, and it is not to be made.
            StoreForeign: the file is something else; it is left as it is.
            StoreNewer: a newer program wrote it.
            StoreFolderMissing: it has to be made, and there is no folder for it.
            StoreReadOnly: it has to be made or migrated and cannot be written.
        """
        self.path = path
        self.address = address
        self.wait_seconds = wait_seconds
        self._checksums = checksums
        self._closed = False
        self._process = os.getpid()
        self._local = threading.local()
        self._connections: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        with self._translated():
            _register_checksum_layer()
            if create and not read_only:
                with _creating:
                    if not path.parent.is_dir():
                        raise StoreFolderMissing(path=str(path))
                    if _is_empty(path):
                        self._create()
            found = self._refuse_foreign()
            self.read_only = read_only or not _may_write(path)
        if found < SCHEMA_VERSION and checksums:
            self._migrate()

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """All rows of one statement."""
        with self._translated():
            try:
                return self._connection().execute(sql, tuple(parameters)).fetchall()
            except UnicodeEncodeError:
                if sql.startswith("SELECT"):
                    # A lone surrogate stands in no row, so nothing is found by it.
                    return []
                raise

    def run_many(self, sql: str, parameters: Iterable[Sequence[object]]) -> None:
        """Runs one statement for each row of parameters; only inside `writing`."""
        with self._translated():
            self._connection().executemany(sql, [tuple(row) for row in parameters])

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction of the calling thread; writers take turns. Ends in a commit, or in nothing at all.

        Raises:
            StoreLocked: another writer did not finish within the configured wait.
            StoreReadOnly: the file cannot be written.
            StoreFull: the disk is full; nothing was written.
        """
        if self.read_only:
            raise StoreReadOnly(path=str(self.path))
        with self._translated():
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with self._translated():
                connection.execute("COMMIT")
        except BaseException:
            # A full disk may have ended the transaction already.
            if connection.in_transaction:
                with self._translated():
                    connection.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """All reads of the calling thread see one state of the store; may be nested, also inside `writing`."""
        with self._translated():
            connection = self._connection()
            nested = connection.in_transaction
            if not nested:
                connection.execute("BEGIN")
                # A deferred transaction takes its snapshot at its first read.
                connection.execute("SELECT name FROM collection LIMIT 1").fetchall()
        try:
            yield
        finally:
            if not nested and connection.in_transaction:
                with self._translated():
                    connection.execute("COMMIT")

    def damaged_pages(self) -> list[int]:
        """Numbers, 1-based, of the pages of the file whose checksum is wrong, whether anything uses them or not."""
        with self._translated(), _raw(self.path) as file:
            connection = self._connection()
            size = int(connection.pragma("page_size"))
            found = []
            for offset in range(0, file.xFileSize() - size + 1, size):
                # A writer may be moving its log into the file just now: a page half moved is read again.
                for _ in range(_TRIES_PER_PAGE):
                    page = file.xRead(size, offset)
                    if connection.execute("SELECT verify_checksum(?)", (page,)).fetchall() == [(1,)]:
                        break
                    time.sleep(_PAGE_PAUSE_SECONDS)
                else:
                    found.append(offset // size + 1)
            return found

    def close(self) -> None:
        """Closes all connections. A connection that another thread is using closes when that thread ends."""
        self._closed = True
        if self._process != os.getpid():
            return
        for connection in list(self._connections):
            with contextlib.suppress(apsw.ThreadingViolationError), self._translated():
                connection.close()

    def _connection(self) -> apsw.Connection:
        if self._closed:
            raise ValueError("the store was closed")
        if self._process != os.getpid():
            _inherited.append(self._local)
            self._local = threading.local()
            self._connections = weakref.WeakSet()
            self._process = os.getpid()
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._open()
            self._local.connection = connection
            self._connections.add(connection)
        return connection

    def _open(self) -> apsw.Connection:
        if not self.read_only:
            return self._prepared(
                apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=_CHECKSUM_LAYER)
            )
        try:
            return self._prepared(apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READONLY, vfs=_CHECKSUM_LAYER))
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            # A folder that cannot be written has no room for the log's index. Without a log the file is all there is,
            # and can be read as a file that nobody changes; with one, that would leave out its last commits.
            log = self.path.with_name(self.path.name + "-wal")
            if log.exists() and log.stat().st_size:
                raise
            name = f"file:{quote(str(self.path))}?immutable=1"
            flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            return self._prepared(apsw.Connection(name, flags=flags, vfs=_CHECKSUM_LAYER))

    def _prepared(self, connection: apsw.Connection) -> apsw.Connection:
        connection.set_busy_timeout(max(1, int(self.wait_seconds * 1000)))
        if not self._checksums:
            connection.pragma("checksum_verification", "OFF")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        if self._checksums and str(connection.pragma("checksum_verification")) != "1":
            raise StoreDamaged(path=str(self.path), what="its pages carry no checksums")
        # The header may lag behind the log.
        found = connection.pragma("user_version")
        if found > SCHEMA_VERSION:
            raise StoreNewer(path=str(self.path), found=found, known=SCHEMA_VERSION)
        connection.pragma("synchronous", "FULL")
        connection.pragma("cache_size", -_PAGE_CACHE_KIB)
        connection.pragma("temp_store", "MEMORY")
        if not self._checksums:
            # Behind the pragma, which forgets what is temporary.
            for version in range(found + 1, SCHEMA_VERSION + 1):
                connection.execute(READ_AS.get(version, ""))
        return connection

    def _create(self) -> None:
        """Makes the file beside its place and moves it there, so that no one ever sees half a store."""
        import fcntl

        while True:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                held = os.fstat(descriptor)
                if not self.path.exists() or self.path.stat().st_ino != held.st_ino:
                    continue
                if held.st_size == 0:
                    beside = self.path.with_name(self.path.name + ".new")
                    try:
                        _write_empty_store(beside)
                        beside.chmod(stat.S_IMODE(held.st_mode))
                        # A log left by a store that was deleted would be played into the new one.
                        for part in ("-wal", "-shm"):
                            self.path.with_name(self.path.name + part).unlink(missing_ok=True)
                        beside.replace(self.path)
                    finally:
                        for part in ("", "-wal", "-shm", "-journal"):
                            beside.with_name(beside.name + part).unlink(missing_ok=True)
                return
            finally:
                os.close(descriptor)

    def _refuse_foreign(self) -> int:
        """Judges the file by its first bytes: opening a database of another program could already change it.

        Gives its schema version.
        """
        if not self.path.exists():
            raise StoreMissing(path=str(self.path), address=self.address)
        if not self.path.is_file():
            raise StoreForeign(path=str(self.path))
        size = self.path.stat().st_size
        if not size:
            raise StoreMissing(path=str(self.path), address=self.address)
        if size < _HEADER_BYTES:
            raise StoreForeign(path=str(self.path))
        with _raw(self.path) as file:
            header = file.xRead(_HEADER_BYTES, 0)
        magic, version, application = _HEADER.unpack_from(header)
        if magic != _MAGIC or application != APPLICATION_ID:
            raise StoreForeign(path=str(self.path))
        if version > SCHEMA_VERSION:
            raise StoreNewer(path=str(self.path), found=version, known=SCHEMA_VERSION)
        return int(version)

    def _migrate(self) -> None:
        with self.writing():
            found = self.rows("PRAGMA user_version")[0][0]
            for version in range(found, SCHEMA_VERSION):
                self.rows(MIGRATIONS[version])
                self.rows(f"PRAGMA user_version = {version + 1}")

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise self._translation(error) from error
        except UnicodeEncodeError as error:
            reason = "it holds a lone surrogate, which no text may hold"
            raise RecordInvalid(kind="record", id=ascii(error.object[:80]), reason=reason) from error
        except UnicodeDecodeError as error:
            raise StoreDamaged(path=str(self.path), what="it holds text that is not UTF-8") from error
        except OSError as error:
            if error.errno in {28, 122}:
                raise StoreFull(path=str(self.path)) from error
            raise StoreReadOnly(path=str(self.path)) from error

    def _translation(self, error: apsw.Error) -> Exception:
        path = str(self.path)
        extended = getattr(error, "extendedresult", 0)
        match error:
            case apsw.BusyError() | apsw.LockedError():
                return StoreLocked(path=path, seconds=f"{self.wait_seconds:g}")
            case apsw.FullError():
                return StoreFull(path=path)
            case apsw.IOError() if extended in _DISK_FULL_CODES:
                return StoreFull(path=path)
            case apsw.ReadOnlyError() | apsw.PermissionsError():
                return StoreReadOnly(path=path)
            case apsw.CantOpenError():
                missing = not self.path.exists()
                return StoreMissing(path=path, address=self.address) if missing else StoreReadOnly(path=path)
            case apsw.NotADBError():
                return StoreForeign(path=path)
            case apsw.IOError():
                return StoreDamaged(path=path, what="a page cannot be read, or its checksum is wrong")
            case apsw.CorruptError():
                return StoreDamaged(path=path, what="its structure is broken")
            case _:
                return StoreDamaged(path=path, what="it does not answer as its schema says")


def _register_checksum_layer() -> None:
    if _CHECKSUM_LAYER not in apsw.vfs_names():
        connection = apsw.Connection(":memory:")
        apsw.sqlite_extra.load(connection, "cksumvfs")
        connection.close()


@contextlib.contextmanager
def _raw(path: Path) -> Iterator[apsw.VFSFile]:
    """The bytes of a file, read through SQLite: closing it in any other way drops the locks this process has on it."""
    plain = next(name for name in apsw.vfs_names() if name != _CHECKSUM_LAYER)
    file = apsw.VFSFile(plain, str(path), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    try:
        yield file
    finally:
        file.xClose()


def _is_empty(path: Path) -> bool:
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def _may_write(path: Path) -> bool:
    """Whether the file is meant to be written; one without any write permission is not, even for an administrator."""
    any_write = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
    return bool(path.stat().st_mode & any_write) and os.access(path, os.W_OK)


def _write_empty_store(path: Path) -> None:
    for part in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + part).unlink(missing_ok=True)
    connection = apsw.Connection(str(path), vfs=_CHECKSUM_LAYER)
    try:
        connection.reserve_bytes(reserve=RESERVED_BYTES)
        connection.pragma("journal_mode", "wal")
        connection.execute("BEGIN IMMEDIATE")
        for script in MIGRATIONS:
            connection.execute(script)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    finally:
        connection.close()
