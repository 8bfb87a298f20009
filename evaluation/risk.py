"""How often answers are wrong when only the most confident ones are given (El-Yaniv and Wiener 2010)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple


class RiskPoint(NamedTuple):
    """One point of the curve.

    Attributes:
        coverage: Share of the questions that are answered, above 0 to 1.
        risk: Mean loss of those answers, 0 to 1.
        confidence: Least confidence among them.
    """

    coverage: float
    risk: float
    confidence: float


def risk_curve(answers: Iterable[tuple[float, float]]) -> list[RiskPoint]:
    """A point for each level of confidence, most confident first.

    Answers of equal confidence come in together, so that their order says nothing.

    Args:
        answers: Confidence and score of each, both 0 to 1.
    """
    ranked = sorted(answers, key=lambda answer: -answer[0])
    points, done, loss = [], 0, 0.0
    for confidence, level in groupby(ranked, key=lambda answer: answer[0]):
        scores = [score for _, score in level]
        done += len(scores)
        loss += sum(1 - score for score in scores)
        points.append(RiskPoint(done / len(ranked), loss / done, confidence))
    return points


def risk_at(points: list[RiskPoint], coverage: float) -> float:
    """The mean loss at a coverage; between two points, as if those of one level came in any order.

    Raises:
        ValueError: the curve has no points, or the coverage is not above 0 and at most 1.
    """
    if not points or not 0 < coverage <= 1:
        raise ValueError("a risk needs points, and a coverage above 0 and at most 1")
    before = RiskPoint(0.0, 0.0, 1.0)
    for point in points:
        if point.coverage >= coverage - 1e-12:
            lost, lost_before = point.risk * point.coverage, before.risk * before.coverage
            share = (coverage - before.coverage) / (point.coverage - before.coverage)
            return (lost_before + share * (lost - lost_before)) / coverage
        before = point
    return points[-1].risk
