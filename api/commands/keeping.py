"""Commands that look after a store: verify, export, delete."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from api.options import Options
from causetrail.errors import ArgumentInvalid

DAMAGE_FOUND = 8
"""Exit status when something in the store is not what it was made from."""

app = typer.Typer()


@app.command()
def verify(context: typer.Context) -> None:
    """Check that every record repeats its document word for word, and that the file is whole.

    All collections are checked, or the one that --collection names.
    """
    import json
    from dataclasses import asdict

    from api.printing import verify_lines
    from api.terminal import progress_bars

    options: Options = context.obj
    with options.open() as trail, progress_bars() as progress:
        report = trail.verify(progress, options.collection)
    if options.json:
        typer.echo(json.dumps(asdict(report), ensure_ascii=False))
    else:
        for line in verify_lines(report):
            typer.echo(line)
    if report.faults:
        raise typer.Exit(DAMAGE_FOUND)


@app.command()
def export(
    context: typer.Context,
    form: Annotated[str, typer.Option("--format", help="`jsonl`, `graphml` or `cypher`.")] = "jsonl",
    output: Annotated[Path | None, typer.Option(help="File to write; standard output when not given.")] = None,
) -> None:
    """Write the graph as text; equal graphs give equal bytes.

    `cypher` makes a graph to look at, and not a store: to move one to a server use copy.
    """
    options: Options = context.obj
    with options.open() as trail:
        pieces = trail.export(form)
        if output is None:
            for piece in pieces:
                typer.echo(piece, nl=False)
            return
        _write(output, pieces)


@app.command()
def delete(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(help="Ids or sources of documents.")],
) -> None:
    """Remove documents, and everything found in them, from the store; no file is touched."""
    from api.terminal import shown

    options: Options = context.obj
    with options.open() as trail:
        for name in names:
            trail.delete(name)
            if not options.json:
                typer.echo(f"deleted {shown(name)}")


def _write(output: Path, pieces: Iterator[str]) -> None:
    """Writes the whole file or none: an export that fails leaves what was there."""
    unfinished = output.with_name(f".{output.name}.unfinished")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        unfinished.replace(output)
    except OSError as error:
        raise ArgumentInvalid(
            argument="--output", value=repr(str(output)), reason=(error.strerror or "it cannot be written").lower()
        ) from None
    finally:
        unfinished.unlink(missing_ok=True)
