"""The command by which a person decides, pair after pair, what may be the same happening."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from api.commands.correcting import By
from api.options import Options

if TYPE_CHECKING:
    from causetrail.facade import Causetrail
    from kg.records import Suggestion

_ASKED = "same, different, skip or quit? [s/d/k/q]"


def review(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, help="Most pairs.")] = 20,
    least: Annotated[float, typer.Option(min=0, max=1, help="Least score of a pair.")] = 0.2,
    by: By = None,
) -> None:
    """Show pairs that may be the same happening, likeliest first, and ask; what was decided does not come back.

    With --json the pairs are listed, and nothing is asked.
    """
    options: Options = context.obj
    with options.open() as trail:
        found = trail.suggestions(limit=limit, least=least)
        if options.json:
            for suggestion in found:
                typer.echo(suggestion.model_dump_json())
            return
        if not found:
            typer.echo("There is nothing to review: no pair of events that is undecided scores so high.")
            return
        _ask(trail, found, by)


def _ask(trail: Causetrail, found: list[Suggestion], by: str | None) -> None:
    from api.printing import decision_line, suggestion_lines
    from causetrail.errors import DecisionRefused, RecordUnknown

    decided = 0
    for number, suggestion in enumerate(found, start=1):
        try:
            if trail.event(suggestion.events[0]).id == trail.event(suggestion.events[1]).id:
                continue
        except RecordUnknown:
            # Its document was deleted or read again meanwhile.
            continue
        typer.echo(f"{number} of {len(found)}")
        for line in suggestion_lines(suggestion):
            typer.echo(line)
        answer = _answer()
        if answer == "q":
            break
        if answer == "k":
            continue
        decide = trail.merge if answer == "s" else trail.split
        reason = f"reviewed, score {suggestion.score:.2f}: {suggestion.reason}"
        try:
            typer.echo(decision_line(decide(*suggestion.mentions, reason=reason, by=by)))
            decided += 1
        except DecisionRefused as error:
            typer.echo(error.message)
    typer.echo(
        f"{decided} decided; `causetrail decisions list` shows them, `causetrail decisions undo` takes one back."
    )


def _answer() -> str:
    """The first letter of an answer that is one; the end of the input is `q`."""
    while True:
        try:
            told = input(f"{_ASKED} ").strip().lower()
        except (EOFError, RuntimeError):
            # The second one says that there is no standard input at all.
            typer.echo()
            return "q"
        for letter, word in (("s", "same"), ("d", "different"), ("k", "skip"), ("q", "quit")):
            if told in (letter, word):
                return letter
