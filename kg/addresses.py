"""From the address of a store to the store itself."""

from __future__ import annotations

from pathlib import Path

from causetrail.errors import StoreAddress
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
        raise StoreAddress(address=address)
    return Path(name).absolute()


def files_of(address: str) -> tuple[Path, ...]:
    """The file of a store, and the files and the folder that are kept beside it, whether they exist or not.

    Raises:
        StoreAddress: the address has another form.
    """
    path = path_of(address)
    beside = ("-wal", "-shm", "-journal")
    return (path, *(path.with_name(path.name + ending) for ending in beside), seeds_of(address))


def seeds_of(address: str) -> Path:
    """The folder beside the file of a store that holds the seed indexes of its collections.

    Raises:
        StoreAddress: the address has another form.
    """
    path = path_of(address)
    return path.with_name(path.name + "-seeds")


def open_store(
    address: str, *, wait_seconds: float, lease_seconds: float, read_only: bool = False, create: bool = False
) -> GraphStore:
    """Opens the store at an address; with `create`, makes it when there is none.

    Args:
        address: `sqlite:///relative.db` or `sqlite:////absolute.db`.
        wait_seconds: How long a writer waits for its turn.
        lease_seconds: How long a derivation may stay silent before another process takes it over.
        read_only: Refuse to write.
        create: Make the store when there is none.

    Raises:
        StoreAddress: the address has another form.
        StoreMissing: there is no store, and `create` is not given.
    """
    from kg.sqlite_store import SqliteStore

    return SqliteStore(
        address, wait_seconds=wait_seconds, lease_seconds=lease_seconds, read_only=read_only, create=create
    )
