"""The packaged encoder as a torch module whose weights are changed by products of thin matrices (LoRA).

It starts from the packaged int8 graph, not from the fp32 file that was quantised, so that a change is learned over the
weights that it will be added to. The frozen weights are kept in bfloat16, which processors with matrix units multiply
several times faster; normalisation stays in float32.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn
from torch.nn import functional
from transformers import BertConfig, BertModel

from models.adapted_trunk import DOWN, TRUNK, UP

WIDTH: Final = 384
HEADS: Final = 12
LAYERS: Final = 12
_SCALE: Final = 2.0
"""Factor on each change (alpha / r of the paper); multiplied into the stored matrix."""
_LINEAR: Final = "MatMulInteger"


class Dropout(nn.Module):
    """Drops the same features of all words of a sentence (Gal and Ghahramani 2016, arXiv 1512.05287).

    On a processor a draw for every number would take longer than the layer before it.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self._share = share

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """The values, with a share of the features zero while training."""
        if not self.training:
            return values
        shape = (*values.shape[:-2], 1, values.shape[-1]) if values.dim() > 2 else values.shape
        return values * (torch.rand(shape) > self._share).to(values.dtype) / (1 - self._share)


class LowRankTrunk(nn.Module):
    """The encoder with the changes; only they are trained."""

    def __init__(self, graph: Path, rank: int, dropout: float, first: int = 0) -> None:
        """Loads the packaged graph.

        Args:
            graph: `model.onnx` of the packaged encoder.
            rank: Rank of each change.
            dropout: Share of features dropped behind each half of a changed layer.
            first: The first layer that is changed, from 0; those below stay as they are packaged.
        """
        super().__init__()
        bert, self._names = _bert(graph)
        self._embeddings = bert.embeddings
        for parameter in bert.parameters():
            parameter.requires_grad_(False)
        self.layers = nn.ModuleList(_Layer(layer, rank, Dropout(dropout)) for layer in bert.encoder.layer)
        self._first = first
        for layer in self.layers[:first]:
            layer.requires_grad_(False)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Last hidden states, float32 of shape (texts, tokens, `WIDTH`), of token ids and a mask of 0 and 1."""
        return self.above(self.below(ids, mask), mask)

    def below(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """What the changed layers get, the same in every epoch: shape (texts, tokens, `WIDTH`)."""
        self._embeddings.eval()
        hidden: torch.Tensor = self._embeddings(input_ids=ids)
        for layer in self.layers[: self._first]:
            hidden = layer.eval()(hidden, _bias(mask))
        return hidden

    def above(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Last hidden states from what `below` gives."""
        for layer in self.layers[self._first :]:
            hidden = layer(hidden, _bias(mask))
        return hidden.float()

    def changes(self) -> dict[str, NDArray[np.float16]]:
        """The learned changes as `models.adapted_trunk` takes them, by the names of the graph's weights."""
        changes: dict[str, NDArray[np.float16]] = {}
        for number, layer in enumerate(self.layers[self._first :], start=self._first):
            for part, modules in _PARTS.items():
                linear: _Linear = getattr(layer, part)
                ups = (linear.up.detach() * _SCALE).chunk(len(modules))
                for module, up in zip(modules, ups, strict=True):
                    name = self._names[f"encoder.layer.{number}.{module}.weight"]
                    changes[name + DOWN] = linear.down.detach().cpu().numpy().astype(np.float16)
                    changes[name + UP] = up.cpu().numpy().astype(np.float16)
        return changes


def _bias(mask: torch.Tensor) -> torch.Tensor:
    """What is added to the scores of attention, so that nothing attends to padding."""
    return ((1 - mask) * -1e4)[:, None, None, :].to(torch.bfloat16)


def learned_tensors(net: nn.Module, trunk: LowRankTrunk) -> dict[str, NDArray[np.float16]]:
    """All that a net learned, as `models.adapted_trunk.trunk_and_head` parts it; `trunk` is its attribute `trunk`."""
    tensors = {TRUNK + name: change for name, change in trunk.changes().items()}
    for name, parameter in net.named_parameters():
        if not name.startswith(TRUNK):
            tensors[name] = parameter.detach().cpu().numpy().astype(np.float16)
    return tensors


