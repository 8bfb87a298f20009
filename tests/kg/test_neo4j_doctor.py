from __future__ import annotations

import contextlib
import http.server
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest

from kg.doctor import DoctorReport, examine
from kg.examination import Finding, State
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_schema import MIGRATIONS
from kg.neo4j_store import Neo4jStore
from tests.conformance.material import ByName, Statement, bundle_of
from tests.neo4j.process import Neo4jServerProcess
from tests.neo4j.server import Neo4jTestServer
from tests.neo4j.starting import new_server, skip_unless_required

pytestmark = pytest.mark.neo4j


def report_of(address: str, access: Neo4jAccess) -> DoctorReport:
    report = examine(address, access, lease_seconds=10.0)
    assert report.healthy == all(finding.state is not State.FAILURE for finding in report.findings)
    for finding in report.findings:
        assert bool(finding.advice) == (finding.state is not State.OK)
        assert access.password is None or access.password not in finding.found + finding.advice
    return report


def last_failure(address: str, access: Neo4jAccess) -> Finding:
    """The failure that an examination ends at."""
    report = report_of(address, access)
    assert [finding.check for finding in report.findings if finding.state is State.FAILURE] == [
        report.findings[-1].check
    ]
    return report.findings[-1]


def found(report: DoctorReport, check: str) -> list[Finding]:
    return [finding for finding in report.findings if finding.check == check]


def test_a_server_in_order_passes(server_store: Neo4jStore, server_access: Neo4jAccess) -> None:
    server_store.commit_document(bundle_of("a.txt", [Statement("leak-1", "fire-1")]))
    server_store.derive("main", ByName())
    server_store.commit_document(bundle_of("b.txt", [Statement("storm-1", "fire-2")], collection="other"))
    before = server_store.generation("main"), server_store.generation("other")
    report = report_of(server_store.address, server_access)
    assert report.healthy
    checks = ["address", "name", "port", "login", "version", "database", "writable", "routing", "clock", "memory"]
    assert [finding.check for finding in report.findings][: len(checks)] == checks
    assert "5.26" in found(report, "version")[0].found and "community" in found(report, "version")[0].found
    assert "all 21" in found(report, "indexes")[0].found
    assert "main: 1 document(s), 2 event(s), 1 edge(s)" in found(report, "collections")[0].found
    (waiting,) = found(report, "derivation")
    assert waiting.state is State.WARNING and waiting.found.startswith("other: 2 block(s) wait")
    assert (server_store.generation("main"), server_store.generation("other")) == before
    assert server_store.server.rows("MATCH (n) WHERE size(labels(n)) = 0 RETURN count(n)") == [(0,)]


def test_a_server_without_a_graph_passes(neo4j_server: Neo4jTestServer, server_access: Neo4jAccess) -> None:
    neo4j_server.wipe(schema=True)
    report = report_of(neo4j_server.address, server_access)
    assert report.healthy
    assert found(report, "schema")[0].found.startswith("none yet")
    bolt = neo4j_server.address.replace("neo4j://", "bolt://")
    assert found(report_of(bolt, server_access), "routing") == []


@pytest.mark.parametrize("password", ["a wrong password", None])
def test_a_wrong_password_is_told_and_not_shown(
    neo4j_server: Neo4jTestServer, server_access: Neo4jAccess, password: str | None
) -> None:
    finding = last_failure(neo4j_server.address, replace(server_access, password=password))
    assert finding.check == "login"
    assert ("no password was given" if password is None else "user or password is wrong") in finding.found
    assert neo4j_server.address in finding.found
    assert "CAUSETRAIL_NEO4J_PASSWORD" in finding.advice


def test_a_database_that_is_not_there_is_told_with_those_that_are(
    neo4j_server: Neo4jTestServer, server_access: Neo4jAccess
) -> None:
    finding = last_failure(neo4j_server.address, replace(server_access, database="absent"))
    assert finding.check == "database"
    assert "There are: neo4j." in finding.found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    ("address", "check"),
    [
        ("neo4j://no-such-host.invalid:7687", "name"),
        ("neo4j://user:secret@localhost:7687", "address"),
        ("neo4j://user:secret", "address"),
        ("neo4j://localhost:99999", "address"),
        ("neo5j://localhost", "address"),
        ("bolt://", "address"),
        ("neo4j://localhost/db", "address"),
    ],
)
def test_an_address_that_leads_nowhere_is_told(address: str, check: str) -> None:
    finding = last_failure(address, Neo4jAccess(password="secret"))
    assert finding.check == check
    assert "secret" not in examine(address, Neo4jAccess(), lease_seconds=1.0).address


def test_an_absent_server_is_told() -> None:
    assert last_failure(f"neo4j://127.0.0.1:{free_port()}", Neo4jAccess()).check == "port"


def test_a_web_server_is_no_graph(neo4j_server: Neo4jTestServer, server_access: Neo4jAccess) -> None:
    access = replace(server_access, connect_seconds=2.0)
    finding = last_failure(f"neo4j://127.0.0.1:{neo4j_server.http_port}", access)
    assert finding.check == "connection"
    assert "does not speak Bolt" in finding.found and "7687" in finding.advice
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            assert last_failure(f"bolt://127.0.0.1:{server.server_port}", access).check == "connection"
        finally:
            server.shutdown()


