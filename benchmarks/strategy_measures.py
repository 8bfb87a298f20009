"""What the page of the strategies tells beside the scores: other measures of the answers, and inferences by source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.strategy_rows import StrategyRow
from benchmarks.strategy_targets import DEFAULT
from evaluation.report import figure_told, table_lines

_MEASURES: Final = {
    "exact": "exact match",
    "f1": "word F1",
    "first": "first quote right",
    "quotes": "sentences shown",
    "verdict": "verdict right",
}
"""By their names in the records; the score of a set is the first of another list."""
_SOURCES: Final = {"sick": "SICK", "scitail": "SciTail", "climate-fever": "Climate-FEVER", "control": "ConTRoL"}


_SILENCE: Final = frozenset({"no answer", "no cause told", "not in documents"})
"""Groups of questions that must not be answered."""
_DECISIONS: Final = frozenset({"yes", "no", "maybe"})
_PAIRS: Final = ("e-CARE, causes", "balanced COPA, causes")
"""Sets with two options, one of them right."""


def unread_scores(rows: Sequence[StrategyRow], choices: Mapping[str, Any] | None) -> dict[str, str]:
    """By set, what is scored without reading anything: silence, the commonest decision, any option.

    Args:
        rows: Figures of the strategies.
        choices: What `benchmarks.choices` stored, with the rule for AER.
    """
    found = dict.fromkeys(_PAIRS, "0.500 (any option)")
    for name, cells in {} if choices is None else choices["figures"].items():
        if name.startswith("AER all"):
            found["AER"] = f"{cells[-1]} (“none of the others”, else equal options, else any)"
    for row in rows:
        sizes = {group: figure.questions for group, figure in row.groups.items()}
        if row.strategy == DEFAULT and sizes.keys() & _SILENCE:
            silent = sum(size for group, size in sizes.items() if group in _SILENCE)
            found[row.title] = f"{silent / row.questions:.3f} (answering nothing)"
        elif row.strategy == DEFAULT and sizes and sizes.keys() <= _DECISIONS:
            commonest = max(sizes, key=lambda group: sizes[group])
            found[row.title] = f"{sizes[commonest] / row.questions:.3f} (“{commonest}” to all)"
    return found


def same_as_default(rows: Sequence[StrategyRow]) -> list[str]:
    """The strategies that score as the default does on every set that both were asked."""
    known = {row.title: row.score.value for row in rows if row.strategy == DEFAULT}
    names = dict.fromkeys(row.strategy for row in rows if row.strategy != DEFAULT)
    return [
        name
        for name in names
        if all(known.get(row.title, row.score.value) == row.score.value for row in rows if row.strategy == name)
    ]


def measures_table(rows: Sequence[StrategyRow], with_model: Sequence[StrategyRow]) -> Iterator[str]:
    """A line for each strategy on each set that has one of these measures.

    Args:
        rows: Figures without a language model.
        with_model: Figures with one.
    """
    yield "## Other measures of the same answers"
    yield ""
    yield (
        "The share that was answered at all, and how much of that was wrong. Exact match and word F1 of the better of "
        "the text and the first quote; whether the first quote holds a right answer or is a sentence of the proof; the "
        "share of the sentences of the proof that are shown; whether the verdict is right. A dash stands where a set "
        "does not say."
    )
    yield ""
    yield from table_lines(
        ["set", "strategy", "answered", "wrong when answered", *_MEASURES.values()],
        (
            [
                row.title,
                row.strategy if row.llm is None else f"{row.strategy}, {row.llm}",
                f"{row.answered:.2f}",
                f"{row.answered_risk:.3f}",
                *(figure_told(row.measures.get(name)) or "–" for name in _MEASURES),
            ]
            for row in (*rows, *with_model)
        ),
    )


def inferences_table(judges: Mapping[str, Any] | None) -> Iterator[str]:
    """The judge of entailment, which all strategies that judge rest on, by the source of its test pairs.

    Args:
        judges: What `benchmarks.judges` stored; nothing is told without it.
    """
    if judges is None:
        return
    yield "## Inferences by source"
    yield ""
    yield (
        "Accuracy of the judge of entailment on test pairs, with the weights that are shipped and with those for "
        f"research, beside the encoder alone. Made on {judges['date']}, {judges['machine']}; the command stands under "
        "[judges](measurements.md#judges)."
    )
    yield ""
    yield from table_lines(
        ["source", "pairs", *judges["columns"]],
        (
            [_SOURCES.get(source, source), pairs.removesuffix(" pairs"), *found]
            for (task, source, pairs, measure), found in _parted(judges["figures"])
            if task == "entailment" and measure == "accuracy"
        ),
    )


def _parted(figures: Mapping[str, list[str]]) -> Iterator[tuple[tuple[str, str, str, str], list[str]]]:
    """The figures whose names have four parts."""
    for name, found in figures.items():
        parts = name.split(", ")
        if len(parts) == 4:
            yield (parts[0], parts[1], parts[2], parts[3]), found
