"""The factuality heads as torch modules.

Names of parameters and the order of features are those of `models.factuality_heads`, which runs them with numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models.factuality_heads import MODALITIES, NOWHERE, PLACES, RELATIONS, window
from models.relation_heads import Floats, Words
from training.low_rank_trunk import Dropout

_DROPOUT: Final = 0.3


class Windows(NamedTuple):
    """The words in and around the anchors of each item; the first axis of all is that of the items.

    Attributes:
        words: Their vectors, float16 of shape (items, anchors, `PLACES`, dimension).
        inside: Where a word stands, shape (items, anchors, `PLACES`).
        means: Mean vectors of the anchors, shape (items, anchors, dimension).
    """

    words: NDArray[np.float16]
    inside: NDArray[np.bool_]
    means: Floats

    def chosen(self, rows: NDArray[np.int64]) -> Windows:
        """Some of the items."""
        return Windows(self.words[rows], self.inside[rows], self.means[rows])


def windows_of(items: Iterable[tuple[Floats, Sequence[Words]]]) -> Windows:
    """The windows of items: the vectors of a sentence's words, and the anchors in it."""
    words, inside, means = [], [], []
    for early, spans in items:
        places = np.array([window(span, len(early)) for span in spans])
        inside.append(places != NOWHERE)
        words.append((early[places] * inside[-1][..., None]).astype(np.float16))
        means.append(np.stack([early[first : last + 1].mean(0) for first, last in spans]))
    return Windows(np.array(words), np.array(inside), np.array(means))


class WindowReader(nn.Module):
    """Attention around anchors, with the anchors' own words."""

    def __init__(self, width: int, anchors: int, heads: int, values: int) -> None:
        """Starts at random.

        Args:
            width: Dimension of the vectors of words.
            anchors: How many of them each item has.
            heads: Learned queries for each.
            values: Dimension of what a head attends to, and of what an anchor's own words give.
        """
        super().__init__()
        self.features = anchors * (heads + 1) * values
        self._shape = anchors, heads, width
        self.query = nn.Linear(width, anchors * heads, bias=False)
        self.place = nn.Parameter(torch.zeros(anchors, heads, PLACES))
        self.value, self.span = nn.Linear(width, values), nn.Linear(width, values)
        self._dropout = Dropout(_DROPOUT)

    def forward(self, windows: Windows) -> torch.Tensor:
        """Features of shape (items, `features`)."""
        words, inside = torch.as_tensor(windows.words).float(), torch.as_tensor(windows.inside)
        scores = torch.einsum("iapd,ahd->iahp", words, self.query.weight.view(self._shape)) + self.place
        weights = scores.masked_fill(~inside[:, :, None], -1e9).softmax(-1)
        attended = (weights @ self.value(self._dropout(words)).relu()).flatten(2)
        own = self.span(self._dropout(torch.as_tensor(windows.means))).relu()
        return torch.cat([attended, own], -1).flatten(1)


class TellingNet(nn.Module):
    """Relation and modality, from cause, effect and signal."""

    def __init__(self, width: int) -> None:
        """Starts at random for vectors of words of this dimension."""
        super().__init__()
        self.words = WindowReader(width, anchors=3, heads=6, values=32)
        self.mixed = nn.Linear(self.words.features + 1, 96)
        self.told = nn.Linear(96, len(RELATIONS) + len(MODALITIES))
        self._dropout = Dropout(_DROPOUT)

    def forward(self, windows: Windows, signalled: Floats) -> torch.Tensor:
        """Scores of the relations and of the modalities, shape (items, both).

        Args:
            windows: Around cause, effect and signal.
            signalled: 1 where a signal is known, shape (items, 1).
        """
        features = torch.cat([self.words(windows), torch.as_tensor(signalled)], 1)
        scores: torch.Tensor = self.told(self._dropout(self.mixed(features).relu()))
        return scores


class DenialNet(nn.Module):
    """Whether what a word names is denied."""

    def __init__(self, width: int) -> None:
        """Starts at random for vectors of words of this dimension."""
        super().__init__()
        self.words = WindowReader(width, anchors=1, heads=4, values=24)
        self.mixed, self.told = nn.Linear(self.words.features, 48), nn.Linear(48, 1)
        self._dropout = Dropout(_DROPOUT)

    def forward(self, windows: Windows) -> torch.Tensor:
        """Log-odds, shape (items,)."""
        scores: torch.Tensor = self.told(self._dropout(self.mixed(self.words(windows)).relu()))[:, 0]
        return scores


def tensors_of(name: str, net: nn.Module) -> dict[str, NDArray[np.float16]]:
    """All that a net learned, under its name."""
    return {f"{name}.{key}": value.numpy().astype(np.float16) for key, value in net.state_dict().items()}
