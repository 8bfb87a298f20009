"""Near-copies: documents that repeat each other are one witness, not several.

A text is a set of hashed five-word sequences (shingles). Its sketch holds the least of the hashes, from which the share
of common shingles of two texts (their Jaccard similarity) is estimated: Broder, "On the resemblance and containment of
documents", 1997, bottom-k sketches. Everything here is a function of the texts alone.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence
from hashlib import blake2b

SHINGLE_WORDS = 5
"""Words in a shingle."""

SKETCH_SIZE = 128
"""Hashes kept for a text; the estimate's standard error is at most 0.045."""

INDEXED_HASHES = 16
"""Least hashes of a sketch that candidates are found by; a pair at the threshold misses all with probability 1e-8."""

NEAR_COPY_JACCARD = 0.7
"""Share of common shingles from which on two documents count as copies: one text with a word in thirty changed, or with
a sixth of it added and another left out."""

_WORD = re.compile(r"\w+")
_HASH_BYTES = 8


def sketch_of(text: str) -> tuple[str, ...]:
    """The least hashes of the text's shingles, ascending, 16 hexadecimal digits each; at most `SKETCH_SIZE`.

    A text of fewer words than a shingle is one shingle; a text without words has no sketch, and is a copy of nothing.
    """
    words = _WORD.findall(text.casefold())
    if not words:
        return ()
    encoded = [word.encode("utf-8") for word in words]
    last = max(1, len(encoded) - SHINGLE_WORDS + 1)
    shingles = {b" ".join(encoded[at : at + SHINGLE_WORDS]) for at in range(last)}
    hashes = {blake2b(shingle, digest_size=_HASH_BYTES).digest() for shingle in shingles}
    return tuple(least.hex() for least in heapq.nsmallest(SKETCH_SIZE, hashes))


def resemblance(first: Sequence[str], second: Sequence[str]) -> float:
    """Estimated share of common shingles of two sketched texts, 0 to 1; the same both ways round."""
    if not first or not second:
        return 0.0
    both = set(first) & set(second)
    least_of_union = sorted(set(first) | set(second))[:SKETCH_SIZE]
    return sum(1 for value in least_of_union if value in both) / len(least_of_union)


def are_near_copies(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two sketched texts share enough to count as one witness.

    They also have to share one of their `INDEXED_HASHES` least hashes, because that is how a store finds candidates.
    """
    indexed = set(first[:INDEXED_HASHES]) & set(second[:INDEXED_HASHES])
    return bool(indexed) and resemblance(first, second) >= NEAR_COPY_JACCARD
