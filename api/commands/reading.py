"""Commands that look into the graph: events, show documents|document|event|claim|stats."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from api.options import Options

Limit = Annotated[int, typer.Option(min=1, max=10_000, help="Most rows.")]
Skip = Annotated[int, typer.Option("--offset", min=0, help="Rows to leave out first.")]

app = typer.Typer()
show = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(show, name="show", help="Show documents, an event, a claim, or how much there is.")


@app.command()
def events(
    context: typer.Context,
    text: Annotated[str | None, typer.Argument(help="What to look for; all events when not given.")] = None,
    limit: Limit = 20,
    offset: Skip = 0,
) -> None:
    """List the events that resemble a text, best first, or all of them."""
    from api.printing import event_line

    options: Options = context.obj
    with options.open() as trail:
        found = trail.events(text, limit=limit, offset=offset)
    for event in found:
        typer.echo(event.model_dump_json() if options.json else event_line(event))


@show.command()
def documents(context: typer.Context) -> None:
    """List all documents of the collection."""
    from api.printing import document_line

    options: Options = context.obj
    with options.open() as trail:
        for document in trail.documents():
            typer.echo(document.model_dump_json() if options.json else document_line(document))


@show.command("document")
def one_document(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Id or source of the document.")],
    text: Annotated[bool, typer.Option("--text", help="Print its text, to which all offsets refer.")] = False,
) -> None:
    """Show one document, or its text."""
    options: Options = context.obj
    with options.open() as trail:
        document = trail.document(name)
        if text:
            typer.echo(trail.text(name), nl=False)
            return
    _print_fields(options, document.model_dump_json())


@show.command("event")
def one_event(
    context: typer.Context,
    event_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the event; an old one finds its successor.")],
) -> None:
    """Show one event with the mentions it was made from."""
    options: Options = context.obj
    with options.open() as trail:
        event = trail.event(event_id)
        if options.json:
            typer.echo(event.model_dump_json())
            return
        mentions = trail.mentions_of_event(event.id)
        sources = {mention.document_id: trail.document(mention.document_id).sources[0] for mention in mentions}
    from api.printing import mention_line

    _print_fields(options, event.model_dump_json())
    for mention in mentions:
        typer.echo(mention_line(mention, sources[mention.document_id]))


@show.command("claim")
def one_claim(
    context: typer.Context, claim_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the claim.")]
) -> None:
    """Show one claim."""
    options: Options = context.obj
    with options.open() as trail:
        claim = trail.claim(claim_id)
    if options.json:
        typer.echo(claim.model_dump_json())
        return
    from api.printing import rejection_text

    _print_fields(options, claim.model_dump_json(exclude={"rejected"}))
    if claim.rejected is not None:
        typer.echo(rejection_text(claim.rejected))


@show.command()
def stats(context: typer.Context) -> None:
    """Show how much the collection holds."""
    from dataclasses import asdict

    options: Options = context.obj
    with options.open() as trail:
        _print_fields(options, json.dumps(asdict(trail.counts())))


def _print_fields(options: Options, record: str) -> None:
    from api.printing import field_lines

    for line in [record] if options.json else field_lines(json.loads(record)):
        typer.echo(line)
