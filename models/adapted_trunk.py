"""The packaged encoder with its weights changed for another task, and its hidden states.

The change of a weight matrix is the product of two thin ones (LoRA: Hu et al. 2021, arXiv 2106.09685, equation 3 with
the scale multiplied in). It is added once, when the trunk is loaded, and the sum is quantised as the packaged weights
are, so that an adapted trunk runs as fast as the packaged one and adds a few megabytes to the package, not another
encoder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray

from causetrail.errors import ModelMissing
from models.onnx_encoder import MAX_TOKENS
from models.onnx_session import EARLY, LAST, hidden_states, load_session, load_tokenizer
from models.onnx_weights import read_weights
from models.weights_card import open_weights

if TYPE_CHECKING:
    from onnxruntime import OrtValue

DOWN: Final = ".down"
UP: Final = ".up"
"""Endings of the names of a change's two matrices, (rank, inputs) and (outputs, rank), behind the weight's name."""
TRUNK: Final = "trunk."
"""How the names of the encoder's changes begin in a file that holds a head too."""
_LARGEST: Final = 64
"""Largest quantised weight: 7 bits, as in the packaged graph, so that 16-bit additions cannot saturate."""
_QUANTISED: Final = "_quantized"
_SCALE: Final = "_scale"


class HiddenText(NamedTuple):
    """The hidden states of one text.

    Attributes:
        states: Of the last layer, float32 of shape (tokens, dimension); the first and the last token stand for no
            character.
        early: Of layer 4, in the same shape.
        offsets: First character and one past the last of each token; equal for those that stand for none.
    """

    states: NDArray[np.float32]
    early: NDArray[np.float32]
    offsets: Sequence[tuple[int, int]]


class AdaptedTrunk:
    """The packaged encoder, adapted."""

    def __init__(self, base: Path, changes: Mapping[str, NDArray[Any]]) -> None:
        """Loads the encoder in `base` with the changes added.

        Args:
            base: Folder of the packaged encoder.
            changes: By the name of each changed weight and the endings `DOWN` and `UP`.

        Raises:
            ModelDamaged: a file of the encoder is not the one that was packaged.
            ModelMissing: the changes are not of this encoder, or the installed runtime cannot run it.
        """
        weights = open_weights(base)
        self._tokenizer = load_tokenizer(base / "tokenizer.json", weights.name)
        try:
            self._instead = _changed(base / "model.onnx", changes)
        except (KeyError, ValueError, DecodeError):
            raise ModelMissing(
                model=weights.name,
                reason="the changes of its weights are not of this encoder",
                advice="Install Causetrail again.",
            ) from None
        self._session = load_session(base / "model.onnx", weights.name, self._instead)

    def read(self, text: str) -> HiddenText | None:
        """The hidden states of a text; none when it has more tokens than the encoder reads."""
        encoding = self._tokenizer.encode(text)
        if len(encoding.ids) > MAX_TOKENS:
            return None
        states, early = hidden_states(self._session, encoding.ids, (LAST, EARLY))
        return HiddenText(states, early, encoding.offsets)

    def token_ids(self, first: str, second: str) -> list[int]:
        """The tokens of two texts as one, with the marks between them; never cut."""
        ids: list[int] = self._tokenizer.encode(first, second).ids
        return ids

    def states(self, token_ids: Sequence[int]) -> NDArray[np.float32]:
        """The states of the last layer, shape (tokens, dimension). Threads may call it side by side."""
        return hidden_states(self._session, token_ids)[0]


def trunk_and_head(
    tensors: Mapping[str, NDArray[Any]],
) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[np.float32]]]:
    """Parts the tensors of a file into the changes of the trunk, by the names of its weights, and those of the head."""
    trunk = {name.removeprefix(TRUNK): value for name, value in tensors.items() if name.startswith(TRUNK)}
    head = {name: value.astype(np.float32) for name, value in tensors.items() if not name.startswith(TRUNK)}
    return trunk, head


def _changed(graph: Path, changes: Mapping[str, NDArray[Any]]) -> dict[str, OrtValue]:
    from onnxruntime import OrtValue

    names = sorted(name.removesuffix(DOWN) for name in changes if name.endswith(DOWN))
    stored = read_weights(graph, {name + ending for name in names for ending in (_QUANTISED, _SCALE)})
    instead: dict[str, OrtValue] = {}
    for name in names:
        weight = stored[name + _QUANTISED].astype(np.float32) * stored[name + _SCALE]
        weight += (changes[name + UP].astype(np.float32) @ changes[name + DOWN].astype(np.float32)).T
        scale = np.abs(weight).max(axis=0) / _LARGEST
        instead[name + _SCALE] = OrtValue.ortvalue_from_numpy(scale)
        instead[name + _QUANTISED] = OrtValue.ortvalue_from_numpy(np.rint(weight / scale).astype(np.int8))
    return instead
