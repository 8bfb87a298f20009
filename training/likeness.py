"""How like texts are before anything is learned: by the packaged encoder and by the words they share."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.encoder import PACKAGED
from models.judges import shared_words
from models.onnx_encoder import OnnxEncoder
from models.weights_card import WEIGHTS
from training.judge_sets import nearest

_CHARACTERS: Final = 1_600
"""So much of a text is looked at: the encoder reads it whole."""


class Likeness:
    """Nearness of vectors, each worked out once, and shared words."""

    def __init__(self) -> None:
        self._encoder = OnnxEncoder(WEIGHTS / PACKAGED, 1)
        self._queries: dict[str, NDArray[np.float32]] = {}
        self._passages: dict[str, NDArray[np.float32]] = {}

    def told(self, pairs: Sequence[tuple[str, str]], token_ids: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Nearness and share of words of each pair, shape (pairs, 2)."""
        rows = [(self._near(*pair), shared_words(ids)) for pair, ids in zip(pairs, token_ids, strict=True)]
        return np.array(rows, dtype=np.float32).reshape(-1, 2)

    def nearest(self, query: str, texts: Sequence[str], count: int) -> list[str]:
        """The nearest texts, one by the encoder and one by the words they share in turn."""
        by_vector = sorted(texts, key=lambda text: -self._near(query, text))[:count]
        by_words = nearest(query, texts, count)
        both = itertools.chain.from_iterable(zip(by_vector, by_words, strict=True))
        return list(dict.fromkeys(both))[:count]

    def _near(self, query: str, passage: str) -> float:
        if query not in self._queries:
            self._queries[query] = self._encoder.encode_query(query)[0]
        if passage not in self._passages:
            self._passages[passage] = self._encoder.encode_passages([passage[:_CHARACTERS]])[0]
        return float(self._queries[query] @ self._passages[passage])
