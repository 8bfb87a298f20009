"""The coreference head as a torch module on the changed trunk, with the loss it learns by.

Names of parameters and the order of features are those of `models.event_coreference`, which runs them with numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from models.event_coreference import (
    COSINE_CENTRE,
    COSINE_SCALE,
    LIKENESSES,
    VIEWS,
    Telling,
    likenesses,
    tokens_in,
)
from training.low_rank_trunk import WIDTH, Dropout, LowRankTrunk, learned_tensors

_PROJECTED: Final = 64
_HIDDEN: Final = 64
_DROPOUT: Final = 0.2
_TRUNK_DROPOUT: Final = 0.1
_RANK_OF_CHANGES: Final = 8
_FIRST_CHANGED: Final = 8
"""Layers below are left as they are: what they give is computed once, and an epoch takes a third of the time."""
_RARE: Final = -3.0
"""First guess of every pair's score: few are of one event."""


class Read(NamedTuple):
    """A mention in tokens.

    Attributes:
        ids: Token ids of its text.
        tokens: For each view the tokens whose states are averaged.
        chain: What it refers to.
    """

    telling: Telling
    ids: Sequence[int]
    tokens: tuple[Sequence[int], ...]
    chain: str


def read_tokens(telling: Telling, chain: str, ids: Sequence[int], offsets: Sequence[tuple[int, int]]) -> Read:
    """A mention in the tokens of its text, by the views that `models.event_coreference.views` takes."""
    every = (0, offsets[-2][1])
    return Read(
        telling, ids, tuple(tokens_in(offsets, span) for span in (telling.trigger, telling.sentence, every)), chain
    )


class EventNet(nn.Module):
    """Trunk and head."""

    def __init__(self, graph: Path) -> None:
        """Loads the trunk from the packaged graph; the head starts at random."""
        super().__init__()
        self.trunk = LowRankTrunk(graph, _RANK_OF_CHANGES, _TRUNK_DROPOUT, _FIRST_CHANGED)
        self.projection = nn.Linear(VIEWS * WIDTH, _PROJECTED)
        nn.init.normal_(self.projection.weight, std=0.5)
        width = _PROJECTED + VIEWS + len(LIKENESSES)
        first, last = nn.Linear(width, _HIDDEN), nn.Linear(_HIDDEN, 1)
        nn.init.constant_(last.bias, _RARE)
        self.pair = nn.Sequential(first, nn.ReLU(), Dropout(_DROPOUT), last)
        self._below: dict[tuple[int, ...], torch.Tensor] = {}

    def loss(self, mentions: Sequence[Read]) -> torch.Tensor:
        """Binary cross-entropy over all pairs of the mentions of one batch."""
        pairs = [(one, two) for two in range(len(mentions)) for one in range(two)]
        told = torch.as_tensor(likenesses([mention.telling for mention in mentions], pairs))
        gold = torch.tensor([float(mentions[one].chain == mentions[two].chain) for one, two in pairs])
        logits = self.logits(self.vectors(mentions), torch.tensor(pairs), told)
        return functional.binary_cross_entropy_with_logits(logits, gold)

    def vectors(self, mentions: Sequence[Read]) -> torch.Tensor:
        """Vectors of shape (mentions, `VIEWS`, `WIDTH`); each text is read once."""
        texts = list(dict.fromkeys(tuple(mention.ids) for mention in mentions))
        row = {ids: number for number, ids in enumerate(texts)}
        longest = max(map(len, texts))
        below = torch.zeros(len(texts), longest, WIDTH)
        mask = torch.zeros(len(texts), longest)
        for number, text in enumerate(texts):
            below[number, : len(text)] = self._read_below(text)
            mask[number, : len(text)] = 1
        means = torch.zeros(len(mentions), VIEWS, longest)
        for number, mention in enumerate(mentions):
            for view, tokens in enumerate(mention.tokens):
                means[number, view, list(tokens) or [0]] = 1 / max(len(tokens), 1)
        hidden = self.trunk.above(below, mask)
        result: torch.Tensor = means @ hidden[[row[tuple(mention.ids)] for mention in mentions]]
        return result

    def _read_below(self, ids: tuple[int, ...]) -> torch.Tensor:
        """What the changed layers get of a text; kept in half the bits."""
        if ids not in self._below:
            with torch.no_grad():
                states = self.trunk.below(torch.tensor([ids]), torch.ones(1, len(ids)))
            self._below[ids] = states[0].to(torch.bfloat16)
        return self._below[ids].float()

    def logits(self, vectors: torch.Tensor, pairs: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
        """Scores of pairs, as `models.event_coreference.PairHead` gives them."""
        unit = functional.normalize(vectors, dim=-1)
        projected = self.projection(unit.flatten(1))
        one, two = pairs.T
        cosines = COSINE_SCALE * ((unit[one] * unit[two]).sum(-1) - COSINE_CENTRE)
        features = torch.cat([projected[one] * projected[two], cosines, told], -1)
        result: torch.Tensor = self.pair(features)[:, 0]
        return result

    def tensors(self) -> dict[str, NDArray[np.float16]]:
        """All that was learned, in the form of `models.event_coreference`."""
        return learned_tensors(self, self.trunk)
