"""Hidden states of sentences from the two trunks that are packaged: the encoder's and that of the relation heads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.encoder import PACKAGED
from models.onnx_encoder import LAYERS, MAX_TOKENS
from models.onnx_session import load_session, load_tokenizer
from models.relation_heads import RelationHeads
from models.weights_card import WEIGHTS

STATES = len(LAYERS) + 1
"""Layers of the encoder, and the last one of the adapted trunk behind them."""


class SentenceStates:
    """Reads sentences with both trunks, one at a time, as the program would."""

    def __init__(self) -> None:
        """Loads the packaged weights."""
        encoder = WEIGHTS / PACKAGED
        self._tokenizer = load_tokenizer(encoder / "tokenizer.json", PACKAGED)
        self._session = load_session(encoder / "model.onnx", PACKAGED)
        self._adapted = RelationHeads().trunk

    def read(self, text: str) -> NDArray[np.float16]:
        """Hidden states, shape (tokens, `STATES`, dimension).

        Raises:
            ValueError: the sentence has more tokens than the encoder reads.
        """
        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        adapted = self._adapted.read(text)
        if adapted is None:
            raise ValueError(f"{ids.size} tokens, and the encoder reads {MAX_TOKENS}")
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        layers = self._session.run([f"layer_{layer}" for layer in LAYERS], feed)
        return np.stack([*(layer[0] for layer in layers), adapted.states], axis=1).astype(np.float16)