@contextmanager
def answering(reply: bytes) -> Iterator[int]:
    """A program that gives every caller the same bytes and listens no further; its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    caller, _ = server.accept()
                except OSError:
                    return
                caller.sendall(reply)
                held.append(caller)

        threading.Thread(target=serve, daemon=True).start()
        yield int(server.getsockname()[1])
        for caller in held:
            caller.close()


@pytest.mark.parametrize("reply", [b"", b"SSH-2.0-OpenSSH_9.6\r\n", b"\x00\x00\x00\x00", b"\xff" * 64])
def test_a_program_that_speaks_something_else_ends_the_examination(reply: bytes) -> None:
    with answering(reply) as port:
        finding = last_failure(f"neo4j://127.0.0.1:{port}", Neo4jAccess(password="secret", connect_seconds=1.0))
    assert finding.check in ("connection", "login")


@pytest.mark.parametrize("scheme", ["neo4j+s", "bolt+ssc"])
def test_tls_that_the_server_does_not_speak_is_told(
    neo4j_server: Neo4jTestServer, server_access: Neo4jAccess, scheme: str
) -> None:
    finding = last_failure(f"{scheme}://127.0.0.1:{neo4j_server.bolt_port}", server_access)
    assert finding.check == "connection"
    assert "TLS" in finding.found


def test_missing_and_foreign_parts_of_the_graph_are_named(server_store: Neo4jStore, server_access: Neo4jAccess) -> None:
    dropped = next(statement for statement in MIGRATIONS[0] if "causetrail_event_kind" in statement)
    server_store.server.execute("DROP INDEX causetrail_event_kind")
    try:
        server_store.server.execute("CREATE (:Event {theirs: true})")
        report = report_of(server_store.address, server_access)
        (index,) = found(report, "indexes")
        assert (index.state, index.found) == (State.FAILURE, "causetrail_event_kind is missing")
        assert dropped in index.advice
        (foreign,) = found(report, "nodes")
        assert foreign.found.startswith("1 of the label Event")
    finally:
        server_store.server.execute(dropped)
    server_store.server.execute("MATCH (m:Meta {collection: '', id: 'schema'}) SET m.version = 99")
    report = report_of(server_store.address, server_access)
    assert found(report, "schema")[0].state is State.FAILURE
    server_store.server.execute("MATCH (m:Meta {collection: '', id: 'schema'}) DELETE m")
    report = report_of(server_store.address, server_access)
    assert "share this one with --adopt" in found(report, "schema")[0].advice
    server_store.server.execute("CREATE (:Event {collection: 'main', id: 'theirs'})")
    report = report_of(server_store.address, server_access)
    assert "1 of the label Event have the properties collection and id" in found(report, "schema")[0].found


def test_who_derives_is_told(server_store: Neo4jStore, server_access: Neo4jAccess) -> None:
    server_store.commit_document(bundle_of("a.txt", [Statement("leak-1", "fire-1")]))
    server_store.server.execute(
        "MATCH (s:Meta {collection: '', id: 'collection/main'})"
        f" SET s.lease_holder = 'elsewhere:7:abc', s.lease_expires = {time.time() + 30}"
    )
    (lease,) = found(report_of(server_store.address, server_access), "lease")
    assert (lease.state, "elsewhere:7:abc" in lease.found) == (State.OK, True)
    server_store.server.execute(
        "MATCH (s:Meta {collection: '', id: 'collection/main'}) SET s.lease_expires = s.lease_expires - 3600"
    )
    assert found(report_of(server_store.address, server_access), "lease")[0].state is State.WARNING


@contextmanager
def renamed(port: int) -> Iterator[int]:
    """A way to the server at a port on which 127.0.0.1 reads 127.0.0.9 coming back, where nothing listens; its port.

    So it is with members of a cluster that name themselves as only the other members call them.
    """

    def carry(giving: socket.socket, taking: socket.socket, back: bool) -> None:
        with contextlib.suppress(OSError):
            while told := giving.recv(65_536):
                taking.sendall(told.replace(b"127.0.0.1:", b"127.0.0.9:") if back else told)
        with contextlib.suppress(OSError):
            taking.shutdown(socket.SHUT_WR)

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                caller, _ = way.accept()
                server = socket.create_connection(("127.0.0.1", port))
                threading.Thread(target=carry, args=(caller, server, False), daemon=True).start()
                threading.Thread(target=carry, args=(server, caller, True), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as way:
        threading.Thread(target=serve, daemon=True).start()
        yield int(way.getsockname()[1])


def test_routing_that_leads_nowhere_is_told(server_store: Neo4jStore, server_access: Neo4jAccess) -> None:
    with renamed(int(server_store.address.rsplit(":", 1)[1])) as port:
        report = report_of(f"neo4j://127.0.0.1:{port}", replace(server_access, connect_seconds=3.0))
        (routing,) = found(report, "routing")
        assert (report.healthy, routing.state) == (False, State.FAILURE)
        assert f"bolt://127.0.0.1:{port}" in routing.advice
        assert found(report, "indexes")[0].state is State.OK
        assert report_of(f"bolt://127.0.0.1:{port}", server_access).healthy


def test_a_single_server_may_call_itself_what_it_likes(tmp_path: Path) -> None:
    """As in a network of containers; and the first password of a user may have to be changed."""
    server = new_server(tmp_path)
    if not isinstance(server, Neo4jServerProcess):
        skip_unless_required("a container's settings are its own")
    try:
        server.configure({"server.bolt.advertised_address": f"graph-container:{server.bolt_port}"})
        server.start()
        access = Neo4jAccess(user=server.user, password=server.password, connect_seconds=3.0)
        assert report_of(server.address, access).healthy
        with neo4j.GraphDatabase.driver(server.address, auth=(server.user, server.password)) as driver:
            driver.execute_query("ALTER USER neo4j SET PASSWORD CHANGE REQUIRED", database_="system")
        finding = last_failure(server.address, access)
        assert finding.check == "login"
        assert "password has to be changed" in finding.found
    finally:
        server.remove()
