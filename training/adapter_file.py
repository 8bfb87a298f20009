"""An adapter as the GGUF file that llama.cpp reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
from gguf import GGUFWriter
from numpy.typing import NDArray

from training.low_rank_llama import Change

ARCHITECTURE: Final = "llama"
NAMES: Final = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
"""What llama.cpp calls the linear layers of transformers."""
_TURNED: Final = ("self_attn.q_proj", "self_attn.k_proj")
"""Layers whose outputs llama.cpp has in another order, since it turns neighbouring ones by position."""
_LAYER: Final = re.compile(r"model\.layers\.(\d+)\.(.+)")


def write_adapter(path: Path, changes: Mapping[str, Change], head_size: int) -> None:
    """Writes the changes of a model of the Llama kind.

    Args:
        path: The file.
        changes: By the names that transformers gives the layers, all of one rank.
        head_size: Outputs of one head of attention.

    Raises:
        ValueError: there is no change, one of a layer that llama.cpp knows under no name, or of another rank.
    """
    ranks = {len(change.down) for change in changes.values()}
    if len(ranks) != 1:
        raise ValueError(f"an adapter has one rank, not {sorted(ranks)}")
    writer = GGUFWriter(path, ARCHITECTURE)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    # llama.cpp multiplies by this over the rank; the scale is in the matrices already.
    writer.add_float32("adapter.lora.alpha", float(ranks.pop()))
    for layer, change in changes.items():
        named = _LAYER.fullmatch(layer)
        if named is None or named[2] not in NAMES:
            raise ValueError(f"llama.cpp knows no layer {layer}")
        up = in_order_of_llama_cpp(change.up, head_size) if named[2] in _TURNED else change.up
        name = f"blk.{named[1]}.{NAMES[named[2]]}.weight"
        writer.add_tensor(f"{name}.lora_a", np.ascontiguousarray(change.down))
        writer.add_tensor(f"{name}.lora_b", np.ascontiguousarray(up))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    path.chmod(0o644)


def in_order_of_llama_cpp(rows: NDArray[np.float16], head_size: int) -> NDArray[np.float16]:
    """The outputs of each head in pairs that are turned together, where transformers has two halves of them."""
    heads = rows.reshape(-1, 2, head_size // 2, rows.shape[1])
    return heads.swapaxes(1, 2).reshape(rows.shape)
