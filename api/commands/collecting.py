"""Commands over the collections of a store: list them, drop one."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from api.options import Options
from causetrail.errors import ArgumentInvalid, CollectionUnknown

if TYPE_CHECKING:
    from causetrail.facade import Causetrail

collections = typer.Typer(invoke_without_command=True, rich_markup_mode=None)


@collections.callback()
def list_collections(context: typer.Context) -> None:
    """List the collections of the store, or drop one."""
    from api.printing import collection_line

    if context.invoked_subcommand is not None:
        return
    options: Options = context.obj
    with options.open() as trail:
        found = trail.collections()
    for one in found:
        typer.echo(json.dumps(asdict(one)) if options.json else collection_line(one))


@collections.command()
def drop(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Name of the collection.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove a collection with its documents, its graph and its decisions, for good; run again, it goes on."""
    from api.terminal import progress_bars, shown

    options: Options = context.obj
    with options.open() as trail:
        if not yes and not _agreed(trail, name):
            typer.echo("Nothing was dropped.", err=True)
            return
        with progress_bars() as progress:
            documents = trail.drop(name, progress)
    typer.echo(json.dumps({"dropped": name, "documents": documents}) if options.json else f"dropped {shown(name)}")


def _agreed(trail: Causetrail, name: str) -> bool:
    """Asks a person at the terminal.

    Raises:
        CollectionUnknown: there is nothing to ask about.
        ArgumentInvalid: nobody is there to be asked.
    """
    from api.printing import collection_line

    found = next((one for one in trail.collections() if one.name == name), None)
    if found is None:
        raise CollectionUnknown(collection=name, address=trail.settings.store)
    if not sys.stdin.isatty():
        reason = "without a terminal there is nobody to ask; say --yes to drop it"
        raise ArgumentInvalid(argument="--yes", value="left out", reason=reason)
    return typer.confirm(f"Drop {collection_line(found)}?", err=True)
