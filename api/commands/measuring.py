"""The command that measures answers: eval."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.options import Options
from api.terminal import progress_bars

app = typer.Typer()


@app.command("eval")
def evaluate(
    context: typer.Context,
    questions: Annotated[
        Path, typer.Argument(help="Questions whose answers are known, as JSON lines: docs/evaluating.md.")
    ],
    strategy: Annotated[
        list[str] | None,
        typer.Option(help="Recipe to measure, as often as wanted: `default` and `text-only` when not given."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Folder for the records and the report: eval-NAME when not given.")
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Questions that are asked at once.")] = 1,
) -> None:
    """Measure strategies on questions whose answers are known; broken off, it goes on when called again."""
    from evaluation.evaluate import evaluate as measure
    from evaluation.questions_file import read_questions
    from evaluation.report import report_lines

    options: Options = context.obj
    asked = read_questions(questions)
    folder = output or Path(f"eval-{questions.stem}")
    strategies = list(dict.fromkeys(strategy or ("default", "text-only")))
    with options.open() as trail, progress_bars() as progress:
        found = measure(trail, asked, strategies, folder, concurrency=concurrency, progress=progress)
    if options.json:
        for summary in found:
            typer.echo(summary.model_dump_json())
        return
    for line in report_lines(found, folder.name):
        typer.echo(line)
    typer.echo(f"Kept in {folder}.")
