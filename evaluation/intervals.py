"""How far a mean could be otherwise, had other questions been drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

SEED: Final = 0
_DRAWS: Final = 2_000
_AT_ONCE: Final = 100
"""Draws that are held in memory at once."""


class Mean(NamedTuple):
    """A mean with its 95 % interval over items drawn with replacement (Efron 1979).

    Attributes:
        value: The mean of all items.
        low: Bound that 2.5 % of the draws stay below.
        high: Bound that 2.5 % of the draws go above.
        items: How many there are.
    """

    value: float
    low: float
    high: float
    items: int

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


def mean_of(values: Sequence[float], seed: int = SEED) -> Mean:
    """The mean and its interval; the same values in the same order give the same figures.

    Raises:
        ValueError: there are no values.
    """
    if not values:
        raise ValueError("the mean of nothing")
    items = np.asarray(values, dtype=np.float64)
    draw = np.random.default_rng(seed)
    means = [draw.choice(items, (_AT_ONCE, len(items))).mean(axis=1) for _ in range(_DRAWS // _AT_ONCE)]
    low, high = np.quantile(np.concatenate(means), (0.025, 0.975))
    return Mean(float(items.mean()), float(low), float(high), len(items))


def paired_p(differences: Sequence[float], seed: int = SEED) -> float:
    """How likely a mean difference as large as this one is by chance, either way: signs are drawn (Fisher 1935).

    Args:
        differences: One for each item, of the same item under two ways.
        seed: Of the signs.

    Returns:
        0 to 1, never below one by the number of draws; 1 where nothing differs.
    """
    values = np.asarray([value for value in differences if value], dtype=np.float64)
    if not len(values):
        return 1.0
    draw = np.random.default_rng(seed)
    seen = abs(values.sum()) - 1e-9
    beyond = 0
    for _ in range(_DRAWS * 5 // _AT_ONCE):
        signs = draw.choice((-1.0, 1.0), (_AT_ONCE, len(values)))
        beyond += int((np.abs(signs @ values) >= seen).sum())
    return (beyond + 1) / (_DRAWS * 5 + 1)
