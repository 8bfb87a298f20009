"""Groups of near-copies: candidates by an index over sketches, groups by connected components."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from itertools import combinations

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

    def _check_copies(
        self, collection: str, wrong: Collection[str]
    ) -> tuple[list[tuple[str, str, str]], dict[str, str]]:
        """Finds all near-copies once more.

        Args:
            wrong: Ids of documents that are known to be damaged; they are not compared.

        Returns:
            Kind, id and fault of every document whose index, pairs or group is not what the sketches add up to; and the
            group of each document that is in one.
        """
        sketches: dict[str, list[str]] = {}
        sharing: dict[str, list[str]] = defaultdict(list)
        faults: list[tuple[str, str, str]] = []
        documents: list[str] = []
        for id_, sketch, indexed in self._sketched(collection):
            documents.append(id_)
            if id_ in wrong:
                continue
            sketches[id_] = unpacked(sketch)
            for value in sketches[id_][:INDEXED_HASHES]:
                sharing[value].append(id_)
            if sorted(indexed) != sorted(sketches[id_][:INDEXED_HASHES]):
                faults.append(("document", id_, "near-copies of it are looked for by other hashes than its sketch has"))
        near = {pair for ids in sharing.values() for pair in combinations(sorted(ids), 2)}
        wanted = {(a, b) for a, b in near if are_near_copies(sketches[a], sketches[b])}
        stored = Counter(self._copies_among(collection, sorted(documents)))
        unsure = {(a, b) for a, b in stored if a in wrong or b in wrong}
        for pair in sorted((wanted | stored.keys()) - unsure):
            if stored[pair] != (pair in wanted):
                faults.append(("document", pair[0], f"it is not rightly linked with {pair[1]} as a near-copy"))
        least = connected({*documents, *(id_ for pair in unsure for id_ in pair)}, sorted(wanted | unsure))
        shared = {group for id_, group in least.items() if id_ != group}
        groups = {id_: group for id_, group in least.items() if group in shared}
        told = self._copy_groups(collection, sorted(sketches))
        for id_ in sorted(sketches):
            if told.get(id_) != groups.get(id_) and groups.get(id_) not in wrong and told.get(id_) not in wrong:
                faults.append(("document", id_, "its group of near-copies is not that of its copies"))
        return faults, groups


def packed(sketch: Sequence[str]) -> str:
    """A sketch as one text."""
    return "".join(sketch)


def unpacked(text: str) -> list[str]:
    """The hashes of a sketch that `packed` made."""
    return [text[at : at + _HASH_DIGITS] for at in range(0, len(text), _HASH_DIGITS)]
