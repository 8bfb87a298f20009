"""Commands by which a person corrects the graph: claims, merges, decisions. Every correction can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from api.commands.reading import Limit, Skip
from api.options import Options
from kg.records import Polarity, Relation

if TYPE_CHECKING:
    from kg.records import Decision

Reason = Annotated[str, typer.Option(help="Why, in your words; kept with the decision.")]
By = Annotated[str | None, typer.Option(help="Who decides; the name of the user when not given.")]
Mentions = Annotated[list[str], typer.Argument(help="Ids of mentions; `show event` lists them.")]

claims = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
merges = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
decisions = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@claims.command("list")
def list_claims(
    context: typer.Context,
    document: Annotated[str | None, typer.Option(help="Id or source of the document they stand in.")] = None,
    event: Annotated[str | None, typer.Option(help="Id of an event that is their cause or effect.")] = None,
    relation: Annotated[Relation | None, typer.Option(help="What the cause does.", case_sensitive=False)] = None,
    polarity: Annotated[Polarity | None, typer.Option(help="Whether they assert or deny.")] = None,
    limit: Limit = 100,
    offset: Skip = 0,
) -> None:
    """List claims, by document and place in the text."""
    from api.printing import claim_line

    options: Options = context.obj
    with options.open() as trail:
        found = trail.claims(
            document=document, event=event, relation=relation, polarity=polarity, limit=limit, offset=offset
        )
    for claim in found:
        typer.echo(claim.model_dump_json() if options.json else claim_line(claim))


@claims.command()
def reject(
    context: typer.Context,
    claim_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the claim.")],
    reason: Reason = "",
    by: By = None,
) -> None:
    """Leave a claim out of the graph; it stays in the record."""
    options: Options = context.obj
    with options.open() as trail:
        _print(options, trail.reject_claim(claim_id, reason=reason, by=by))


@merges.command("list")
def list_merges(
    context: typer.Context,
    across_documents: Annotated[
        bool, typer.Option("--across-documents", help="Only events that several documents tell of.")
    ] = False,
) -> None:
    """List the events made of several mentions, and why they are one."""
    import json

    from api.printing import event_line, mention_line
    from api.terminal import shown

    options: Options = context.obj
    with options.open() as trail:
        for merge in trail.merges(across_documents=across_documents):
            told = {mention.id: mention for mention in trail.mentions_of_event(merge.event.id)}
            if options.json:
                fields = {
                    "event": merge.event.model_dump(mode="json"),
                    "mentions": merge.mentions,
                    "words": [told[id_].text if id_ in told else None for id_ in merge.mentions],
                    "reasons": merge.reasons,
                }
                typer.echo(json.dumps(fields, ensure_ascii=False))
                continue
            typer.echo(event_line(merge.event))
            for reason in merge.reasons:
                typer.echo(f"  {shown(reason)}")
            for mention in told.values():
                typer.echo(mention_line(mention, trail.document(mention.document_id).sources[0]))


@merges.command()
def add(context: typer.Context, mentions: Mentions, reason: Reason = "", by: By = None) -> None:
    """Say that these mentions tell of the same happening."""
    options: Options = context.obj
    with options.open() as trail:
        _print(options, trail.merge(*mentions, reason=reason, by=by))


@merges.command()
def split(context: typer.Context, mentions: Mentions, reason: Reason = "", by: By = None) -> None:
    """Say that these mentions tell of different happenings."""
    options: Options = context.obj
    with options.open() as trail:
        _print(options, trail.split(*mentions, reason=reason, by=by))


@decisions.command("list")
def list_decisions(context: typer.Context) -> None:
    """List all decisions, oldest first."""
    options: Options = context.obj
    with options.open() as trail:
        for decision in trail.decisions():
            _print(options, decision)


@decisions.command()
def undo(
    context: typer.Context, decision_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the decision.")]
) -> None:
    """Take a decision back; it stays in the log as undone."""
    options: Options = context.obj
    with options.open() as trail:
        _print(options, trail.undo(decision_id))


def _print(options: Options, decision: Decision) -> None:
    from api.printing import decision_line

    typer.echo(decision.model_dump_json() if options.json else decision_line(decision))
