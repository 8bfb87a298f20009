"""Commands that look at answers: eval, replay."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.options import Options
from api.terminal import progress_bars, shown

DIFFERENT = 8
"""Exit status when a stored answer is not given again."""

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
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STAGE",
            help="Measure each strategy that has this stage without it too, and compare, as often as wanted; "
            "stages with + between them are left out together.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Folder for the records and the report: eval-NAME when not given.")
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Questions that are asked at once.")] = 1,
) -> None:
    """Measure strategies on questions whose answers are known; broken off, it goes on when called again."""
    from evaluation.evaluate import evaluate as measure
    from evaluation.evaluate import without_documents
    from evaluation.questions_file import read_questions
    from evaluation.report import report_lines

    options: Options = context.obj
    asked = read_questions(questions)
    folder = output or Path(f"eval-{questions.stem}")
    strategies = list(dict.fromkeys(strategy or ("default", "text-only")))
    with options.open() as trail, progress_bars() as progress:
        empty = without_documents(trail, asked)
        if empty:
            # Known before a long run: the name may be misspelt.
            typer.echo(f"These collections hold no documents: {shown(', '.join(empty))}.", err=True)
            typer.echo(f"  Fill one with: causetrail --collection {shown(empty[0])} ingest FOLDER", err=True)
        found = measure(
            trail, asked, strategies, folder, left_out=without or (), concurrency=concurrency, progress=progress
        )
    if options.json:
        for summary in found:
            typer.echo(summary.model_dump_json())
        return
    for line in report_lines(found, asked.name, empty):
        typer.echo(line)
    typer.echo(f"Kept in {folder}.")


@app.command()
def replay(
    context: typer.Context,
    records: Annotated[
        Path,
        typer.Argument(
            help="What ask --json or choose --json printed, or records of eval or their folder; `-` is standard input."
        ),
    ],
) -> None:
    """Ask for stored answers again, and say whether they are the same; status 8 when one is not."""
    from api.printing import replay_lines
    from evaluation.stored_answers import stored_answers

    options: Options = context.obj
    differing = 0
    with options.open() as trail:
        for told in stored_answers(records):
            found = trail.replay(told)
            differing += not found.same
            if options.json:
                typer.echo(found.model_dump_json())
                continue
            for line in replay_lines(found):
                typer.echo(line)
    if differing:
        raise typer.Exit(DIFFERENT)
