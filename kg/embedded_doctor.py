"""Examines an embedded store: its file, the disk under it, and what is kept beside it."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from causetrail.errors import (
    CausetrailError,
    StoreAddress,
    StoreForeign,
    StoreLocked,
    StoreMissing,
    StoreNewer,
    StoreReadOnly,
)
from kg.addresses import cypher_of, path_of, seeds_of
from kg.embedded_cypher import EmbeddedCypher
from kg.examination import Finding, collection_findings, failure, ok, warning
from kg.schema import SCHEMA_VERSION
from kg.seed_files import kept_generation
from kg.sqlite_store import SqliteStore

LARGE_LOG = 64 * 2**20
"""Bytes of a log that was not moved into the file for long."""
SCARCE_DISK = 200 * 2**20
"""Free bytes below which taking documents in may end on a full disk; the size of the store counts when it is more."""
MIB = 2**20
WAIT = 1.0
"""Seconds to wait for another writer; an examination tells of it instead."""


def examine_file(address: str, *, lease_seconds: float) -> Iterator[Finding]:
    """Everything about the embedded store at an address, in order; ends at what keeps it from being opened."""
    try:
        path = path_of(address)
    except StoreAddress as error:
        yield failure("address", error.message, error.fix)
        return
    try:
        store = SqliteStore(address, wait_seconds=WAIT, lease_seconds=lease_seconds, create=False)
    except CausetrailError as error:
        yield failure(_check_of(error), error.message, error.fix)
        return
    with store:
        try:
            yield ok("file", f"{path}, {_megabytes(path.stat().st_size)}")
            yield from _file_findings(store, path)
            yield from collection_findings(store, store._lease_held)
            yield from _index_findings(store, address)
            yield _view_finding(store, path, address)
            yield ok("pages", "all that were read have the right checksum; causetrail verify reads every one")
        except (CausetrailError, OSError) as error:
            told = error if isinstance(error, CausetrailError) else StoreReadOnly(path=str(path))
            yield failure("pages", told.message, told.fix)


def _check_of(error: CausetrailError) -> str:
    """What a store that cannot be opened fails at."""
    match error:
        case StoreMissing() | StoreForeign():
            return "file"
        case StoreNewer():
            return "version"
        case _:
            return "pages"


def _file_findings(store: SqliteStore, path: Path) -> Iterator[Finding]:
    yield ok("version", f"schema version {SCHEMA_VERSION}")
    yield _writable(store, path)
    free = shutil.disk_usage(path.parent).free
    log = path.with_name(path.name + "-wal")
    logged = log.stat().st_size if log.exists() else 0
    if free < max(SCARCE_DISK, path.stat().st_size):
        advice = "Free some space before the next ingest; a full disk loses nothing, but stops it."
        yield warning("disk", f"{_megabytes(free)} free", advice)
    else:
        yield ok("disk", f"{_megabytes(free)} free")
    if logged > LARGE_LOG:
        advice = "End programs that read the store for long; the next writer then moves the log into the file."
        yield warning("log", f"{_megabytes(logged)} wait beside the file", advice)
    else:
        yield ok("log", f"{_megabytes(logged)} beside the file")


def _writable(store: SqliteStore, path: Path) -> Finding:
    advice = f"It can still be asked. To change it, check the permissions of {path} and of its folder."
    if not os.access(path.parent, os.W_OK):
        return warning("writable", f"the folder {path.parent} cannot be written", advice)
    try:
        store._transact("", lambda: None)
    except StoreReadOnly:
        return warning("writable", "the file cannot be written", advice)
    except StoreLocked as error:
        return warning("writable", "another process is writing now", error.fix)
    return ok("writable", "file and folder can be written")


def _index_findings(store: SqliteStore, address: str) -> Iterator[Finding]:
    for name in store.collections():
        kept = kept_generation(seeds_of(address) / name)
        if kept is None:
            yield ok("seed index", f"{name}: none yet; the first question builds it")
        elif kept == store.generation(name):
            yield ok("seed index", f"{name}: up to date")
        else:
            advice = "The next question brings it up to date, and takes longer."
            yield warning("seed index", f"{name}: behind, at generation {kept}", advice)


def _view_finding(store: SqliteStore, path: Path, address: str) -> Finding:
    if not cypher_of(address).exists():
        return ok("cypher view", "none yet; the first Cypher query builds it")
    with contextlib.closing(EmbeddedCypher(store, path, cypher_of(address), most_bytes=0)) as view:
        if view.is_current():
            return ok("cypher view", "up to date")
    return warning("cypher view", "behind", "The next Cypher query builds it anew, and takes longer.")


def _megabytes(size: int) -> str:
    return f"{size / MIB:.1f} MiB" if size < 1_024 * MIB else f"{size / (1_024 * MIB):.1f} GiB"
