"""The Neo4j server that is measured: enough memory, a folder that stays, and what it takes of the machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.neo4j_access import Neo4jAccess
from kg.neo4j_store import Neo4jStore
from tests.neo4j.process import Neo4jServerProcess

HEAP = "4g"
PAGE_CACHE = "1g"
MACHINE = ("-Xms1g", f"-Xmx{HEAP}", "-XX:+UseG1GC", "-Djava.awt.headless=true")
"""Options of the Java machine; unlike those of the tests they let it compile what runs often."""

WAIT_SECONDS = 60.0
LEASE_SECONDS = 120.0


@contextmanager
def measured_server(home: Path) -> Iterator[Neo4jServerProcess]:
    """A running server on a folder, which keeps its data when the server ends."""
    home.mkdir(parents=True, exist_ok=True)
    server = Neo4jServerProcess(home, {"server.memory.pagecache.size": PAGE_CACHE}, MACHINE)
    try:
        server.start()
        yield server
    finally:
        server.stop()


def store_on(server: Neo4jServerProcess) -> Neo4jStore:
    """The program's store on a server."""
    return Neo4jStore(
        server.address, access_to(server), wait_seconds=WAIT_SECONDS, lease_seconds=LEASE_SECONDS, create=True
    )


def access_to(server: Neo4jServerProcess) -> Neo4jAccess:
    """User and password of a server; a transaction may take ten minutes."""
    return Neo4jAccess(user=server.user, password=server.password, transaction_seconds=600.0)


def folder_size(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def resident(process: int) -> tuple[int, int]:
    """Bytes of memory that a process takes now, and the most it ever took."""
    lines = Path(f"/proc/{process}/status").read_text("ascii", errors="replace").splitlines()
    found = {key: value for key, _, value in (line.partition(":") for line in lines)}
    return int(found["VmRSS"].split()[0]) * 1024, int(found["VmHWM"].split()[0]) * 1024
