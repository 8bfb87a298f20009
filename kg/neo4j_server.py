"""The one place that speaks to a Neo4j server: connects, runs transactions, and translates every error."""

from __future__ import annotations

import contextlib
import logging
import math
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import urlsplit

import neo4j
from neo4j import exceptions

from causetrail.errors import RecordInvalid, ServerAbsent, ServerBusy, SettingInvalid, StoreError
from kg.addresses import not_an_address
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_errors import Translator, out_of_limit
from kg.neo4j_turns import STOP_WAITING, TURN, TurnWatch
from kg.neo4j_waits import NoAnswerError, bounded
from kg.record_tables import Row

T = TypeVar("T")

# Without a handler of its own the driver's warnings would go to standard error.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
"""What an address of a server may start with; `+s` is TLS, `+ssc` is TLS with any certificate."""

FETCH = 20_000
"""Rows that the server sends before it is asked for more."""

UNCERTAIN_COMMITS = 3
"""How often a transaction is asked for again when the connection went while it was being committed."""

PROMPT_SECONDS = 3.0
"""How long a reader that is not to wait tries again to reach a server that went away."""

FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.2, 1.0
"""Between two attempts to read; each pause is twice the one before."""

IDLE_SECONDS = 5.0
"""A connection that was idle for so long is tried before it is used: the server may have gone meanwhile."""


