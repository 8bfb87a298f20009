"""How far a score could be otherwise, had other items been drawn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

SEED: Final = 0
DRAWS: Final = 1_000


def with_interval(rows: Sequence[Counter[str]], score: Callable[[Counter[str]], float], digits: int = 3) -> str:
    """The score of all items, and in brackets its 95 % interval over items drawn with replacement.

    Args:
        rows: Counts of each item (a document, a sentence); the score is of their sum.
        score: Makes the score from counts.
        digits: Digits behind the point.
    """
    draw = random.Random(SEED)
    drawn = sorted(score(sum(draw.choices(rows, k=len(rows)), Counter())) for _ in range(DRAWS))
    low, high = drawn[DRAWS // 40], drawn[-1 - DRAWS // 40]
    return f"{score(sum(rows, Counter())):.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def f1_of(gold: str, found: str, right: str) -> Callable[[Counter[str]], float]:
    """F1 from three counts by their names; 0 where nothing is right."""
    return lambda counts: 2 * counts[right] / max(counts[gold] + counts[found], 1)


def share_of(part: str, whole: str) -> Callable[[Counter[str]], float]:
    """One count by another; 0 where there is nothing to divide by."""
    return lambda counts: counts[part] / max(counts[whole], 1)
