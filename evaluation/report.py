"""The figures of a run as a page in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evaluation.summary import COVERAGES, Against, Figure, StrategySummary


def report_lines(found: Sequence[StrategySummary], questions: str, empty: Sequence[str] = ()) -> Iterator[str]:
    """The page, line by line.

    Args:
        found: The figures of each strategy.
        questions: What was asked, in words.
        empty: Names of collections that were asked and hold no documents.
    """
    yield f"# {found[0].questions:,} questions of {questions}"
    yield ""
    yield "Means with their 95 % intervals over questions drawn with replacement. A question that failed counts as 0."
    yield ""
    if empty:
        yield f"Without documents, so that nothing could be found there: {', '.join(map(_cell, empty))}."
        yield ""
    baseline = next((one.against.baseline for one in found if one.against), None)
    compared = [f"against {baseline} (p)"] if baseline else []
    lacking = any(one.against_whole for one in found)
    compared += ["against the whole (p)"] if lacking else []
    yield from table_lines(
        ["strategy", "score", *compared, "answered", "by the graph", "score there", "seconds: median, 95 %", "tokens"],
        (
            [
                one.strategy,
                figure_told(one.score),
                *([_told(one.against)] if baseline else []),
                *([_told(one.against_whole)] if lacking else []),
                f"{one.answered:.2f}",
                f"{one.graph_share:.2f}",
                figure_told(one.graph_score),
                f"{one.median_seconds:.3f}, {one.slow_seconds:.3f}",
                f"{one.tokens:.0f}",
            ]
            for one in found
        ),
    )
    failed = [f"{one.failed} of {one.strategy}" for one in found if one.failed]
    if failed:
        yield f"Questions that failed: {', '.join(failed)}."
        yield ""
    yield from _measures("## Measures", found, [one.measures for one in found])
    yield from _measures("## Groups", found, [one.groups for one in found])
    yield "## Share of wrong answers when only the most confident ones are given"
    yield ""
    yield from table_lines(
        ["strategy", *(f"{coverage:.0%} of the questions" for coverage in COVERAGES)],
        ([one.strategy, *(f"{one.risks[f'{coverage:g}']:.3f}" for coverage in COVERAGES)] for one in found),
    )


def _measures(title: str, found: Sequence[StrategySummary], rows: Sequence[dict[str, Figure]]) -> Iterator[str]:
    names = sorted({name for row in rows for name in row})
    if not names:
        return
    yield title
    yield ""
    yield from table_lines(
        ["", *(one.strategy for one in found)],
        ([_cell(name), *(figure_told(row.get(name)) for row in rows)] for name in names),
    )


def _told(against: Against | None) -> str:
    return "" if against is None else f"{difference_told(against.difference)} ({against.p:.4f})"


def difference_told(figure: Figure) -> str:
    """A difference with its sign and its interval in brackets."""
    return f"{figure.value:+.3f} ({figure.low:+.3f} to {figure.high:+.3f})"


def figure_told(figure: Figure | None) -> str:
    """A mean with its interval in brackets; empty where there is none."""
    return "" if figure is None else f"{figure.value:.3f} ({figure.low:.3f} to {figure.high:.3f})"


def _cell(text: str) -> str:
    """A text of the file of questions, harmless in a table."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")


def table_lines(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table in Markdown, line by line, with an empty line behind it.

    Args:
        columns: Titles of the columns.
        rows: Their cells, harmless in Markdown.
    """
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""
