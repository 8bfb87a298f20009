"""Commands on hypotheses: premises that no document states, written apart from the graph until a person decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from api.commands.correcting import By, Reason
from api.options import Options

if TYPE_CHECKING:
    from kg.records import Decision

HypothesisId = Annotated[str, typer.Argument(metavar="ID", help="Id of the hypothesis; `hypotheses list` tells it.")]

hypotheses = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@hypotheses.command()
def propose(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="A question that the documents do not answer, in quotes.")],
) -> None:
    """Write the premise that would answer a question, as a hypothesis; no edge is made of it."""
    from api.printing import hypothesis_line

    options: Options = context.obj
    with options.open() as trail:
        written = {hypothesis.id for hypothesis in trail.propose(question)}
        found = [hypothesis for hypothesis in trail.hypotheses() if hypothesis.id in written]
    for hypothesis in found:
        typer.echo(hypothesis.model_dump_json() if options.json else hypothesis_line(hypothesis))
    if not found and not options.json:
        typer.echo("Nothing was written: the documents suffice, or no premise is likely enough. Why, says:")
        typer.echo("  causetrail ask --strategy abductive --trace QUESTION")


@hypotheses.command("list")
def list_hypotheses(context: typer.Context) -> None:
    """List the hypotheses that were written, by id, and what was decided of them."""
    from api.printing import hypothesis_line

    options: Options = context.obj
    with options.open() as trail:
        found = trail.hypotheses()
    for hypothesis in found:
        typer.echo(hypothesis.model_dump_json() if options.json else hypothesis_line(hypothesis))
    if not found and not options.json:
        typer.echo("None was written. Write one with: causetrail hypotheses propose QUESTION")


@hypotheses.command()
def accept(context: typer.Context, hypothesis_id: HypothesisId, reason: Reason = "", by: By = None) -> None:
    """Take a hypothesis for true: a signed note becomes a document, and its claim an edge."""
    options: Options = context.obj
    with options.open() as trail:
        _print(options, trail.accept_hypothesis(hypothesis_id, reason=reason, by=by))


@hypotheses.command()
def reject(context: typer.Context, hypothesis_id: HypothesisId, reason: Reason = "", by: By = None) -> None:
    """Have a hypothesis never proposed again; it stays in the record."""
    options: Options = context.obj
    with options.open() as trail:
        _print(options, trail.reject_hypothesis(hypothesis_id, reason=reason, by=by))


def _print(options: Options, decision: Decision) -> None:
    from api.printing import decision_line

    typer.echo(decision.model_dump_json() if options.json else decision_line(decision))
