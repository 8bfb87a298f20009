"""From the records of several strategies to the figures that are read side by side: a report, light to print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from math import ceil
from statistics import median
from types import MappingProxyType
from typing import Final

from evaluation.intervals import Mean, mean_of, paired_p
from evaluation.records import QuestionRecord
from evaluation.risk import risk_at, risk_curve
from evaluation.scores import main_score
from kg.records import Mode, Record

COVERAGES: Final = (0.25, 0.5, 0.75, 1.0)
"""Those that are read in a table; among the ones of the curve."""
_WHY: Final = "why"
"""How the trace names such a question."""
_CURVE: Final = tuple(share / 20 for share in range(1, 21))


class Figure(Record):
    """A mean over questions, with its 95 % interval."""

    value: float
    low: float
    high: float
    questions: int
    """How many it is the mean of."""


class Against(Record):
    """The main score of a strategy less that of another, on the same questions."""

    baseline: str
    """The other one."""
    difference: Figure
    """Above 0 where the strategy is better."""
    p: float
    """How likely a difference as large is by chance."""


class StrategySummary(Record):
    """What one strategy came to."""

    strategy: str
    questions: int
    failed: int
    """Questions that ended with an error; they count as answered wrongly."""
    score: Figure
    """The main score: the first of `choice`, `answer`, `quotes` and `verdict` that a question has."""
    measures: dict[str, Figure]
    """Each measure over the questions that have it."""
    groups: dict[str, Figure]
    """The main score of each group."""
    answered: float
    """Share of the questions that were answered at all."""
    answered_risk: float
    """Mean loss of the questions that were answered; 0 where none was."""
    graph_share: float
    """Share that was answered from the graph, alone or with text."""
    graph_score: Figure | None
    """The main score of those; none where there are none."""
    graph_against: Against | None
    """Compared with the baseline on those; none as for `against`, and where there are none."""
    graph_share_of_why: float | None
    """Share of the questions why that was answered from the graph, alone or with text; none where none asks why."""
    risks: dict[str, float]
    """Mean loss when only the most confident share is answered, by that share."""
    median_seconds: float
    slow_seconds: float
    """A question in twenty takes longer."""
    tokens: float
    """Mean tokens of language models."""
    against: Against | None
    """Compared with the baseline; none for the baseline, and where there is none."""
    against_whole: Against | None = None
    """A strategy that lacks some stages, compared with the whole one; none for a whole one."""


def summarise(
    runs: Mapping[str, Sequence[QuestionRecord]],
    baseline: str = "text-only",
    whole_of: Mapping[str, str] = MappingProxyType({}),
) -> list[StrategySummary]:
    """The figures of each strategy, in the order given.

    Args:
        runs: The records of each strategy, all of the same questions in the same order.
        baseline: The strategy that the others are compared with, where it is among them.
        whole_of: By the name of a strategy that lacks some stages, that of the whole one, which is among them.
    """
    known = {name: [main_score(record.scores) for record in records] for name, records in runs.items()}
    return [_summary(name, records, known, baseline, whole_of.get(name)) for name, records in runs.items()]


def _summary(
    name: str,
    records: Sequence[QuestionRecord],
    known: Mapping[str, Sequence[float]],
    baseline: str,
    whole: str | None,
) -> StrategySummary:
    scores = known[name]
    measures = sorted({measure for record in records for measure in record.scores})
    by_group: dict[str, list[float]] = {}
    for record, score in zip(records, scores, strict=True):
        if record.group is not None:
            by_group.setdefault(record.group, []).append(score)
    of_graph = [record.answered and record.mode in {Mode.GRAPH, Mode.MIXED} for record in records]
    why = [told for record, told in zip(records, of_graph, strict=True) if _asks_why(record)]
    others = known[baseline] if baseline in known and name != baseline else None
    graph = [*compress(scores, of_graph)]
    answered = [score for record, score in zip(records, scores, strict=True) if record.answered]
    curve = risk_curve((record.confidence, score) for record, score in zip(records, scores, strict=True))
    seconds = sorted(record.seconds for record in records)
    return StrategySummary(
        strategy=name,
        questions=len(records),
        failed=sum(record.error is not None for record in records),
        score=_figure(mean_of(scores)),
        measures={
            measure: _figure(mean_of([record.scores[measure] for record in records if measure in record.scores]))
            for measure in measures
        },
        groups={group: _figure(mean_of(by_group[group])) for group in sorted(by_group)},
        answered=len(answered) / len(records),
        answered_risk=1 - sum(answered) / len(answered) if answered else 0.0,
        graph_share=len(graph) / len(records),
        graph_score=_figure(mean_of(graph)) if graph else None,
        graph_against=_against(graph, [*compress(others, of_graph)], baseline) if others and graph else None,
        graph_share_of_why=sum(why) / len(why) if why else None,
        risks={f"{coverage:g}": round(risk_at(curve, coverage), 6) for coverage in _CURVE},
        median_seconds=median(seconds),
        slow_seconds=seconds[ceil(0.95 * len(seconds)) - 1],
        tokens=sum(record.tokens for record in records) / len(records),
        against=_against(scores, others, baseline) if others else None,
        against_whole=None if whole is None else _against(scores, known[whole], whole),
    )


def _asks_why(record: QuestionRecord) -> bool:
    if record.answer is None:
        return False
    return any(step.step == "question" and step.detail.get("kind") == _WHY for step in record.answer.trace)


def _against(scores: Sequence[float], others: Sequence[float], baseline: str) -> Against:
    differences = [score - other for score, other in zip(scores, others, strict=True)]
    return Against(baseline=baseline, difference=_figure(mean_of(differences)), p=round(paired_p(differences), 6))


def _figure(mean: Mean) -> Figure:
    return Figure(value=round(mean.value, 6), low=round(mean.low, 6), high=round(mean.high, 6), questions=mean.items)
