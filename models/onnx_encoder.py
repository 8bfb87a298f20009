"""An encoder in ONNX form, run by onnxruntime and tokenizers, without torch."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from causetrail.errors import PassageTooLong
from models.onnx_session import hidden_states, load_session, load_tokenizer
from models.weights_card import open_weights

QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
"""What bge-small-en-v1.5 was trained to see before a question (model card of BAAI/bge-small-en-v1.5)."""
MAX_TOKENS = 512
LAYERS = (4, 6, 8, 10, 12)
"""The layers whose hidden states the packaged graph offers; heads read them, the encoder asks for the last alone."""


class OnnxEncoder:
    """bge-small-en-v1.5: the first token's last hidden state, scaled to unit length.

    Every text is run on its own. The int8 graph scales its activations by their range in the whole batch, so a vector
    would otherwise depend on its neighbours; and on processors no time is gained by batches. Several texts are spread
    over threads instead, each run on one, so that the number of threads cannot change a vector either.
    """

    def __init__(self, directory: Path, threads: int) -> None:
        """Checks and loads the weights in `directory`.

        Args:
            directory: Holds `model.onnx`, `tokenizer.json` and `card.json` with their SHA-256.
            threads: Texts that are encoded side by side, at least 1.

        Raises:
            ModelDamaged: a file is not the one that was packaged.
            ModelMissing: the files are intact, but the installed runtime cannot run them.
        """
        weights = open_weights(directory)
        self.name = weights.name
        self.fingerprint = weights.fingerprint
        self.dimension = int(weights.card["dimension"])
        self.max_tokens = MAX_TOKENS
        self._threads = threads
        self._tokenizer = load_tokenizer(directory / "tokenizer.json", self.name)
        self._session = load_session(directory / "model.onnx", self.name)
        # One question is asked of the passages and of the events in the same words.
        self._queries = lru_cache(maxsize=32)(self._encode_query)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text, the two special tokens included; the query prefix is not counted."""
        return [len(encoding.ids) for encoding in self._tokenizer.encode_batch_fast(list(texts))]

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of texts to be found, shape (len(texts), dimension).

        Raises:
            PassageTooLong: a text has more than `max_tokens` tokens; none is encoded then.
        """
        token_ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        for ids in token_ids:
            if len(ids) > self.max_tokens:
                raise PassageTooLong(tokens=len(ids), model=self.name, limit=self.max_tokens)
        vectors = np.empty((len(token_ids), self.dimension), dtype=np.float32)
        if self._threads == 1 or len(token_ids) < 2:
            for row, ids in enumerate(token_ids):
                vectors[row] = self._vector(ids)
            return vectors
        with ThreadPoolExecutor(self._threads) as pool:
            for row, vector in enumerate(pool.map(self._vector, token_ids)):
                vectors[row] = vector
        return vectors

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """Unit vector of a question, shape (1, dimension).

        Raises:
            PassageTooLong: the question with its prefix has more than `max_tokens` tokens.
        """
        return self._queries(text)

    def _encode_query(self, text: str) -> NDArray[np.float32]:
        vector = self.encode_passages([QUERY_PREFIX + text])
        vector.setflags(write=False)
        return vector

    def _vector(self, token_ids: list[int]) -> NDArray[np.float32]:
        first: NDArray[np.float32] = hidden_states(self._session, token_ids)[0][0]
        return first / np.linalg.norm(first)
