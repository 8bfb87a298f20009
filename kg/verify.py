"""Verification: does every record still say what was written, and does every quote repeat its document?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kg.store import GraphStore, Progress


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not as it was written.

    Attributes:
        kind: Kind of record (`source`, `document`, `passage`, `mention`, `claim`, `decision`, `event`, `edge`), or
            `table` or `page` for a part of the file that cannot be read.
        id: Id of the record, name of the table, or number of the page; `cause RELATION effect` for an edge.
        document_id: The document it stands in, as far as it is known.
        what: What is wrong, in words.
    """

    kind: str
    id: str
    document_id: str | None
    what: str


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What verification found.

    Attributes:
        checked: Number of records checked, by kind.
        exact: Share of the checked records without a fault, 0 to 1; 1 when there are none.
        faults: All faults, by kind, id and what is wrong.
    """

    checked: Mapping[str, int]
    exact: float
    faults: tuple[Fault, ...]


def verify(store: GraphStore | str, collection: str | None = None, progress: Progress | None = None) -> VerifyReport:
    """Checks every record of a store against its digest, its id and its document, and derives the graph once more.

    The file is read past wrong checksums, so that every damaged record can be named; what cannot be read at all is
    listed by page and table.

    Args:
        store: The store, or its address. Only its address is used: a damaged store may not be readable otherwise.
        collection: The collection to check; all of them when none is given.
        progress: Called with the kind of record, how many were checked, and how many there are.

    Raises:
        StoreAddress: the address has no known form.
        StoreMissing: there is no store.
        StoreForeign: the file is not a store, or its first bytes are lost.
    """
    from kg.addresses import path_of
    from kg.sqlite_verification import Verification

    address = store if isinstance(store, str) else store.address
    with Verification(path_of(address), address) as verification:
        faults = sorted(verification.faults(collection, progress), key=lambda fault: (fault.kind, fault.id, fault.what))
        checked = dict(sorted(verification.checked.items()))
    total = sum(checked.values())
    wrong = len({(fault.kind, fault.id) for fault in faults if fault.kind in checked})
    return VerifyReport(checked, (total - wrong) / total if total else 1.0, tuple(faults))
