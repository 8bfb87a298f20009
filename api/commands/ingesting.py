"""The command that takes documents in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from api.options import Options
from causetrail.errors import ArgumentInvalid

SOME_FAILED = 3
"""Exit status when some documents could not be taken in; the others were."""

app = typer.Typer()


@app.command()
def ingest(
    context: typer.Context,
    paths: Annotated[list[str], typer.Argument(help="Files and folders; `-` reads one document from standard input.")],
    name: Annotated[str, typer.Option(help="Name of standard input; its ending tells the format.")] = "stdin.txt",
    media_type: Annotated[
        str | None,
        typer.Option(help="Format of standard input, text/html for example, where its name does not tell it."),
    ] = None,
    published: Annotated[
        str | None, typer.Option(help="Date of publication of all these documents, for example 2024-03-02.")
    ] = None,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="They hold questions with their answers: csv, jsonl, or a Markdown FAQ.")
    ] = False,
    jobs: Annotated[int | None, typer.Option(min=1, max=64, help="Processes that read side by side.")] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only tell what would be asked of the language model, and what it costs.")
    ] = False,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Share a database that holds nodes of another program.")
    ] = False,
) -> None:
    """Take documents in and build the graph; what did not change since the last time is left alone."""
    from api.printing import estimate_lines, report_lines
    from api.terminal import progress_bars, tell

    options: Options = context.obj
    if "-" in paths and len(paths) > 1:
        raise ArgumentInvalid(argument="paths", value="mixed", reason="`-` stands alone")
    if estimate:
        if pairs:
            raise ArgumentInvalid(argument="--estimate", value="--pairs", reason="no claims are read of pairs")
        if paths == ["-"]:
            raise ArgumentInvalid(argument="--estimate", value="-", reason="it takes files and folders")
        with options.open() as trail:
            foreseen = trail.estimate(*map(Path, paths))
        for line in [foreseen.model_dump_json()] if options.json else estimate_lines(foreseen):
            typer.echo(line)
        return
    try:
        with options.open(jobs=jobs, neo4j_adopt=adopt or None) as trail, progress_bars() as progress:
            if paths == ["-"]:
                report = trail.ingest_bytes(
                    sys.stdin.buffer.read(),
                    name,
                    media_type=media_type,
                    published=published,
                    progress=progress,
                    pairs=pairs,
                )
            else:
                report = trail.ingest(*map(Path, paths), published=published, progress=progress, pairs=pairs)
    except KeyboardInterrupt:
        typer.echo("Interrupted. The same command goes on behind the last finished document.", err=True)
        raise
    if options.json:
        typer.echo(report.model_dump_json())
    else:
        for line in report_lines(report):
            typer.echo(line)
        for failure in report.failures:
            tell(failure.code, failure.message, failure.fix)
        if report.stopped is not None:
            tell(report.stopped.code, report.stopped.message, report.stopped.fix)
    if report.stopped is not None:
        raise typer.Exit(report.stopped.as_error().exit_code)
    if report.failed:
        raise typer.Exit(SOME_FAILED)