class _Linear(nn.Module):
    """A frozen linear layer and its change."""

    weight: torch.Tensor
    bias: torch.Tensor

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor, rank: int) -> None:
        super().__init__()
        self.register_buffer("weight", weight.detach().to(torch.bfloat16), persistent=False)
        self.register_buffer("bias", bias.detach().to(torch.bfloat16), persistent=False)
        self.down = nn.Parameter(torch.randn(rank, weight.shape[1]) / weight.shape[1] ** 0.5)
        self.up = nn.Parameter(torch.zeros(weight.shape[0], rank))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        values = values.to(torch.bfloat16)
        thin = functional.linear(values, self.down.to(torch.bfloat16))
        change = functional.linear(thin, (_SCALE * self.up).to(torch.bfloat16))
        return functional.linear(values, self.weight, self.bias) + change


_PARTS: Final = {
    "inputs": ("attention.self.query", "attention.self.key", "attention.self.value"),
    "attended": ("attention.output.dense",),
    "widened": ("intermediate.dense",),
    "narrowed": ("output.dense",),
}
"""The linear layers of `_Layer`, and the modules of BERT that each stands for."""


class _Layer(nn.Module):
    """One layer of BERT, with query, key and value in one product."""

    inputs: _Linear
    attended: _Linear
    widened: _Linear
    narrowed: _Linear

    def __init__(self, layer: Any, rank: int, dropout: Dropout) -> None:
        super().__init__()
        self._dropout = dropout
        for part, modules in _PARTS.items():
            found = [layer.get_submodule(module) for module in modules]
            weight, bias = torch.cat([one.weight for one in found]), torch.cat([one.bias for one in found])
            setattr(self, part, _Linear(weight, bias, rank))
        self._after_attention = layer.attention.output.LayerNorm
        self._after_feeding = layer.output.LayerNorm

    def forward(self, hidden: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        texts, tokens, width = hidden.shape
        query, key, value = self.inputs(hidden).view(texts, tokens, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        weights = (query @ key.transpose(-1, -2) * (width // HEADS) ** -0.5 + bias).softmax(-1)
        attended = self.attended((weights @ value).transpose(1, 2).reshape(texts, tokens, width))
        hidden = self._after_attention(hidden + self._dropout(attended))
        fed = self.narrowed(functional.gelu(self.widened(hidden)))
        result: torch.Tensor = self._after_feeding(hidden + self._dropout(fed))
        return result


def _bert(graph: Path) -> tuple[BertModel, dict[str, str]]:
    """The encoder in float32, and by the name of each linear layer's weight the name of its weight in the graph."""
    model = onnx.load(graph).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.initializer}
    bert = BertModel(
        BertConfig(hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=4 * WIDTH),
        add_pooling_layer=False,
    )
    state = bert.state_dict()
    for name in state:
        if name in stored:
            state[name] = torch.as_tensor(stored[name].copy())
        elif f"{name}_quantized" in stored:
            state[name] = _dequantised(stored, name)
    names = {}
    for node in model.node:
        module = node.name.removesuffix("/MatMul_quant").removeprefix("/").replace("/", ".") + ".weight"
        if node.op_type == _LINEAR and module in state:
            names[module] = node.input[1].removesuffix("_quantized")
            state[module] = _dequantised(stored, names[module]).T.contiguous()
    bert.load_state_dict(state)
    return bert, names


def _dequantised(stored: dict[str, NDArray[Any]], name: str) -> torch.Tensor:
    quantised, scale, zero = (stored[f"{name}_{part}"] for part in ("quantized", "scale", "zero_point"))
    values = (quantised.astype(np.float32) - zero.astype(np.float32)) * scale
    return torch.as_tensor(values.astype(np.float32))
