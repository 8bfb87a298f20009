"""The stored figures of strategies, set by set: what `benchmarks.answers` wrote, read again."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from math import erfc, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import Field

from evaluation.report import figure_told
from evaluation.summary import Figure, StrategySummary
from kg.records import Record

PUBLISHED: Final = Path(__file__).parent / "published_figures.toml"
_NORMAL: Final = 1.959964
"""Half of a 95 % interval, in standard errors."""


class StrategyRow(StrategySummary):
    """What one strategy came to on one set."""

    title: str = Field(alias="set")
    """The set of questions."""
    llm: str | None = None
    """The language model that judged and proposed; none without one."""


class Published(Record):
    """A figure that a publication reports."""

    strategy: str
    """The strategy of ours that follows the publication."""
    system: str
    """What was measured there."""
    title: str | None = Field(default=None, alias="set")
    """The set of ours that stands nearest to the publication's; none where there is none."""
    measured_on: str
    """The publication's own set."""
    measure: str
    """The publication's measure."""
    figure: str
    """As it is printed there."""
    beside: str
    """What it is read against there."""
    nearest: str | None = None
    """The measure of ours that stands nearest; none for the main score."""
    model: str
    """The models that it was obtained with."""
    source: str
    """The publication."""
    not_comparable: str
    """Why it cannot be compared with a figure of ours."""


class Pooled(NamedTuple):
    """One difference over the questions of several sets.

    Attributes:
        difference: Its mean over all questions, with its interval.
        p: How likely a difference as large is by chance, of both signs.
    """

    difference: Figure
    p: float


def strategy_rows(path: Path) -> list[StrategyRow]:
    """The rows of a stored result, as they stand there; none where there is no such file.

    Args:
        path: A file that `benchmarks.answers` wrote.
    """
    return [StrategyRow.model_validate(row) for row in stored(path)["rows"]] if path.exists() else []


def stored(path: Path) -> dict[str, Any]:
    """A stored result with its command, data and machine."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def by_variant(rows: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str, str], Mapping[str, Any]]:
    """Rows of `benchmarks.ablations` by their strategy, their variant and their set."""
    return {(row["family"], row["variant"], row["set"]): row for row in rows}


def score_told(row: Mapping[str, Any] | None) -> str:
    """The score of such a row with its interval; a dash where nothing was measured."""
    return "–" if row is None else figure_told(Figure.model_validate(row["score"]))


def published_figures(path: Path = PUBLISHED) -> list[Published]:
    """What the five publications report, in the order of the file."""
    return [Published.model_validate(row) for row in tomllib.loads(path.read_text("utf-8"))["figure"]]


def pooled(differences: Sequence[Figure]) -> Pooled | None:
    """The mean difference over the questions of several sets; none where there are none.

    The sets are taken for independent, and the error of each is read from its interval, as of a normal distribution.

    Args:
        differences: The mean difference on each set, with its 95 % interval.
    """
    questions = sum(figure.questions for figure in differences)
    if not questions:
        return None
    value = sum(figure.value * figure.questions for figure in differences) / questions
    errors = ((figure.high - figure.low) / (2 * _NORMAL) * figure.questions for figure in differences)
    error = sqrt(sum(one**2 for one in errors)) / questions
    p = erfc(abs(value) / error / sqrt(2)) if error else float(value == 0)
    low, high = value - _NORMAL * error, value + _NORMAL * error
    return Pooled(Figure(value=value, low=low, high=high, questions=questions), p)
