"""Reliability diagrams: how often claims are right, over their confidence (DeGroot and Fienberg 1983)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

_COUNTS: Final = 0.02
"""Height at which the numbers of claims are written."""
_TICKS: Final = (0, 0.5, 1)


class Point(NamedTuple):
    """The claims of one bin.

    Attributes:
        confidence: Their mean confidence, 0 to 1.
        right: Share of them that is right.
        claims: How many they are.
    """

    confidence: float
    right: float
    claims: int


def draw(path: Path, panels: Mapping[str, Mapping[str, Sequence[Point]]]) -> None:
    """Writes a picture (SVG) with a panel for each way of reading and a line for each meaning of "right".

    Below each point stands the number of its claims, which is that of all lines.

    Args:
        path: File that is written.
        panels: By title, and then by the name of the line, its points.
    """
    # Text stays text, and equal figures give equal bytes.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "causetrail", "font.size": 8}):
        figure = Figure(figsize=(2.4 * len(panels), 2.4), layout="constrained")
        axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for axis, (title, lines) in zip(axes, panels.items(), strict=True):
            _panel(axis, lines)
            axis.set(title=title, xlabel="confidence", xticks=_TICKS, yticks=_TICKS, aspect="equal")
        axes[0].set_ylabel("share right")
        axes[0].legend(frameon=False, loc="upper left")
        figure.savefig(path, format="svg", metadata={"Date": None})


def _panel(axis: Axes, lines: Mapping[str, Sequence[Point]]) -> None:
    axis.plot((0, 1), (0, 1), color="0.7", linewidth=0.8, linestyle="--")
    for name, points in lines.items():
        confidences, shares = [point.confidence for point in points], [point.right for point in points]
        axis.plot(confidences, shares, label=name, linewidth=0.8, marker="o", markersize=3)
    for point in next(iter(lines.values())):
        axis.annotate(str(point.claims), (point.confidence, _COUNTS), ha="center", fontsize=5)
