"""Examines a Neo4j server: the way to it, the server itself, and the graph on it."""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address
from urllib.parse import urlsplit

from causetrail.errors import (
    CausetrailError,
    DatabaseForeign,
    DatabaseMissing,
    DatabaseMixed,
    ServerAbsent,
    ServerLogin,
    ServerVersion,
    SettingInvalid,
    StoreAddress,
    StoreError,
    StoreNewer,
)
from kg.addresses import open_store
from kg.examination import Finding, State, collection_findings, failure, ok, warning
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_queries import LEASE
from kg.neo4j_schema import (
    LABELS,
    LEAST_VERSION,
    MIGRATIONS,
    SCHEMA_VERSION,
    made_by,
    refuse_foreign,
    refuse_old,
    schema_version,
    server_version,
)
from kg.neo4j_server import Neo4jServer, checked_address

BOLT_PORT = 7687
WEB_PORT = 7474
SYSTEM = "system"
"""The database at which a server tells of its others."""
LARGE_SKEW = 2.0
"""Seconds between two clocks that are worth telling."""
MIB = 2**20
LEAST_HEAP = 512 * MIB
LEAST_PAGE_CACHE = 128 * MIB
UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}

DATABASES = "SHOW DATABASES YIELD name, currentStatus, access RETURN name, currentStatus, access"
ADVERTISED = "SHOW DATABASES YIELD name, address WHERE name = $database RETURN address"
INDEXES = "SHOW INDEXES YIELD name, state, populationPercent RETURN name, state, populationPercent"
CLOCK = "RETURN datetime.realtime().epochMillis"
HEAP = """
CALL dbms.queryJmx('java.lang:type=Memory') YIELD attributes RETURN attributes.HeapMemoryUsage.value.properties.max
"""
PAGE_CACHE = "SHOW SETTINGS 'server.memory.pagecache.size' YIELD value RETURN value"
FOREIGN = "MATCH (n:{label}) WHERE n.collection IS NULL OR n.id IS NULL RETURN count(n)"
WRITE = "CREATE (n) RETURN count(n)"
"""Undone at once; shows whether the database takes writes."""
REACHED = "RETURN 1"


class _Undone(Exception):
    """Ends a transaction without a trace."""


def examine_server(address: str, access: Neo4jAccess, *, lease_seconds: float) -> Iterator[Finding]:
    """Everything about the server at an address, in order; ends at what keeps the rest from being reached."""
    try:
        examination = _Examination(checked_address(address), access, lease_seconds)
    except (StoreAddress, SettingInvalid) as error:
        yield failure("address", error.message, error.fix)
        return
    with contextlib.closing(examination):
        yield from examination.findings()


