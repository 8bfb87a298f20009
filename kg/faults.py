"""What verification can find."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not as it was written.

    Attributes:
        kind: Kind of record (`source`, `document`, `passage`, `mention`, `claim`, `decision`, `event`, `edge`); `mark`
            for what waits for derivation, `collection` for what is known of one; or `table` or `page` for a part of a
            file that cannot be read.
        id: Id of the record, kind of happening that is marked, name of the collection or the table, or number of the
            page; `cause RELATION effect` for an edge.
        document_id: The document it stands in, as far as it is known.
        what: What is wrong, in words.
    """

    kind: str
    id: str
    document_id: str | None
    what: str
