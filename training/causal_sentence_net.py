"""The causal sentence heads as a torch module on frozen hidden states."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import nn

from models.weights_card import open_weights
from training.low_rank_trunk import WIDTH, Dropout
from training.sentence_states import STATES

_HIDDEN: Final = 192
_HEADS: Final = 4
_DROPOUT: Final = 0.2
_TOGETHER: Final = 64
"""Sentences that are scored at a time."""


class CausalSentenceNet(nn.Module):
    """A mix of the encoder's layers, the adapted trunk, one transformer layer, and attention pooling.

    The mix is a weighted mean with learned weights (Peters et al. 2018, arXiv 1802.05365, equation 1). All corpora
    share the net but for its last layer.
    """

    def __init__(self, corpora: Sequence[str]) -> None:
        """Starts at random, with an output for each of the corpora."""
        super().__init__()
        self.corpora = tuple(corpora)
        self.mix = nn.Parameter(torch.zeros(STATES - 1))
        self.norm, self.adapted_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.inputs = nn.Linear(2 * WIDTH, _HIDDEN)
        self.queries = nn.Linear(_HIDDEN, 3 * _HIDDEN)
        self.attended = nn.Linear(_HIDDEN, _HIDDEN)
        self.widened, self.narrowed = nn.Linear(_HIDDEN, 2 * _HIDDEN), nn.Linear(2 * _HIDDEN, _HIDDEN)
        self.after_attention, self.after_feeding = nn.LayerNorm(_HIDDEN), nn.LayerNorm(_HIDDEN)
        self.attention = nn.Linear(_HIDDEN, 1)
        self.output = nn.Linear(_HIDDEN, len(self.corpora))
        self._dropout = Dropout(_DROPOUT)

    def forward(self, states: Sequence[NDArray[np.float16]]) -> torch.Tensor:
        """Scores, shape (sentences, corpora): the logits of being causal in the sense of each corpus.

        Args:
            states: Of each sentence what `SentenceStates.read` gives.
        """
        longest = max(map(len, states))
        padded = np.zeros((len(states), longest, STATES, WIDTH), np.float16)
        mask = torch.zeros(len(states), longest, dtype=torch.bool)
        for row, one in enumerate(states):
            padded[row, : len(one)] = one
            mask[row, : len(one)] = True
        tokens = torch.as_tensor(padded).float()
        mixed = torch.einsum("btld,l->btd", tokens[:, :, :-1], self.mix.softmax(0))
        both = torch.cat([self.norm(mixed), self.adapted_norm(tokens[:, :, -1])], -1)
        hidden = self._layer(self._dropout(self.inputs(self._dropout(both))), mask)
        weights = self.attention(hidden)[..., 0].masked_fill(~mask, -1e9).softmax(-1)
        scores: torch.Tensor = self.output(self._dropout((weights[..., None] * hidden).sum(1)))
        return scores

    def _layer(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """A transformer layer (Vaswani et al. 2017, arXiv 1706.03762, section 3)."""
        texts, tokens, width = hidden.shape
        query, key, value = self.queries(hidden).view(texts, tokens, 3, _HEADS, -1).permute(2, 0, 3, 1, 4)
        weights = query @ key.transpose(-1, -2) * (width // _HEADS) ** -0.5
        weights = weights.masked_fill(~mask[:, None, None], -1e9).softmax(-1)
        attended = self.attended((weights @ value).transpose(1, 2).reshape(texts, tokens, width))
        hidden = self.after_attention(hidden + self._dropout(attended))
        fed = self.narrowed(nn.functional.gelu(self.widened(hidden)))
        result: torch.Tensor = self.after_feeding(hidden + self._dropout(fed))
        return result


def probabilities(net: CausalSentenceNet, states: Sequence[NDArray[np.float16]]) -> NDArray[np.float32]:
    """Probabilities, shape (sentences, corpora), of any number of sentences."""
    found = np.zeros((len(states), len(net.corpora)), np.float32)
    order = sorted(range(len(states)), key=lambda place: len(states[place]))
    with torch.no_grad():
        for start in range(0, len(order), _TOGETHER):
            places = order[start : start + _TOGETHER]
            found[places] = net([states[place] for place in places]).sigmoid().numpy()
    return found


class CausalSentenceHeads:
    """The nets of one folder, of which every sentence gets the mean.

    Attributes:
        corpora: Whose notions of a causal sentence they know.
    """

    def __init__(self, folder: Path) -> None:
        """Loads a folder that `training.causal_sentences` wrote.

        Raises:
            ModelDamaged: a file is missing or is not the one that was written.
        """
        weights = open_weights(folder)
        self.corpora: Sequence[str] = weights.card["corpora"]
        self._thresholds: dict[str, float] = weights.card["thresholds"]
        self._nets = []
        for file in sorted(weights.sha256):
            net = CausalSentenceNet(self.corpora)
            net.load_state_dict(load_file(folder / file))
            self._nets.append(net.eval())

    def are_causal(self, states: Sequence[NDArray[np.float16]], corpus: str) -> list[bool]:
        """Of each sentence whether it is causal in the sense of a corpus."""
        column = self.corpora.index(corpus)
        mean = np.mean([probabilities(net, states)[:, column] for net in self._nets], axis=0)
        return [bool(one >= self._thresholds[corpus]) for one in mean]
