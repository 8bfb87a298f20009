"""What the graph needs of an encoder, as protocols: the caller passes the implementation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Rows of unit length, shape (n, dimension)."""


class Encoder(Protocol):
    """Turns texts into unit vectors. A vector depends on its text alone, never on what else is in the batch."""

    @property
    def fingerprint(self) -> str:
        """Name and version; vectors of different fingerprints are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Number of components of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Longest text it reads, in its own tokens, special tokens included."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text, special tokens included."""
        ...

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found, shape (len(texts), dimension).

        Raises:
            PassageTooLong: a text has more than `max_tokens` tokens.
        """
        ...

    def encode_query(self, text: str) -> Vectors:
        """Vector of a question, shape (1, dimension); a question that is too long is refused likewise."""
        ...
