"""Any sentence-transformers model as the encoder; needs the extra `torch`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from causetrail.errors import ExtraMissing, ModelMissing, PassageTooLong
from models.weights_card import sha256_of

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

HUB_SECONDS = 10
"""How long the hub may take to say whether it has a model."""
WEIGHT_FILES = ("model.safetensors", "pytorch_model.bin")


class SentenceTransformersEncoder:
    """A model by name or path, on the processor, in 32-bit floats, every text on its own.

    A batch is padded to its longest text, and the sums of a padded row come out in another order: texts are therefore
    encoded one at a time, so that a vector depends on its text alone.
    """

    def __init__(self, name: str, threads: int) -> None:
        """Loads the model; a name is looked up on the hub when it is no folder and not in the local cache.

        Raises:
            ExtraMissing: sentence-transformers is not installed.
            ModelMissing: the model cannot be found, fetched or loaded, or gives no usable vectors.
        """
        self.name = name
        self._model = _load(name, threads)
        self._tokenizer = self._model.tokenizer
        dimension, max_tokens = self._model.get_embedding_dimension(), self._model.max_seq_length
        if dimension is None or max_tokens is None:
            raise _not_usable(name, "it does not say how long its vectors or its texts are")
        self.dimension = int(dimension)
        self.max_tokens = int(max_tokens)
        self.fingerprint = f"{Path(name).name}-{_version(self._model, name)}"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text, special tokens included; the model's query prompt is not counted."""
        return [len(self._tokenizer(text, truncation=False, verbose=False)["input_ids"]) for text in texts]

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of texts to be found, shape (len(texts), dimension).

        Raises:
            PassageTooLong: a text has more than `max_tokens` tokens; none is encoded then.
        """
        return self._encode(texts, "document")

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """Unit vector of a question with the model's query prompt, when it has one; shape (1, dimension).

        Raises:
            PassageTooLong: the question with its prompt has more than `max_tokens` tokens.
        """
        return self._encode([text], "query")

    def _encode(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        prompt = self._model.prompts.get(role) or ""
        for tokens in self.count_tokens([prompt + text for text in texts]):
            if tokens > self.max_tokens:
                raise PassageTooLong(tokens=tokens, model=self.name, limit=self.max_tokens)
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._model.encode(
                text, prompt=prompt or None, normalize_embeddings=True, show_progress_bar=False
            )
        return vectors


def _load(name: str, threads: int) -> SentenceTransformer:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        import torch
        from huggingface_hub import HfApi
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as progress
    except ImportError:
        raise ExtraMissing(feature=f"The encoder sentence-transformers:{name}", extra="torch") from None
    torch.set_num_threads(threads)
    progress.disable_progress_bar()
    try:
        model = SentenceTransformer(name, device="cpu", local_files_only=True)
    except Exception:  # missing files, refused connections and bad weights have no common root in the libraries
        try:
            # One question with a time limit: loading by name would ask again for a minute where there is no network.
            HfApi().model_info(name, timeout=HUB_SECONDS)
            model = SentenceTransformer(name, device="cpu")
        except Exception:
            raise _not_usable(name, "it is neither a folder with a model nor a model that the hub gives") from None
    return model.float().eval()


def _version(model: SentenceTransformer, name: str) -> str:
    """First 12 digits of the SHA-256 of a local model's weights, or of the commit of one from the hub."""
    for file in WEIGHT_FILES:
        path = Path(name) / file
        if path.is_file():
            return sha256_of(path)[:12]
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    version = getattr(config, "_commit_hash", None)
    if not version:
        raise _not_usable(name, "no version of its weights can be told")
    return str(version)[:12]


def _not_usable(name: str, reason: str) -> ModelMissing:
    return ModelMissing(
        model=name,
        reason=reason,
        advice="Check the name, or download the model to a folder and write sentence-transformers:PATH.",
    )
