"""Commands that answer questions: ask, why, effects, chain, whatif, choose."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from api.options import Options
from api.terminal import progress_bars

if TYPE_CHECKING:
    from kg.records import Answer

Strategy = Annotated[str, typer.Option(help="Name of a recipe: docs/strategies.md.")]
Trace = Annotated[bool, typer.Option("--trace", help="Show every step that led to the answer.")]

app = typer.Typer()


@app.command()
def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="The question; `-` reads it from standard input.")],
    strategy: Strategy = "default",
    trace: Trace = False,
    with_hypotheses: Annotated[
        bool,
        typer.Option(
            "--with-hypotheses", help="Where nothing stated answers, follow the hypotheses that were written."
        ),
    ] = False,
) -> None:
    """Answer a question, with the sentences that prove the answer."""
    options: Options = context.obj
    text = _standard_input() if question == "-" else question
    with options.open() as trail, progress_bars() as progress:
        answer = trail.ask(text, strategy=strategy, progress=progress, with_hypotheses=with_hypotheses)
        names = trail.named(answer) if trace and not options.json else None
    _print(options, answer, names)


@app.command()
def why(
    context: typer.Context,
    event: Annotated[str, typer.Argument(help="What happened, in words, or the id of an event.")],
    strategy: Strategy = "default",
    trace: Trace = False,
) -> None:
    """Say why something happened."""
    options: Options = context.obj
    with options.open() as trail, progress_bars() as progress:
        answer = trail.why(event, strategy=strategy, progress=progress)
        names = trail.named(answer) if trace and not options.json else None
    _print(options, answer, names)


@app.command()
def effects(
    context: typer.Context,
    event: Annotated[str, typer.Argument(help="What happened, in words, or the id of an event.")],
    strategy: Strategy = "default",
    trace: Trace = False,
) -> None:
    """Say what followed from something."""
    options: Options = context.obj
    with options.open() as trail, progress_bars() as progress:
        answer = trail.effects(event, strategy=strategy, progress=progress)
        names = trail.named(answer) if trace and not options.json else None
    _print(options, answer, names)


@app.command()
def chain(
    context: typer.Context,
    cause: Annotated[str, typer.Argument(help="What came first, in words, or the id of an event.")],
    effect: Annotated[str, typer.Argument(help="What it may have led to, in words, or the id of an event.")],
    strategy: Strategy = "default",
    trace: Trace = False,
) -> None:
    """Say how one thing led to another."""
    options: Options = context.obj
    with options.open() as trail, progress_bars() as progress:
        answer = trail.chain(cause, effect, strategy=strategy, progress=progress)
        names = trail.named(answer) if trace and not options.json else None
    _print(options, answer, names)


@app.command()
def whatif(
    context: typer.Context,
    event: Annotated[str, typer.Argument(help="What shall be otherwise than told, in words, or the id of an event.")],
    effect: Annotated[
        str | None, typer.Argument(help="What is asked about especially, in words, or the id of an event.")
    ] = None,
    links_only: Annotated[
        bool, typer.Option("--links-only", help="Take away only the direct links from the event to the effect.")
    ] = False,
) -> None:
    """Say what in the graph would fall without an event, and what other causes hold."""
    options: Options = context.obj
    with options.open() as trail:
        found = trail.what_if(event, effect, links_only=links_only)
    if options.json:
        typer.echo(found.model_dump_json())
        return
    from api.printing import what_if_lines

    for line in what_if_lines(found):
        typer.echo(line)


@app.command()
def choose(
    context: typer.Context,
    event: Annotated[str, typer.Argument(help="What happened, in words, or the id of an event.")],
    options: Annotated[
        list[str],
        typer.Argument(
            metavar="OPTION...",
            help="Causes that may have led to it, in words, or ids of events; one may be “none of the others”.",
        ),
    ],
    strategy: Strategy = "default",
    trace: Trace = False,
) -> None:
    """Say which of several causes that are offered led to an event."""
    given: Options = context.obj
    with given.open() as trail, progress_bars() as progress:
        found = trail.choose(event, options, strategy, progress)
        names = trail.named(found) if trace and not given.json else None
    if given.json:
        typer.echo(found.model_dump_json())
        return
    from api.printing import choice_lines
    from api.trace_lines import trace_lines

    for line in [*choice_lines(found), *(() if names is None else trace_lines(found.trace, names))]:
        typer.echo(line)


def _standard_input() -> str:
    """The question on standard input; bytes that are not UTF-8 reach the question's own check."""
    return sys.stdin.buffer.read().decode("utf-8", errors="surrogateescape").strip("\r\n")


def _print(options: Options, answer: Answer, names: Mapping[str, str] | None) -> None:
    """The answer; with its trace where the words for the ids in it are given."""
    if options.json:
        typer.echo(answer.model_dump_json())
        return
    from api.printing import answer_lines
    from api.trace_lines import trace_lines

    for line in [*answer_lines(answer), *(() if names is None else trace_lines(answer.trace, names))]:
        typer.echo(line)
