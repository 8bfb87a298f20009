"""The ablations of ours in the shape of the tables that the publications print."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.strategy_rows import by_variant, score_told
from evaluation.report import table_lines
from kg.records import Record

PUBLISHED: Final = Path(__file__).parent / "published_ablations.toml"
_WITHOUT_TABLE: Final = """\
The abductive publication names what it leaves out and prints no table, and that of the two agents compares the graph
with hybrid retrieval topic by topic: [choosing among offered causes](#choosing-among-offered-causes). Published
figures are in the publications' own measures and of other questions, so that only the order of the lines can be
compared.
"""


class Line(Record):
    """One line of a published table.

    Attributes:
        told: What the publication calls it.
        figures: Its figures there, one for each set, as they are printed.
        variant: The variant of ours that stands nearest; none where there is none.
        why: Why there is none; else empty.
    """

    told: str
    figures: str
    variant: str | None = None
    why: str = ""


class PublishedTable(Record):
    """One published table.

    Attributes:
        system: What the publication is called by.
        strategy: The strategy that implements it.
        published: What its figures measure, and on which sets.
        sets: Sets of ours that stand beside them.
        lines: In the order of the publication.
    """

    system: str
    strategy: str
    published: str
    sets: tuple[str, ...]
    lines: tuple[Line, ...]


def published_tables(path: Path = PUBLISHED) -> list[PublishedTable]:
    """The tables in the order of the file."""
    return [PublishedTable.model_validate(one) for one in tomllib.loads(path.read_text("utf-8"))["table"]]


def ablations_as_published(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Lines of Markdown: each published table with our scores beside its figures.

    Args:
        rows: Of `benchmarks.ablations`.
    """
    found = by_variant(rows)
    yield "## Ablations in the shape of the publications"
    yield ""
    yield from _WITHOUT_TABLE.splitlines()
    yield ""
    for table in published_tables():
        cells = (
            [
                one.told,
                one.figures,
                one.why if one.variant is None else f"`{one.variant}`",
                *(score_told(found.get((table.strategy, str(one.variant), title))) for title in table.sets),
            ]
            for one in table.lines
        )
        yield from table_lines([table.system, table.published, f"`{table.strategy}`", *table.sets], cells)
