"""Verification: does every record still say what was written, and does every quote repeat its document?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from causetrail.errors import CollectionUnknown
from kg.addresses import is_server, path_of
from kg.faults import Fault
from kg.neo4j_access import Neo4jAccess
from kg.resolution import Resolver
from kg.store import GraphStore, Progress

if TYPE_CHECKING:
    from kg.neo4j_verification import ServerVerification
    from kg.sqlite_verification import Verification


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What verification found.

    Attributes:
        collection: The collection that was checked; none for all of them.
        checked: Number of records checked, by kind.
        exact: Share of the checked records without a fault, 0 to 1; 1 when there are none.
        faults: All faults, by kind, id and what is wrong.
    """

    checked: Mapping[str, int]
    exact: float
    faults: tuple[Fault, ...]
    collection: str | None = None


def verify(
    store: GraphStore | str,
    collection: str | None = None,
    progress: Progress | None = None,
    access: Neo4jAccess | None = None,
    resolver: Resolver | None = None,
) -> VerifyReport:
    """Checks every record of a store against its digest, its id and its document, and derives the graph once more.

    A file is read past wrong checksums, so that every damaged record can be named; what cannot be read at all is
    listed by page and table. On a server what relationships and derived properties repeat is compared as well.

    Args:
        store: The store, or its address. Only its address is used: a damaged store may not be readable otherwise.
        collection: The collection to check; all of them when none is given.
        progress: Called with the kind of record, how many were checked, and how many there are.
        access: Who speaks to a server; a user without password when not given.
        resolver: What resolved the mentions, to compare clusters and similar events with what it says; they are taken
            as they are when it is not given, and in a collection that waits for derivation.

    Raises:
        StoreAddress: the address has no known form.
        StoreMissing: there is no store.
        StoreForeign: the file is not a store, or its first bytes are lost.
        CollectionUnknown: nothing that can be read is of the collection.
    """
    address = store if isinstance(store, str) else store.address
    with _verification(address, access or Neo4jAccess(), resolver) as verification:
        faults = sorted(verification.faults(collection, progress), key=lambda fault: (fault.kind, fault.id, fault.what))
        checked = dict(sorted(verification.checked.items()))
    total = sum(checked.values())
    wrong = len({(fault.kind, fault.id) for fault in faults if fault.kind in checked})
    if collection is not None and not total and not faults:
        raise CollectionUnknown(collection=collection, address=address)
    return VerifyReport(checked, (total - wrong) / total if total else 1.0, tuple(faults), collection)


def _verification(address: str, access: Neo4jAccess, resolver: Resolver | None) -> Verification | ServerVerification:
    if is_server(address):
        from kg.neo4j_verification import ServerVerification

        return ServerVerification(address, access, resolver, wait_seconds=access.connect_seconds)
    from kg.sqlite_verification import Verification

    return Verification(path_of(address), address, resolver)
