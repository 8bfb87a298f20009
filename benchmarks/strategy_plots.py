"""Pictures (SVG) of what strategies came to: scores with their intervals, and risk-coverage curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.strategy_rows import StrategyRow

_ACROSS: Final = 4
"""Panels side by side."""
_STYLE: Final[dict[str, object]] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "causetrail",
    "font.size": 8,
    "font.family": "DejaVu Sans",
}
"""Text stays text of one family, and equal figures give equal bytes."""


def draw_scores(path: Path, sets: Mapping[str, Sequence[StrategyRow]]) -> None:
    """Writes a panel for each set, and in it the score of each strategy with its 95 % interval.

    Args:
        path: File that is written.
        sets: By title, the figures of each strategy.
    """
    names = list(dict.fromkeys(row.strategy for rows in sets.values() for row in rows))
    with _panels(path, list(sets)) as (_, panels):
        for axis, rows in zip(panels, sets.values(), strict=True):
            for row in rows:
                score, place = row.score, names.index(row.strategy)
                axis.plot((score.low, score.high), (place, place), color=f"C{place}", linewidth=1)
                axis.plot(score.value, place, color=f"C{place}", marker="o", markersize=3)
            axis.set(xlim=(0, 1), ylim=(len(names) - 0.5, -0.5), xlabel="score")
            axis.set_yticks(range(len(names)), names)
            axis.label_outer()


def draw_risks(path: Path, sets: Mapping[str, Sequence[StrategyRow]]) -> None:
    """Writes a panel for each set, and in it how often each strategy errs over the share that is answered.

    Args:
        path: File that is written.
        sets: By title, the figures of each strategy.
    """
    with _panels(path, list(sets)) as (figure, panels):
        names = list(dict.fromkeys(row.strategy for rows in sets.values() for row in rows))
        for axis, rows in zip(panels, sets.values(), strict=True):
            for row in rows:
                points = sorted((float(coverage), risk) for coverage, risk in row.risks.items())
                color = f"C{names.index(row.strategy)}"
                axis.plot(*zip(*points, strict=True), color=color, label=row.strategy, linewidth=0.8)
            axis.set(xlim=(0, 1), ylim=(0, 1), xlabel="share answered", ylabel="mean loss")
            axis.label_outer()
        drawn = {line.get_label(): line for axis in panels for line in axis.lines}
        figure.legend([drawn[name] for name in names], names, loc="outside right center", frameon=False)


@contextmanager
def _panels(path: Path, titles: Sequence[str]) -> Iterator[tuple[Figure, list[Axes]]]:
    across = min(_ACROSS, len(titles))
    down = -(-len(titles) // across)
    with rc_context(_STYLE):  # type: ignore[arg-type]
        figure = Figure(figsize=(2.2 * across + 0.8, 2.1 * down), layout="constrained")
        axes = [*figure.subplots(down, across, sharex=True, sharey=True, squeeze=False).flat]
        for axis, title in zip(axes, titles, strict=False):
            axis.set_title(title)
        for axis in axes[len(titles) :]:
            axis.set_axis_off()
        yield figure, axes[: len(titles)]
        figure.savefig(path, format="svg", metadata={"Date": None})
