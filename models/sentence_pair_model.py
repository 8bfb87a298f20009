"""Any hub model that reads two texts as one and scores them, run by sentence-transformers; needs the extra `torch`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from causetrail.errors import PassageTooLong
from models.hub_model import HubModel, Place, import_torch_libraries

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

SCORING: Final = ("ForSequenceClassification", "ForCausalLM")
"""How the architectures end that were trained to score; any other would be given a head of random weights."""
UNCUT: Final = {"text": {"padding": False, "truncation": False}}
MOST_TOKENS: Final = 1_000_000
"""A tokeniser that claims to read more does not say what its model reads."""


class SentencePairModel:
    """A model by name or path, on the processor, in 32-bit floats, every pair on its own.

    A batch is padded to its longest pair, and the sums of a padded row come out in another order: pairs are therefore
    read one at a time, so that what is said of a pair depends on it alone.
    """

    def __init__(self, found: HubModel, threads: int) -> None:
        """Loads the model; a name is looked up on the hub when it is no folder and not in the local cache.

        Args:
            found: The model as the setting names it.
            threads: Threads it may use, together with whatever else torch runs in this process.

        Raises:
            ExtraMissing: sentence-transformers is not installed.
            ModelMissing: the model cannot be found, fetched or loaded, or does not score pairs.
        """
        self.found = found
        self._model = _load(found, threads)
        config: Any = self._model.config
        kind = str((getattr(config, "architectures", None) or [""])[0])
        if not kind.endswith(SCORING):
            raise found.not_usable("it was not trained to score pairs of texts")
        if any(True for module in list(self._model)[1:] for _ in module.parameters()):
            raise found.not_usable("it has weights beside those of its transformer")
        self.labels = [str(name) for _, name in sorted(config.id2label.items())]
        """What its outputs are called, in their order."""
        self.outputs = int(self._model.num_labels)
        """Scores of a pair."""
        self.max_tokens = _max_tokens(self._model)
        if self.max_tokens > MOST_TOKENS:
            raise found.not_usable("it does not say how long its texts are")
        self.fingerprint = f"{Path(found.name).name}-{found.version(config)}"
        self._prompt = self._model.prompts.get(self._model.default_prompt_name or "") or None
        # A tokeniser of the library does not bear two threads that both tell it not to cut.
        self._tokenising = threading.Lock()

    def scores(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """What the model gives before any scale of probabilities: shape (len(pairs), outputs).

        Raises:
            PassageTooLong: a pair has more than `max_tokens` tokens; none is read then.
        """
        import torch

        read = [self._features(pair) for pair in pairs]
        for features in read:
            tokens = int(features["input_ids"].shape[1])
            if tokens > self.max_tokens:
                raise PassageTooLong(tokens=tokens, model=self.found.name, limit=self.max_tokens)
        scores = np.empty((len(pairs), self.outputs), dtype=np.float32)
        with torch.inference_mode():
            for row, features in enumerate(read):
                scores[row] = self._model(features)["scores"].reshape(-1).numpy()
        return scores

    def _features(self, pair: tuple[str, str]) -> dict[str, Any]:
        with self._tokenising:
            return self._model.preprocess([pair], prompt=self._prompt, processing_kwargs=UNCUT)


def _load(found: HubModel, threads: int) -> CrossEncoder:
    import_torch_libraries(f"The judge {found.prefix}{found.name}", "torch", "sentence_transformers")
    import torch
    from sentence_transformers import CrossEncoder

    torch.set_num_threads(threads)

    def load(place: Place) -> CrossEncoder:
        model: CrossEncoder = CrossEncoder(found.name, device="cpu", model_kwargs={"use_safetensors": True}, **place)
        return model.float().eval()

    return found.load(load, "a model in safetensors")


def _max_tokens(model: CrossEncoder) -> int:
    """Most tokens that the model reads: what its tokeniser says, and no more than it has positions for."""
    import torch

    limits = [model.max_seq_length or MOST_TOKENS + 1]
    for module in model.modules():
        positions, padding = getattr(module, "position_embeddings", None), getattr(module, "padding_idx", None)
        if isinstance(positions, torch.nn.Embedding) and isinstance(padding, int):
            # RoBERTa and its kin count their positions from behind that of the padding.
            limits.append(positions.num_embeddings - padding - 1)
    return int(min(limits))
