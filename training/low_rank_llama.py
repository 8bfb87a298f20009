"""A language model of the Llama kind as a torch module whose weights are changed by products of thin matrices (LoRA).

The frozen weights are kept in bfloat16, which most processors multiply about twice as fast; the changes and the loss
stay in float32. What all texts of a batch begin with is read once for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from models.transformers_weights import load_weights

_SCALE: Final = 2.0
"""Factor on each change (alpha / r of the paper); multiplied into the stored matrix."""
_IGNORED: Final = -100


class Change(NamedTuple):
    """The change of one weight: `up @ down` is added to it.

    Attributes:
        down: Shape (rank, inputs).
        up: Shape (outputs, rank), the scale multiplied in.
    """

    down: NDArray[np.float16]
    up: NDArray[np.float16]


class AskedText(NamedTuple):
    """A prompt with its answer in tokens.

    Attributes:
        ids: Of both.
        answer: Place of the first token of the answer, at least 1.
    """

    ids: Sequence[int]
    answer: int


class LowRankLlama(nn.Module):
    """The model with the changes; only they are trained."""

    def __init__(self, path: Path, modules: Sequence[str], rank: int, first: int = 0) -> None:
        """Loads a GGUF file.

        Args:
            path: The file.
            modules: Linear layers that are changed, by their names inside a layer.
            rank: Rank of each change.
            first: The first layer that is changed, from 0.

        Raises:
            ExtraMissing, ModelMissing: as `models.transformers_weights.load_weights`.
        """
        super().__init__()
        loaded = load_weights(str(path))
        self.tokenizer = loaded.tokenizer
        self.trunk = loaded.model.to(torch.bfloat16).requires_grad_(False)
        self._changed: dict[str, _Changed] = {}
        for number, layer in enumerate(self.trunk.model.layers[first:], start=first):
            for name in modules:
                parent, _, last = name.rpartition(".")
                changed = _Changed(layer.get_submodule(name), rank)
                setattr(layer.get_submodule(parent), last, changed)
                self._changed[f"model.layers.{number}.{name}"] = changed

    @property
    def head_size(self) -> int:
        """Outputs of one head of attention."""
        return int(self.trunk.config.hidden_size) // int(self.trunk.config.num_attention_heads)

    def asked(self, messages: Sequence[tuple[str, str]], answer: str) -> AskedText:
        """A conversation and the answer to it in tokens, as the model's chat template writes them.

        Args:
            messages: Role and text of each, the oldest first.
            answer: What the model should answer.
        """
        turns = [{"role": role, "content": text} for role, text in messages]
        prompt = self.tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
        ids = self.tokenizer(prompt, add_special_tokens=False).input_ids
        told = self.tokenizer(answer + self.tokenizer.eos_token, add_special_tokens=False).input_ids
        return AskedText([*ids, *told], len(ids))

    def loss(self, batch: Sequence[AskedText]) -> torch.Tensor:
        """Mean cross entropy of the answers' tokens, in nats."""
        logits, gold = self.scores(batch)
        return functional.cross_entropy(logits, gold)

    def scores(self, batch: Sequence[AskedText]) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of each token of the answers, float32 of shape (tokens, vocabulary), and these tokens."""
        # The last token of a prompt is never shared: what stands behind it tells the first token of the answer.
        shared = _shared([one.ids[: one.answer - 1] for one in batch])
        longest = max(len(one.ids) for one in batch) - shared
        ids = torch.zeros(len(batch), longest, dtype=torch.long)
        gold = torch.full((len(batch), longest), _IGNORED)
        mask = torch.zeros(len(batch), shared + longest, dtype=torch.long)
        for row, one in enumerate(batch):
            rest = torch.tensor(one.ids[shared:])
            ids[row, : len(rest)] = rest
            gold[row, one.answer - 1 - shared : len(rest) - 1] = torch.tensor(one.ids[one.answer :])
            mask[row, : shared + len(rest)] = 1
        beginning = None
        if shared:
            read = self.trunk.model(input_ids=torch.tensor([batch[0].ids[:shared]]), use_cache=True)
            beginning = read.past_key_values
            beginning.batch_repeat_interleave(len(batch))
        states = self.trunk.model(
            input_ids=ids, attention_mask=mask, past_key_values=beginning, use_cache=beginning is not None
        ).last_hidden_state
        told = gold != _IGNORED
        return self.trunk.lm_head(states[told]).float(), gold[told]

    def changes(self) -> dict[str, Change]:
        """The learned changes, by the names of the changed layers."""
        return {name: changed.change() for name, changed in self._changed.items()}


class _Changed(nn.Module):
    """A frozen linear layer without constants, and its change."""

    weight: torch.Tensor

    def __init__(self, linear: Any, rank: int) -> None:
        super().__init__()
        self.register_buffer("weight", linear.weight.detach(), persistent=False)
        outputs, inputs = linear.weight.shape
        self.down = nn.Parameter(torch.randn(rank, inputs) / inputs**0.5)
        self.up = nn.Parameter(torch.zeros(outputs, rank))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        thin = functional.linear(values, self.down.to(values.dtype))
        change = functional.linear(thin, (_SCALE * self.up).to(values.dtype))
        return functional.linear(values, self.weight) + change

    def change(self) -> Change:
        return Change(_halved(self.down), _halved(_SCALE * self.up))


def _halved(values: torch.Tensor) -> NDArray[np.float16]:
    return values.detach().numpy().astype(np.float16)


def _shared(texts: Sequence[Sequence[int]]) -> int:
    """How many tokens all texts begin with alike."""
    count = 0
    for tokens in zip(*texts, strict=False):
        if len(set(tokens)) > 1:
            break
        count += 1
    return count