class Neo4jServer:
    """One database of one server. Safe to use from threads; in a forked process it connects anew."""

    def __init__(self, address: str, access: Neo4jAccess, *, wait_seconds: float) -> None:
        """Nothing is connected yet.

        Args:
            wait_seconds: How long a writer waits for its turn, and how long work is tried again while the server is
                away.

        Raises:
            StoreAddress: the address has no form of a server's, or holds a user, a password, a path or a query.
            SettingInvalid: certificates are given, and no certificate would be checked.
        """
        self._uri = checked_address(address)
        if access.ca_file is not None and not urlsplit(address).scheme.endswith("+s"):
            reason = "only an address that begins with neo4j+s:// or bolt+s:// has the server's certificate checked"
            raise SettingInvalid(name="neo4j_ca_file", value=repr(access.ca_file), reason=reason)
        self.address = address
        self.access = access
        self.wait_seconds = wait_seconds
        self._translator = Translator(address, access)
        self._watch = self._make_watch()
        self._lock = threading.Lock()
        self._local = threading.local()
        self._driver: neo4j.Driver | None = None
        self._process = os.getpid()
        self._reached = False
        self._closed = False

    @property
    def driver(self) -> neo4j.Driver:
        """The driver, made when it is first needed."""
        with self._lock:
            if self._closed:
                raise ValueError("the store was closed")
            if self._process != os.getpid():
                self._driver, self._local, self._process = None, threading.local(), os.getpid()
                self._watch = self._make_watch()
            if self._driver is None:
                self._driver = self._connect()
            return self._driver

    def session(self, access_mode: str = neo4j.READ_ACCESS) -> neo4j.Session:
        """A session on the database that sees all that this process has committed or has begun to see.

        A commit becomes visible piece by piece. The marks that all sessions share end that for the next statement: it
        waits until all that was committed when the last one ended can be seen whole.
        """
        driver = self.driver
        return driver.session(
            database=self.access.database,
            default_access_mode=access_mode,
            bookmark_manager=driver.execute_query_bookmark_manager,
        )

    @property
    def _patience(self) -> float:
        """How long the calling thread tries again to read, in seconds."""
        return min(PROMPT_SECONDS, self.wait_seconds) if getattr(self._local, "prompt", False) else self.wait_seconds

    @contextlib.contextmanager
    def prompt(self, answer_seconds: float | None = None) -> Iterator[None]:
        """What the calling thread reads inside is tried again for seconds only when the server went away.

        Args:
            answer_seconds: Longest time that one statement may take; as long as outside when not given.
        """
        local = self._local
        outer = getattr(local, "prompt", False), getattr(local, "answer_seconds", None)
        local.prompt, local.answer_seconds = True, outer[1] if answer_seconds is None else answer_seconds
        try:
            yield
        finally:
            local.prompt, local.answer_seconds = outer

    @contextlib.contextmanager
    def noting(self) -> Iterator[set[str]]:
        """Gives the set of the collections that the calling thread has read inside so far."""
        read: set[str] = set()
        self._local.read = read
        try:
            yield read
        finally:
            self._local.read = None

    def bookmarks(self) -> neo4j.Bookmarks:
        """Marks of all that this process has committed, for a session of another driver that is to see it."""
        return neo4j.Bookmarks.from_raw_values(self.driver.execute_query_bookmark_manager.get_bookmarks())

    def rows(self, query: str, **parameters: object) -> list[Row]:
        """All rows of one statement: in the calling thread's transaction, else in one of its own that only reads."""
        transaction: neo4j.ManagedTransaction | None = getattr(self._local, "transaction", None)
        if transaction is not None:
            return _run(transaction, query, parameters)
        read: set[str] | None = getattr(self._local, "read", None)
        if read is not None and isinstance(collection := parameters.get("collection"), str):
            read.add(collection)
        with self.translated():
            end, pause = math.inf, FIRST_PAUSE_SECONDS
            while True:
                try:
                    return self._in_time(lambda: self._in_own_transaction(query, **parameters))
                except (exceptions.Neo4jError, exceptions.DriverError) as error:
                    now = time.monotonic()
                    end = min(end, now + self._patience)
                    # A server that was never reached is more likely misnamed than away for a moment.
                    if not self._reached or not error.is_retryable() or now + pause > end:
                        raise
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _in_own_transaction(self, query: str, **parameters: object) -> list[Row]:
        """Rows of a statement in a transaction that the server makes for it, in one round trip instead of three."""
        with self.session() as session:
            timed = neo4j.Query(query, timeout=self.access.transaction_seconds)
            return self._done(_run(session, timed, parameters))

    def _in_time(self, work: Callable[[], T]) -> T:
        """What the work gives; a server that hangs is not waited for longer than the calling thread may."""
        seconds: float | None = getattr(self._local, "answer_seconds", None)
        if seconds is None:
            return work()
        try:
            return bounded(work, seconds)
        except NoAnswerError:
            reason = f"it has given no answer for {seconds:g} seconds"
            raise ServerBusy(address=self.address, reason=reason) from None

    def stream(self, query: str, **parameters: object) -> Iterator[Row]:
        """Rows of one reading statement as they come, without a time limit and without a second attempt."""
        with self.translated(), self.session() as session:
            for record in session.run(query, parameters):
                yield tuple(record.values())

    @property
    def in_transaction(self) -> bool:
        """Whether the calling thread is inside `transact`."""
        return getattr(self._local, "transaction", None) is not None

    def transact(self, work: Callable[[], T], begin: Callable[[str], str | None]) -> T:
        """Does the work in one write transaction, and again when the server asks for it or goes away in between.

        When the connection is lost during a commit nobody knows whether it was done, so each transaction leaves a mark
        that the next attempt finds.

        Args:
            work: Runs its statements with `rows`.
            begin: Called first in each attempt with the mark to leave, to wait for the turn; gives the mark if it was
                found, which tells that an earlier attempt was committed.

        Raises:
            StoreLocked: another writer held the turn for longer than the wait.
        """
        if self.in_transaction:
            return work()
        mark = secrets.token_hex(8)
        results: list[T] = []

        def attempt(transaction: neo4j.ManagedTransaction) -> T:
            self._local.transaction = transaction
            try:
                with self._watch.waiting(mark):
                    found = begin(mark)
                if found != mark or not results:
                    results[:] = [work()]
                return results[0]
            except exceptions.Neo4jError as error:
                # The driver would do the same work again and again.
                if out_of_limit(error):
                    raise self._translated(error) from error
                raise
            finally:
                self._local.transaction = None

        seconds = self.wait_seconds + self.access.transaction_seconds
        limited = neo4j.unit_of_work(metadata={TURN: mark}, timeout=seconds)(attempt)
        with self.translated():
            for left in reversed(range(UNCERTAIN_COMMITS)):
                try:
                    with self.session(neo4j.WRITE_ACCESS) as session:
                        return self._done(session.execute_write(limited))
                except exceptions.IncompleteCommit:
                    if not left:
                        raise
        raise AssertionError("unreachable")

    def execute(self, query: str) -> None:
        """Runs one statement that changes the schema, in a transaction of its own."""
        with self.translated(), self.session(neo4j.WRITE_ACCESS) as session:
            self._done(session.execute_write(self._limited(lambda tx: tx.run(query).consume())))

    def close(self) -> None:
        """Closes all connections."""
        with self._lock:
            driver, self._driver, self._closed = self._driver, None, True
        if driver is not None and self._process == os.getpid():
            driver.close()

    @contextlib.contextmanager
    def translated(self) -> Iterator[None]:
        """Turns what the driver raises into coded errors."""
        begin = time.monotonic()
        try:
            yield
        except (exceptions.Neo4jError, exceptions.DriverError) as error:
            raise self._translated(error, time.monotonic() - begin) from error
        except UnicodeEncodeError as error:
            reason = "it holds a lone surrogate, which no text may hold"
            raise RecordInvalid(kind="record", id=ascii(error.object[:80]), reason=reason) from error

    def _translated(self, error: exceptions.Neo4jError | exceptions.DriverError, seconds: float = 0.0) -> StoreError:
        return self._translator.translate(error, reached=self._reached, seconds=seconds)

    def _make_watch(self) -> TurnWatch:
        return TurnWatch(
            self.address, self.wait_seconds, lambda mark: self._in_own_transaction(STOP_WAITING, mark=mark)
        )

    def _limited(self, work: Callable[[neo4j.ManagedTransaction], T]) -> Callable[[neo4j.ManagedTransaction], T]:
        return neo4j.unit_of_work(timeout=self.access.transaction_seconds)(work)

    def _done(self, result: T) -> T:
        self._reached = True
        return result

    def connection(self) -> tuple[str, dict[str, Any]]:
        """The address for a driver, and the settings that every driver of this server is made with."""
        access = self.access
        settings: dict[str, Any] = {}
        uri = self._uri
        if access.ca_file is not None:
            # The driver takes certificates of one's own only beside an address that says nothing of them.
            uri = uri.replace("+s://", "://", 1)
            settings = {"encrypted": True, "trusted_certificates": neo4j.TrustCustomCAs(access.ca_file)}
        return uri, settings | {
            "auth": (access.user, access.password) if access.password is not None else None,
            "max_connection_pool_size": access.pool,
            "connection_timeout": access.connect_seconds,
            "connection_acquisition_timeout": access.connect_seconds + self.wait_seconds,
            "liveness_check_timeout": IDLE_SECONDS,
            "max_transaction_retry_time": self.wait_seconds,
            "notifications_min_severity": neo4j.NotificationMinimumSeverity.OFF,
            "warn_notification_severity": neo4j.NotificationMinimumSeverity.OFF,
            "telemetry_disabled": True,
            "user_agent": "causetrail",
        }

    def _connect(self) -> neo4j.Driver:
        with self.translated():
            try:
                uri, settings = self.connection()
                return neo4j.GraphDatabase.driver(uri, **settings)
            except OSError as error:
                reason = f"the certificates in {self.access.ca_file} cannot be used"
                raise ServerAbsent(address=self.address, reason=reason) from error


def checked_address(address: str) -> str:
    """The address for the driver.

    Raises:
        StoreAddress: it has no form of a server's, or holds a user, a password, a path or a query.
    """
    try:
        parts = urlsplit(address)
        port = parts.port
        # The name is encoded so to be looked up; an empty label or one of 64 characters or more cannot be.
        (parts.hostname or "").encode("idna")
    except ValueError:
        raise not_an_address(address) from None
    extra = parts.username is not None or parts.path.strip("/") or parts.query or parts.fragment
    if parts.scheme not in SCHEMES or not parts.hostname or extra or port == 0 or not address.isprintable():
        raise not_an_address(address)
    return address.rstrip("/")


def _run(runner: neo4j.ManagedTransaction | neo4j.Session, query: Any, parameters: dict[str, object]) -> list[Row]:
    return [tuple(record.values()) for record in runner.run(query, parameters)]
