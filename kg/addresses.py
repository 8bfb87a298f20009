"""From the address of a store to the store itself."""

from __future__ import annotations

from pathlib import Path

from causetrail.errors import StoreAddress
from kg.neo4j_access import Neo4jAccess
from kg.store import GraphStore

SQLITE_PREFIX = "sqlite:///"
"""What every address of an embedded store starts with."""


def path_of(address: str) -> Path:
    """The file that `sqlite:///relative.db` or `sqlite:////absolute.db` names, made absolute.

    Raises:
        StoreAddress: the address has another form, or names no file.
    """
    name = address.removeprefix(SQLITE_PREFIX)
    if not address.startswith(SQLITE_PREFIX) or not name.strip("/") or name.endswith("/") or "\x00" in name:
        raise not_an_address(address)
    return Path(name).absolute()


def files_of(address: str) -> tuple[Path, ...]:
    """The file of a store, and the files and the folders that are kept beside it, whether they exist or not.

    A store on a server has none.

    Raises:
        StoreAddress: the address has another form.
    """
    if is_server(address):
        return ()
    path = path_of(address)
    beside = ("-wal", "-shm", "-journal")
    folders = (seeds_of(address), cypher_of(address), completions_of(address))
    return (path, *(path.with_name(path.name + ending) for ending in beside), *folders)


def seeds_of(address: str) -> Path:
    """The folder beside the file of a store that holds the seed indexes of its collections.

    Raises:
        StoreAddress: the address has another form.
    """
    path = path_of(address)
    return path.with_name(path.name + "-seeds")


def cypher_of(address: str) -> Path:
    """The folder beside the file of a store that holds its Cypher view.

    Raises:
        StoreAddress: the address has another form.
    """
    path = path_of(address)
    return path.with_name(path.name + "-cypher")


def completions_of(address: str) -> Path:
    """The folder beside the file of a store that keeps what language models answered.

    Raises:
        StoreAddress: the address has another form.
    """
    path = path_of(address)
    return path.with_name(path.name + "-completions")


def shown_address(address: str) -> str:
    """An address, right or wrong, as it may be told.

    Before an `@`, in a query, and where a port should be, there often is a password.
    """
    if address.startswith(SQLITE_PREFIX):
        return address
    place, mark, _ = address.rsplit("@", 1)[-1].partition("?")
    host, colon, port = place.rpartition(":")
    if colon and not (port.startswith("//") or port.endswith("]") or port.partition("/")[0].isdecimal()):
        place = f"{host}:..."
    return f"{place}{mark}..." if mark else place


def not_an_address(address: str) -> StoreAddress:
    """The error for an address without meaning."""
    return StoreAddress(address=shown_address(address))


def is_server(address: str) -> bool:
    """Whether an address is that of a Neo4j server; whether it is a good one is judged when it is opened."""
    return address.startswith(("neo4j", "bolt"))


def open_store(
    address: str,
    *,
    wait_seconds: float,
    lease_seconds: float,
    read_only: bool = False,
    create: bool = False,
    access: Neo4jAccess | None = None,
) -> GraphStore:
    """Opens the store at an address; with `create`, makes it when there is none.

    Args:
        address: `sqlite:///relative.db`, `sqlite:////absolute.db`, or `neo4j://host:port` and its kin.
        wait_seconds: How long a writer waits for its turn, and for a server that went away.
        lease_seconds: How long a derivation may stay silent before another process takes it over.
        read_only: Refuse to write to a file; what a server lets a user write is the server's to say.
        create: Make the store when there is none.
        access: Who speaks to a server; a user without password when not given.

    Raises:
        StoreAddress: the address has no known form.
        StoreMissing: there is no store, and `create` is not given.
        StoreError: what else keeps it from being opened.
    """
    if is_server(address):
        from kg.neo4j_store import Neo4jStore

        return Neo4jStore(
            address,
            access or Neo4jAccess(),
            wait_seconds=wait_seconds,
            lease_seconds=lease_seconds,
            create=create,
        )
    from kg.sqlite_store import SqliteStore

    return SqliteStore(
        address, wait_seconds=wait_seconds, lease_seconds=lease_seconds, read_only=read_only, create=create
    )
