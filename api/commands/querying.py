"""The command that puts a query in Cypher: cypher."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.options import Options

if TYPE_CHECKING:
    from kg.cypher import CypherResult

CELL = 2_000
"""Most characters of a cell that a table shows."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet compute a text instead of showing it."""

GAP = 3
"""Characters between two columns."""
NARROWEST = 8
"""Characters below which a column that splits its words cannot be read."""

app = typer.Typer()


class Form(StrEnum):
    """How rows are printed."""

    TABLE = "table"
    CSV = "csv"


@app.command()
def cypher(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="The query; - reads it from standard input.")],
    params: Annotated[str | None, typer.Option(help="Values of its parameters, as one JSON object.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Most rows; the setting cypher_rows when not given.")] = None,
    timeout: Annotated[
        float | None,
        typer.Option(min=0.001, help="Longest time in seconds; the setting cypher_seconds when not given."),
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How rows are printed.")] = Form.TABLE,
) -> None:
    """Put a query in Cypher to the graph, of all collections; it can read, and change nothing."""
    from api.terminal import shown

    options: Options = context.obj
    if options.json and form is Form.CSV:
        from causetrail.errors import ArgumentInvalid

        raise ArgumentInvalid(argument="--format", value="csv", reason="--json is another form; give one of the two")
    text = sys.stdin.read() if query == "-" else query
    with options.open() as trail:
        result = trail.cypher(text, _parameters(params), limit, timeout)
    if options.json:
        typer.echo(result.model_dump_json())
    elif form is Form.CSV:
        _print_csv(result)
    else:
        _print_table(result)
    _tell_size(result, quiet=options.json or form is Form.CSV)
    for note in result.notes:
        typer.echo(shown(note), err=True)


def _parameters(text: str | None) -> dict[str, Any]:
    from causetrail.errors import CypherParameters

    if text is None:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise CypherParameters(reason="they are not JSON") from None
    if not isinstance(found, dict):
        raise CypherParameters(reason="they are no JSON object")
    return found


def _print_table(result: CypherResult) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from api.terminal import coloured, shown

    console = Console(no_color=not coloured(), highlight=False, soft_wrap=False)
    names = [shown(name) for name in result.columns]
    rows = [[_cut(shown(_cell(value))) for value in row] for row in result.rows]
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    widths = _widths([list(column) for column in zip(names, *rows, strict=True)], console.width)
    if widths is None:
        _print_records(names, rows)
        return
    for name, width in zip(names, widths, strict=True):
        table.add_column(Text(name), overflow="fold", width=width)
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _print_records(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Each row as lines of a column's name and its value, for a terminal that is too narrow for a table."""
    for number, row in enumerate(rows):
        if number:
            typer.echo()
        for name, value in zip(names, row, strict=True):
            typer.echo(f"{name}: {value}")


def _widths(columns: Sequence[Sequence[str]], room: int) -> list[int] | None:
    """The width of each column: no word is split where there is room for that; else long words give way first.

    Args:
        columns: Their cells, the name first.
        room: Characters of a line.

    Returns:
        The widths, which fit into the line together; none where words would be split into pieces that cannot be read.
    """
    from rich.cells import cell_len

    words = [max((cell_len(word) for text in column for word in text.split()), default=1) for column in columns]
    texts = [max(map(cell_len, column)) for column in columns]
    room -= GAP * (len(columns) - 1)
    bound = _widest((1,) * len(columns), words, room)
    least = [min(width, bound) for width in words]
    if bound < NARROWEST and least != words:
        return None
    bound = _widest(least, texts, room)
    return [max(narrow, min(width, bound), 1) for narrow, width in zip(least, texts, strict=True)]


def _widest(least: Sequence[int], wanted: Sequence[int], room: int) -> int:
    """The greatest width that no column has to exceed for all to fit into the room; 0 where they never fit."""
    fits = 0
    for bound in range(1, room + 1):
        if sum(max(narrow, min(width, bound)) for narrow, width in zip(least, wanted, strict=True)) <= room:
            fits = bound
    return fits


def _print_csv(result: CypherResult) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([_shielded(name) for name in result.columns])
    for row in result.rows:
        writer.writerow([_shielded(_cell(value)) if isinstance(value, str) else _cell(value) for value in row])


def _cell(value: Any) -> str:
    """A value as text: a text as it is, nothing for null, and JSON for the rest."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
    return text if len(text) <= CELL else f"{text[:CELL]}…"


def _shielded(text: str) -> str:
    """The text, with an apostrophe before what a spreadsheet would compute: quotes come from foreign documents."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _tell_size(result: CypherResult, quiet: bool) -> None:
    from api.terminal import paint

    rows = len(result.rows)
    count = f"{rows:,} row{'' if rows == 1 else 's'}"
    if result.truncated == "rows":
        typer.echo(
            f"{paint(count, 'doubt')}, and there are more: raise --limit or cypher_rows, or add LIMIT.", err=True
        )
    elif result.truncated == "bytes":
        typer.echo(
            f"{paint(count, 'doubt')}, and there are more: raise cypher_bytes, or ask for less of each.", err=True
        )
    elif not quiet:
        typer.echo(paint(f"{count} in {result.seconds:.2f} s", "quiet"), err=True)