class _Examination:
    """The questions, in the order in which they can be asked.

    All but the one about routing go straight to the address, so that they are answered where routing does not work.
    """

    def __init__(self, uri: str, access: Neo4jAccess, lease_seconds: float) -> None:
        parts = urlsplit(uri)
        self._scheme, self._host, self._port = parts.scheme, str(parts.hostname), parts.port or BOLT_PORT
        self._direct = parts._replace(scheme=parts.scheme.replace("neo4j", "bolt")).geturl()
        self._uri = uri
        self._access = access
        self._lease_seconds = lease_seconds
        self._system = Neo4jServer(self._direct, replace(access, database=SYSTEM), wait_seconds=0.0)
        self._server = Neo4jServer(self._direct, access, wait_seconds=0.0)
        self._routed = Neo4jServer(uri, access, wait_seconds=0.0)

    def findings(self) -> Iterator[Finding]:
        """All of them."""
        for step in (self._address, self._name, self._answer, self._login, self._version, self._database):
            found = step()
            yield found
            if found.state is State.FAILURE:
                return
        for more in (self._writable, self._routing, self._clock, self._memory, self._plugins, self._graph):
            try:
                yield from more()
            except StoreError as error:
                yield failure(more.__name__.strip("_"), self._told(error).message, error.fix)

    def close(self) -> None:
        """Closes all connections."""
        for server in (self._system, self._server, self._routed):
            server.close()

    def _told(self, error: CausetrailError) -> CausetrailError:
        """The error with the address that the user gave, not with the one that was asked in its place."""
        return type(error)(**error.details | {"address": self._uri}) if "address" in error.details else error

    # The way to the server

    def _address(self) -> Finding:
        told = f"{self._scheme}://{self._host}:{self._port}"
        if self._scheme.endswith("+ssc"):
            advice = (
                f"Use {self._scheme.removesuffix('sc')} with a certificate that is signed, or named by neo4j_ca_file."
            )
            return warning("address", f"{told}, encrypted, but any certificate is accepted", advice)
        if self._scheme.endswith("+s"):
            return ok("address", f"{told}, encrypted")
        if _is_here(self._host):
            return ok("address", f"{told}, not encrypted, on this machine")
        advice = f"On a network that others share use {self._scheme}+s://, which needs a certificate at the server."
        return warning("address", f"{told}, not encrypted", advice)

    def _name(self) -> Finding:
        try:
            found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            advice = "Check the spelling. The name of a container is known to other containers only: from outside use "
            return failure(
                "name", f"{self._host} is not known here", advice + "localhost and the port that is published."
            )
        return ok("name", f"{self._host} is {', '.join(sorted({str(entry[4][0]) for entry in found}))}")

    def _answer(self) -> Finding:
        try:
            socket.create_connection((self._host, self._port), timeout=self._access.connect_seconds).close()
        except ConnectionRefusedError:
            advice = (
                f"Start the server, or correct the port: Bolt listens at {BOLT_PORT} unless it was set up otherwise."
            )
            return failure("port", f"nothing listens at {self._host}:{self._port}", advice)
        except OSError:
            seconds = f"{self._access.connect_seconds:g}"
            advice = "Check that the machine is up, and that no firewall stands between."
            return failure("port", f"{self._host}:{self._port} does not answer within {seconds} seconds", advice)
        return ok("port", f"{self._host}:{self._port} answers")

    def _login(self) -> Finding:
        try:
            self._system.rows(DATABASES)
        except ServerLogin as error:
            return failure("login", self._told(error).message, error.fix)
        except ServerAbsent as error:
            told = self._told(error).message
            if "+s" in self._scheme:
                advice = "Use neo4j:// when the server has no TLS, neo4j+ssc:// when it signed its certificate itself; "
                return failure("connection", told, advice + "or name the signing certificate in neo4j_ca_file.")
            advice = (
                f"Give the Bolt port, {BOLT_PORT} unless it was set up otherwise; {WEB_PORT} is the one for browsers. "
            )
            return failure("connection", told, advice + "A server that asks for TLS needs neo4j+s://.")
        except CausetrailError as error:
            return failure("login", self._told(error).message, error.fix)
        return ok("login", f"{self._access.user} is let in")

    # The server

    def _version(self) -> Finding:
        version, edition = server_version(self._system)
        try:
            refuse_old(self._system)
        except ServerVersion as error:
            return failure("version", error.message, error.fix)
        return ok("version", f"Neo4j {version} {edition} (needed is {'.'.join(map(str, LEAST_VERSION))} or later)")

    def _database(self) -> Finding:
        database = self._access.database
        found = {name: (status, access) for name, status, access in self._system.rows(DATABASES) if name != SYSTEM}
        if database not in found:
            error = DatabaseMissing(database=database, address=self._uri)
            return failure("database", f"{error.message} There are: {', '.join(sorted(found))}.", error.fix)
        status, access = found[database]
        if status != "online":
            return failure("database", f"{database} is {status}", f"Start it with: START DATABASE {database}")
        return ok("database", f"{database} is online, {access}")

    def _writable(self) -> Iterator[Finding]:
        def write() -> None:
            self._server.rows(WRITE)
            raise _Undone

        try:
            self._server.transact(write, lambda mark: None)
        except _Undone:
            yield ok("writable", f"{self._access.user} may write")

    def _routing(self) -> Iterator[Finding]:
        if self._scheme.startswith("bolt"):
            return
        try:
            self._routed.rows(REACHED)
        except StoreError:
            told = " and ".join(row[0] for row in self._system.rows(ADVERTISED, database=self._access.database))
            found = f"the addresses that the server hands out are not reached from here; it calls itself {told}"
            direct = f"{self._scheme.replace('neo4j', 'bolt')}://{self._host}:{self._port}"
            advice = f"Use {direct}, or set server.bolt.advertised_address at the server to what is reached from here."
            yield failure("routing", found, advice)
        else:
            yield ok("routing", "the address that the server hands out is reached")

    def _clock(self) -> Iterator[Finding]:
        before = time.time()
        server = self._server.rows(CLOCK)[0][0] / 1000
        skew = server - (before + time.time()) / 2
        told = f"the server's clock is {abs(skew):.1f} s {'ahead' if skew > 0 else 'behind'}"
        if abs(skew) > LARGE_SKEW:
            advice = (
                f"Set the clocks by the network. From {self._lease_seconds:g} s (lease_seconds) on, two machines that "
                "derive the same collection take the work out of each other's hands."
            )
            yield warning("clock", told, advice)
        else:
            yield ok("clock", told)

    def _memory(self) -> Iterator[Finding]:
        heap = int((self._server.rows(HEAP) or [(0,)])[0][0] or 0)
        # Java leaves a part of what it was given out of what it tells.
        if 0 < heap < LEAST_HEAP * 0.9:
            advice = f"Set server.memory.heap.max_size at the server to {LEAST_HEAP // MIB}m or more."
            yield warning("memory", f"{heap // MIB} MiB of heap", advice)
        elif heap:
            yield ok("memory", f"{heap // MIB} MiB of heap")
        cache = _bytes(str((self._server.rows(PAGE_CACHE) or [("",)])[0][0]))
        if 0 < cache < LEAST_PAGE_CACHE:
            advice = (
                f"Set server.memory.pagecache.size at the server to {LEAST_PAGE_CACHE // MIB}m, or to the graph's size."
            )
            yield warning("memory", f"{cache // MIB} MiB of page cache", advice)
        elif cache:
            yield ok("memory", f"{cache // MIB} MiB of page cache")

    def _plugins(self) -> Iterator[Finding]:
        yield ok("plugins", "none is needed, neither APOC nor GDS")

    # The graph

    def _graph(self) -> Iterator[Finding]:
        version = schema_version(self._server)
        if version > SCHEMA_VERSION:
            error = StoreNewer(path=self._uri, found=version, known=SCHEMA_VERSION)
            yield failure("schema", error.message, error.fix)
            return
        if not version:
            try:
                refuse_foreign(self._server, adopt=False)
            except (DatabaseForeign, DatabaseMixed) as error:
                yield failure("schema", error.message, error.fix)
            else:
                yield ok("schema", "none yet; the first ingest or copy makes it")
            return
        if version < SCHEMA_VERSION:
            advice = "The next ingest brings it up to date."
            yield warning("schema", f"version {version}; this program writes version {SCHEMA_VERSION}", advice)
        else:
            yield ok("schema", f"version {version}")
        yield from self._indexes(version)
        yield from self._foreign_nodes()
        with open_store(
            self._direct, wait_seconds=0.0, lease_seconds=self._lease_seconds, access=self._access
        ) as store:
            yield from collection_findings(store, self._lease)

    def _indexes(self, version: int) -> Iterator[Finding]:
        found = {name: (state, percent) for name, state, percent in self._server.rows(INDEXES)}
        statements = [statement for statements in MIGRATIONS[:version] for statement in statements]
        whole = True
        for statement in statements:
            name = made_by(statement)
            state, percent = found.get(name, ("missing", 0.0))
            if state == "ONLINE":
                continue
            whole = False
            if state == "POPULATING":
                yield warning(
                    "indexes", f"{name} is {percent:.0f} percent filled", "Wait; until then searching is slow."
                )
            else:
                again = f"DROP INDEX {name}; then run " if state == "FAILED" else "Run at the server: "
                yield failure("indexes", f"{name} is {state.lower()}", f"{again}{statement}")
        if whole:
            yield ok("indexes", f"all {len(statements)} constraints and indexes are there and online")

    def _foreign_nodes(self) -> Iterator[Finding]:
        for label in LABELS:
            count = self._server.rows(FOREIGN.format(label=label))[0][0]
            if count:
                advice = "They are left alone. Give them a database of their own when they are in the way in Cypher."
                yield warning("nodes", f"{count} of the label {label} are of another program", advice)

    def _lease(self, collection: str) -> tuple[str, float] | None:
        rows = self._server.rows(LEASE, collection=collection)
        return (str(rows[0][0]), float(rows[0][1])) if rows else None


def _is_here(host: str) -> bool:
    """Whether a host is this machine, by its name alone."""
    with contextlib.suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def _bytes(told: str) -> int:
    """A size as the server writes it, `64.00MiB` for example; 0 when it tells none."""
    match = re.fullmatch(r"([\d.]+)\s*([kmgt]?)i?b?", told.strip().lower())
    return int(float(match[1]) * UNITS[match[2]]) if match else 0
