"""Sessions of onnxruntime and tokenizers for packaged graphs, on one thread each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from causetrail.errors import ModelMissing

if TYPE_CHECKING:
    import onnxruntime
    from tokenizers import Tokenizer

EARLY: Final = "layer_4"
"""The first of the graph's outputs `layer_4 layer_6 layer_8 layer_10 layer_12`, each (batch, tokens, dimension)."""
LAST: Final = "layer_12"
"""The last of them."""


def load_tokenizer(path: Path, model: str) -> Tokenizer:
    """A tokeniser that neither cuts nor pads, and reads the name of a mark in a text as any other word.

    Raises:
        ModelMissing: the installed library cannot read it; `model` is named.
    """
    # Its thread pool does not survive a fork and says so on standard error.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception:  # the library raises bare Exception
        raise _cannot_run(model, "tokenizers") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # Or "[SEP]" in a document would end the text there, and what follows be read as the other text of a pair.
    tokenizer.encode_special_tokens = True
    return tokenizer


def load_session(
    path: Path, model: str, instead: Mapping[str, onnxruntime.OrtValue] | None = None
) -> onnxruntime.InferenceSession:
    """A session on one thread of one processor.

    Args:
        path: The graph.
        model: Name for messages.
        instead: Weights to use for those of the graph, by the names of its initialisers. The session does not keep
            them: the caller must, as long as it uses the session.

    Raises:
        ModelMissing: the installed runtime cannot run it.
    """
    # Read at import: without it onnxruntime may send usage events.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    for name, value in (instead or {}).items():
        options.add_initializer(name, value)
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception:  # its exceptions have no common root below Exception
        raise _cannot_run(model, "onnxruntime") from None


def hidden_states(
    session: onnxruntime.InferenceSession, token_ids: Sequence[int], outputs: Sequence[str] = (LAST,)
) -> list[NDArray[np.float32]]:
    """The hidden states of one text, shape (tokens, dimension) for each of the graph's outputs that are asked for."""
    ids = np.array([token_ids], dtype=np.int64)
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    return [hidden[0] for hidden in session.run(list(outputs), feed)]


def _cannot_run(model: str, library: str) -> ModelMissing:
    return ModelMissing(
        model=model,
        reason=f"the installed {library} cannot read it",
        advice=f"Install the version of {library} that Causetrail's constraints name.",
    )
