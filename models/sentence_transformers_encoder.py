"""Any sentence-transformers model as the encoder; needs the extra `torch`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from causetrail.errors import PassageTooLong
from models.encoder import HUB_PREFIX
from models.hub_model import HubModel, Place, import_torch_libraries

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


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
        found = HubModel(name, HUB_PREFIX)
        self._model = _load(found, threads)
        self._tokenizer = self._model.tokenizer
        dimension, max_tokens = self._model.get_embedding_dimension(), self._model.max_seq_length
        if dimension is None or max_tokens is None:
            raise found.not_usable("it does not say how long its vectors or its texts are")
        self.dimension = int(dimension)
        self.max_tokens = int(max_tokens)
        config = getattr(getattr(self._model[0], "auto_model", None), "config", None)
        self.fingerprint = f"{Path(name).name}-{found.version(config)}"

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


def _load(found: HubModel, threads: int) -> SentenceTransformer:
    import_torch_libraries(f"The encoder {HUB_PREFIX}{found.name}", "torch", "sentence_transformers")
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)

    def load(place: Place) -> SentenceTransformer:
        return SentenceTransformer(found.name, device="cpu", **place)

    return found.load(load).float().eval()
