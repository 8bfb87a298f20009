"""Several measurements of one thing as one text."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np


def spread(values: Sequence[float]) -> str:
    """Median, then least and most in brackets; the value alone where there is one."""
    middle = _short(median(values))
    return middle if len(values) == 1 else f"{middle} ({_short(min(values))} to {_short(max(values))})"


def percentiles(values: Sequence[float]) -> str:
    """The value that half of them reach at most, and the one that 99 of 100 do."""
    middle, high = np.percentile(np.array(values), [50, 99])
    return f"p50 {_short(float(middle))}, p99 {_short(float(high))}"


def _short(value: float) -> str:
    """Three digits that count."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
