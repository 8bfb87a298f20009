"""The one place that speaks to a Neo4j server: connects, runs transactions, and translates every error."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import ssl
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import urlsplit

import neo4j
from neo4j import exceptions

from causetrail.errors import (
    DatabaseMissing,
    RecordInvalid,
    ServerAbsent,
    ServerBusy,
    ServerLogin,
    ServerLost,
    ServerReadOnly,
    ServerRefused,
    StoreError,
    StoreLocked,
)
from kg.addresses import not_an_address
from kg.neo4j_access import Neo4jAccess
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

_READ_ONLY_CODES = (
    "Neo.ClientError.Cluster.NotALeader",
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase",
    "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase",
)
_TOO_SLOW_CODES = (
    "Neo.ClientError.Transaction.TransactionTimedOut",
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
    "Neo.TransientError.Transaction.LockAcquisitionTimeout",
    "Neo.ClientError.Transaction.LockClientStopped",
    "Neo.TransientError.Transaction.LockClientStopped",
)
_UNAVAILABLE_CODES = (
    "Neo.TransientError.General.DatabaseUnavailable",
    "Neo.TransientError.Database.DatabaseUnavailable",
    "Neo.ClientError.Database.DatabaseUnavailable",
)


class Neo4jServer:
    """One database of one server. Safe to use from threads; in a forked process it connects anew."""

    def __init__(self, address: str, access: Neo4jAccess, *, wait_seconds: float) -> None:
        """Nothing is connected yet.

        Args:
            wait_seconds: How long work is tried again while the server is away or another writer is in the way.

        Raises:
            StoreAddress: the address has no form of a server's, or holds a user, a password, a path or a query.
        """
        self._uri = checked_address(address)
        self.address = address
        self.access = access
        self.wait_seconds = wait_seconds
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
            if self._driver is None:
                self._driver = self._connect()
            return self._driver

    def session(self, access_mode: str = neo4j.READ_ACCESS) -> neo4j.Session:
        """A session on the database that sees all that this process has committed."""
        driver = self.driver
        return driver.session(
            database=self.access.database,
            default_access_mode=access_mode,
            bookmark_manager=driver.execute_query_bookmark_manager,
        )

    def bookmarks(self) -> neo4j.Bookmarks:
        """Marks of all that this process has committed, for a session of another driver that is to see it."""
        return neo4j.Bookmarks.from_raw_values(self.driver.execute_query_bookmark_manager.get_bookmarks())

    def rows(self, query: str, **parameters: object) -> list[Row]:
        """All rows of one statement: in the calling thread's transaction, else in one of its own that only reads."""
        transaction: neo4j.ManagedTransaction | None = getattr(self._local, "transaction", None)
        if transaction is not None:
            return _run(transaction, query, parameters)
        with self.translated():
            try:
                # A transaction that the server makes for one statement takes one round trip instead of three.
                with self.session() as session:
                    timed = neo4j.Query(query, timeout=self.access.transaction_seconds)
                    return self._done(_run(session, timed, parameters))
            except (exceptions.Neo4jError, exceptions.DriverError) as error:
                # A server that was never reached is more likely misnamed than away for a moment.
                if not self._reached or not error.is_retryable():
                    raise
            with self.session() as session:
                return self._done(session.execute_read(self._limited(lambda tx: _run(tx, query, parameters))))

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
            begin: Called first in each attempt with the mark to leave; gives the mark that was found.
        """
        if self.in_transaction:
            return work()
        mark = secrets.token_hex(8)
        results: list[T] = []

        def attempt(transaction: neo4j.ManagedTransaction) -> T:
            self._local.transaction = transaction
            try:
                if begin(mark) != mark or not results:
                    results[:] = [work()]
                return results[0]
            finally:
                self._local.transaction = None

        limited = self._limited(attempt)
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
        try:
            yield
        except (exceptions.Neo4jError, exceptions.DriverError) as error:
            raise self._translation(error) from error
        except UnicodeEncodeError as error:
            reason = "it holds a lone surrogate, which no text may hold"
            raise RecordInvalid(kind="record", id=ascii(error.object[:80]), reason=reason) from error
        except OSError as error:
            raise ServerAbsent(address=self.address, reason="the connection cannot be made") from error

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
        if access.ca_file is not None and urlsplit(uri).scheme.endswith("+s"):
            # The driver takes certificates of one's own only beside an address that says nothing of them.
            uri = uri.replace("+s://", "://", 1)
            settings = {"encrypted": True, "trusted_certificates": neo4j.TrustCustomCAs(access.ca_file)}
        return uri, settings | {
            "auth": (access.user, access.password) if access.password is not None else None,
            "max_connection_pool_size": access.pool,
            "connection_timeout": access.connect_seconds,
            "connection_acquisition_timeout": access.connect_seconds + self.wait_seconds,
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
            except (ssl.SSLError, FileNotFoundError) as error:
                reason = f"the certificates in {self.access.ca_file} cannot be used"
                raise ServerAbsent(address=self.address, reason=reason) from error

    def _translation(self, error: exceptions.Neo4jError | exceptions.DriverError) -> StoreError:
        if isinstance(error, exceptions.DriverError):
            return self._driver_translation(error)
        code = error.code or ""
        match error:
            case exceptions.AuthError():
                limited = code.endswith("AuthenticationRateLimit")
                reason = "too many wrong attempts; wait a little" if limited else "user or password is wrong"
                return ServerLogin(address=self.address, user=self.access.user, reason=reason)
            case exceptions.Forbidden():
                reason = f"the user {self.access.user} may not"
                return ServerReadOnly(address=self.address, database=self.access.database, reason=reason)
        if code.endswith(".CredentialsExpired"):
            reason = "the password has to be changed first (at the server: ALTER CURRENT USER SET PASSWORD)"
            return ServerLogin(address=self.address, user=self.access.user, reason=reason)
        if code in _READ_ONLY_CODES or isinstance(
            error, exceptions.NotALeader | exceptions.ForbiddenOnReadOnlyDatabase
        ):
            return ServerReadOnly(address=self.address, database=self.access.database, reason="it is a read replica")
        if code.endswith(".DatabaseNotFound"):
            return DatabaseMissing(database=self.access.database, address=self.address)
        if code in _UNAVAILABLE_CODES:
            return ServerAbsent(address=self.address, reason=f"its database {self.access.database} is not started")
        if code in _TOO_SLOW_CODES:
            return StoreLocked(path=self.address, seconds=f"{self.access.transaction_seconds:g}")
        if "OutOfMemory" in code or code.endswith(".OutOfMemoryError"):
            return ServerBusy(address=self.address, reason="its memory is used up")
        if code.startswith("Neo.TransientError."):
            return ServerBusy(address=self.address, reason="other work was in the way")
        if code.endswith("ConstraintValidationFailed"):
            return ServerRefused(address=self.address, reason="two nodes would have the same id")
        return ServerRefused(address=self.address, reason=f"status {code or 'unknown'}")

    def _driver_translation(self, error: exceptions.DriverError) -> StoreError:
        match error:
            case exceptions.WriteServiceUnavailable():
                reason = "no member that takes writes is to be found"
                return ServerReadOnly(address=self.address, database=self.access.database, reason=reason)
            case exceptions.UnsupportedServerProduct():
                return ServerAbsent(
                    address=self.address, reason="what answers there is no Neo4j server of a known version"
                )
            case exceptions.ConfigurationError():
                return not_an_address(self.address)
            case exceptions.ServiceUnavailable() | exceptions.SessionExpired() if self._reached:
                return ServerLost(address=self.address, seconds=f"{self.wait_seconds:g}")
            case exceptions.ServiceUnavailable():
                return ServerAbsent(address=self.address, reason=_why_unreachable(error))
            case _:
                return ServerRefused(address=self.address, reason="the connection is in no state to be used")


def checked_address(address: str) -> str:
    """The address for the driver.

    Raises:
        StoreAddress: it has no form of a server's, or holds a user, a password, a path or a query.
    """
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise not_an_address(address) from None
    extra = parts.username is not None or parts.path.strip("/") or parts.query or parts.fragment
    if parts.scheme not in SCHEMES or not parts.hostname or extra or port == 0 or not address.isprintable():
        raise not_an_address(address)
    return address.rstrip("/")


def _run(runner: neo4j.ManagedTransaction | neo4j.Session, query: Any, parameters: dict[str, object]) -> list[Row]:
    return [tuple(record.values()) for record in runner.run(query, parameters)]


def _why_unreachable(error: BaseException) -> str:
    """What kept the connection from being made, from the chain of causes."""
    cause: BaseException | None = error
    while cause is not None:
        match cause:
            case ssl.SSLError():
                return "its certificate or its TLS cannot be used"
            case ConnectionRefusedError():
                return "nothing listens on that port"
            case TimeoutError():
                return "it does not answer in time"
        cause = cause.__cause__ or cause.__context__
    told = str(error)
    if "looks like HTTP" in told or "handshake" in told.lower():
        return "what answers there does not speak Bolt"
    return "its name is unknown" if "DNS resolve" in told else "it cannot be reached"
