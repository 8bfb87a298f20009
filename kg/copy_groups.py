"""Groups of near-copies: candidates by an index over sketches, groups by connected components."""

from __future__ import annotations

from collections.abc import Sequence

from kg.backend import Backend
from kg.components import connected
from kg.near_copies import INDEXED_HASHES, are_near_copies

_HASH_DIGITS = 16


class CopyGroups(Backend):
    """Pairs of near-copies and their groups; all methods work inside `_transact`."""

    def _add_near_copies(self, collection: str, document_id: str, sketch: Sequence[str]) -> list[str]:
        """Finds the copies of a new document; gives the documents of the group it is in, none when it stands alone."""
        indexed = sketch[:INDEXED_HASHES]
        candidates = self._sketches_sharing(collection, indexed)
        self._index_sketch(collection, document_id, indexed)
        copies = sorted(
            id_ for id_, other in candidates if id_ != document_id and are_near_copies(sketch, unpacked(other))
        )
        if not copies:
            return []
        self._insert_copies(collection, [(min(document_id, copy), max(document_id, copy)) for copy in copies])
        members = {document_id, *copies}
        for copy in copies:
            members.update(self._copy_group_of(collection, copy))
        return self._regroup_copies(collection, sorted(members))

    def _remove_near_copies(self, collection: str, document_id: str, sketch: Sequence[str]) -> list[str]:
        """Forgets a document; gives the other documents of the group it was in."""
        group = self._copy_group_of(collection, document_id)
        self._unindex_sketch(collection, document_id, sketch[:INDEXED_HASHES])
        if not group:
            return []
        self._delete_copies(collection, document_id)
        return self._regroup_copies(collection, [id_ for id_ in group if id_ != document_id])

    def _regroup_copies(self, collection: str, documents: list[str]) -> list[str]:
        least = connected(documents, self._copies_among(collection, documents))
        shared = {group for id_, group in least.items() if id_ != group}
        self._set_copy_groups(
            collection, {id_: group if group in shared else None for id_, group in sorted(least.items())}
        )
        return documents


def packed(sketch: Sequence[str]) -> str:
    """A sketch as one text."""
    return "".join(sketch)


def unpacked(text: str) -> list[str]:
    """The hashes of a sketch that `packed` made."""
    return [text[at : at + _HASH_DIGITS] for at in range(0, len(text), _HASH_DIGITS)]
