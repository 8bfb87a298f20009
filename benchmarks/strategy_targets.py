"""What the strategies are meant to reach, and whether they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from benchmarks.strategy_rows import StrategyRow, pooled
from evaluation.report import difference_told

DEFAULT: Final = "default"
BASELINE: Final = "text-only"
RERANKED: Final = "default, reranked"
"""The default with passages that a judge of relevance chooses."""
_OF_WHY: Final = ("reports", "why-questions")
"""The sets that ask why: others hold such a question only by chance."""
_SET_NOTHING: Final = ", odd places"
"""The questions of `benchmarks.multihop` that set no figure."""
_WEIGHTS: Final = ("shipped", "research")
"""The trained judges: those that are packaged, and those that learn from sets whose licence forbids that too."""
_CONTRAST: Final = ("counterfactual", "reports")
_SHARE_OF_WHY: Final = 0.3
_BETTER: Final = 0.03
_LIKELY: Final = 0.05
_MORE_FOUND: Final = 0.05
_REACHABLE: Final = 2 / 3
"""Of a larger error e, half of the answers keep more than e / 2 even with every right one in front: 2 e - 1."""


class Target(NamedTuple):
    """One target.

    Attributes:
        told: What is to be reached.
        measured: What was measured, in words.
        met: Whether that reaches it; none where it was not measured.
    """

    told: str
    measured: str
    met: bool | None


def targets(rows: Sequence[StrategyRow]) -> Iterator[Target]:
    """Each target with what was measured without a language model.

    Args:
        rows: The figures of all strategies on all sets.
    """
    known = {(row.title, row.strategy): row for row in rows}
    own = [row for row in rows if row.strategy == DEFAULT]
    yield _not_below(own)
    yield _by_graph([row for row in own if row.title in _OF_WHY])
    yield _better_by_graph(own)
    yield _of_the_graph([row for row in own if row.title in _OF_WHY])
    yield _half_the_error(own)
    for strategy, title, most in ((DEFAULT, "reports", 0.15), (RERANKED, "reports", 1.0), (*_CONTRAST, 3.0)):
        yield _seconds(
            f"{strategy}: a question to the {title} in {most:g} s (median)", known.get((title, strategy)), most
        )
    first = known[at].measures.get("first") if (at := ("XQuAD", DEFAULT)) in known else None
    yield _least(
        "XQuAD: the quote that is shown first holds the answer in 0.80", None if first is None else first.value, 0.8
    )


def stored_targets(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[Target]:
    """Each target of choosing causes and of finding passages, by what other measurements stored.

    Args:
        tables: Stored results by name; `choices`, `nearest_sentences` and `multihop` are looked at.
    """
    chosen = _cells(tables.get("choices"))
    for weights in _WEIGHTS if any(f"{_WEIGHTS[-1]} weights" in name for name in chosen) else _WEIGHTS[:1]:
        for part, least in (("AER all", 0.75), ("AER shortcut-free", 0.63)):
            value = _first(chosen, part, f"{weights} weights")
            yield _least(f"{part}: score {least:g}, {weights} weights", value, least)
        for measure in ("recall", "precision"):
            told = f"AER, “none of the others” right half of the time: {measure} 0.60, {weights} weights"
            value = _first(chosen, "AER, “none of the others”", f"{weights} weights, {measure}")
            yield _least(told, value, 0.6)
    changed = _first(chosen, "choices that the order of the options changed")
    told = "AER: the order of the options changes no choice (100 questions, turned round)"
    yield Target(told, "" if changed is None else f"{changed:g} changed", None if changed is None else not changed)
    ranked = _first(_cells(tables.get("nearest_sentences")), "odd articles")
    yield _least("XQuAD, odd articles: the sentence that helps most holds the answer in 0.80", ranked, 0.8)
    found = _cells(tables.get("multihop"))
    for title in ("HotpotQA", "MuSiQue"):
        bridged, plain = (_first(found, f"{title}{_SET_NOTHING}, ", f", {one}") for one in ("bridges", "plain"))
        told = f"{title}{_SET_NOTHING}: recall at 5 of the supporting passages 5 points above the encoder alone"
        if bridged is None or plain is None:
            yield Target(told, "", None)
        else:
            measured = f"recall at 5 {bridged:.3f}, by the encoder alone {plain:.3f}"
            yield Target(told, measured, round(bridged - plain, 6) >= _MORE_FOUND)


def _cells(table: Mapping[str, Any] | None) -> Mapping[str, list[str]]:
    return {} if table is None else {name: list(found) for name, found in table["figures"].items()}


def _first(cells: Mapping[str, list[str]], start: str, end: str = "") -> float | None:
    """The figure in the first column of the first row of such a name."""
    return next(
        (float(found[0].split()[0]) for name, found in cells.items() if name.startswith(start) and name.endswith(end)),
        None,
    )


def _not_below(own: Sequence[StrategyRow]) -> Target:
    told = f"Over all sets, `{DEFAULT}` is not below `{BASELINE}`"
    found = pooled([row.against.difference for row in own if row.against is not None])
    if found is None:
        return Target(told, "", None)
    lost = [row.title for row in own if row.against and row.against.difference.value < 0 and row.against.p < _LIKELY]
    measured = f"{difference_told(found.difference)}, p {found.p:.4f}, over {found.difference.questions} questions"
    measured += f"; below it by a paired test on {', '.join(lost)}" if lost else "; on no set below it by a paired test"
    return Target(told, measured, found.difference.value >= 0 and not lost)


def _by_graph(own: Sequence[StrategyRow]) -> Target:
    told = f"At least {_SHARE_OF_WHY:.0%} of the why-questions of each set of them are answered by the graph or mixed"
    shares = {row.title: row.graph_share_of_why for row in own if row.graph_share_of_why is not None}
    measured = ", ".join(f"{title} {share:.2f}" for title, share in shares.items())
    return Target(told, measured, min(shares.values()) >= _SHARE_OF_WHY if shares else None)


def _better_by_graph(own: Sequence[StrategyRow]) -> Target:
    told = f"What the graph answers, over all sets, scores {100 * _BETTER:g} points above `{BASELINE}`"
    found = pooled([row.graph_against.difference for row in own if row.graph_against is not None])
    if found is None:
        return Target(told, "", None)
    measured = f"{difference_told(found.difference)}, p {found.p:.4f}, over {found.difference.questions} questions"
    return Target(told, measured, found.difference.value >= _BETTER)


def _of_the_graph(own: Sequence[StrategyRow]) -> Target:
    """Both at once, set by set: the graph answers enough why-questions, and those better."""
    told = f"Each set of why-questions: {_SHARE_OF_WHY:.0%} by the graph, and those {100 * _BETTER:g} points better"
    parts, met = [], []
    for row in own:
        if row.graph_against is not None and row.graph_share_of_why is not None:
            better = row.graph_against
            parts.append(
                f"{row.title} {row.graph_share_of_why:.2f} and {better.difference.value:+.3f} (p {better.p:.4f})"
            )
            met.append(row.graph_share_of_why >= _SHARE_OF_WHY and better.difference.value >= _BETTER)
    return Target(told, ", ".join(parts), all(met) if met else None)


def _half_the_error(own: Sequence[StrategyRow]) -> Target:
    told = "On every set, the error at half coverage is at most half of that at full"
    reached = {row.title: row.risks["0.5"] <= row.risks["1"] / 2 for row in own}
    parts = [f"{row.title} {row.risks['0.5']:.3f} of {row.risks['1']:.3f}" for row in own]
    measured = f"on {sum(reached.values())} of {len(reached)} sets: {', '.join(parts)}"
    beyond = [row.title for row in own if row.risks["1"] > _REACHABLE]
    if beyond:
        measured += f"; more than two thirds wrong, so that no order of the answers could meet it: {', '.join(beyond)}"
    return Target(told, measured, all(reached.values())) if reached else Target(told, "", None)


def _seconds(told: str, row: StrategyRow | None, most: float) -> Target:
    return (
        Target(told, "", None)
        if row is None
        else Target(told, f"{row.median_seconds:.3f} s", row.median_seconds <= most)
    )


def _least(told: str, value: float | None, least: float) -> Target:
    return Target(told, "", None) if value is None else Target(told, f"{value:.3f}", value >= least)
