"""Vectors: exact inner product by FAISS, addressed by the caller's keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from kg.encoding import Vectors

if TYPE_CHECKING:
    import faiss

MARGIN = 1e-5
"""Larger than the rounding error of an inner product of two unit vectors in 32-bit floats."""


class Among(NamedTuple):
    """Which entries are searched.

    Attributes:
        keys: Keys of entries that are there.
        inside: Whether those are searched, or all others.
    """

    keys: Sequence[int]
    inside: bool

    def count(self, entries: int) -> int:
        """How many of all entries."""
        return len(self.keys) if self.inside else entries - len(self.keys)


def _selected(among: Among | None) -> faiss.SearchParameters | None:
    import faiss

    if among is None:
        return None
    of_them = faiss.IDSelectorBatch(np.asarray(among.keys, dtype=np.int64))
    chosen = of_them if among.inside else faiss.IDSelectorNot(of_them)
    # Given to the constructor, the selector lives as long as the parameters do.
    return faiss.SearchParameters(sel=chosen)  # type: ignore[call-arg]


class VectorIndex:
    """Unit vectors by key. Reading is safe from threads; a change is made on a `copy`."""

    def __init__(self, index: faiss.Index) -> None:
        self._index = index

    @classmethod
    def empty(cls, dimension: int) -> Self:
        """An index that holds nothing yet."""
        import faiss

        return cls(faiss.IndexIDMap2(faiss.IndexFlatIP(dimension)))

    @classmethod
    def from_image(cls, image: bytes, dimension: int) -> Self:
        """The index that `image` gave these bytes.

        Raises:
            ValueError: they are not an index of this dimension.
        """
        import faiss

        try:
            index = faiss.deserialize_index(np.frombuffer(image, dtype=np.uint8))
        except RuntimeError as error:
            raise ValueError("not an image of a vector index") from error
        if not isinstance(index, faiss.IndexIDMap2) or index.d != dimension:
            raise ValueError("an index of another kind or dimension")
        return cls(index)

    def image(self) -> bytes:
        """The whole index as bytes."""
        import faiss

        image: bytes = faiss.serialize_index(self._index).tobytes()
        return image

    def copy(self) -> Self:
        """An independent index with the same vectors."""
        import faiss

        return type(self)(faiss.clone_index(self._index))

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def add(self, keys: Sequence[int], vectors: Vectors) -> None:
        """Adds vectors, shape (len(keys), dimension), under new keys."""
        if keys:
            rows = np.ascontiguousarray(vectors, dtype=np.float32)
            self._index.add_with_ids(rows, np.asarray(keys, dtype=np.int64))

    def remove(self, keys: Sequence[int]) -> None:
        """Removes what is kept under these keys."""
        if keys:
            import faiss

            self._index.remove_ids(faiss.IDSelectorBatch(np.asarray(keys, dtype=np.int64)))

    def best(self, query: Vectors, count: int, among: Among | None = None) -> dict[int, float]:
        """At least the `count` entries with the largest inner product with `query`, shape (1, dimension), by key.

        With `among`, of these alone. Entries that tie with the last one are all there, and the products are computed
        anew row by row: so neither the order of insertion nor the way FAISS walks its rows decides.
        """
        wanted, most = count + 16, len(self) if among is None else among.count(len(self))
        while True:
            wanted = min(wanted, most)
            if not wanted:
                return {}
            products, found = self._index.search(query, wanted, params=_selected(among))
            if wanted == most or products[0, count - 1] - products[0, -1] > MARGIN:
                return self.products(query, [int(key) for key in found[0]])
            wanted *= 4

    def products(self, query: Vectors, keys: Sequence[int]) -> dict[int, float]:
        """Inner products of the query with the vectors under these keys, six decimals."""
        if not keys:
            return {}
        rows: NDArray[np.float32] = self._index.reconstruct_batch(np.asarray(keys, dtype=np.int64))
        products = (rows.astype(np.float64) * query[0].astype(np.float64)).sum(axis=1)
        return {key: round(float(product), 6) for key, product in zip(keys, products, strict=True)}
