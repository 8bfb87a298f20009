"""Commands over whole stores: copy, doctor."""

from __future__ import annotations

from typing import Annotated

import typer

from api.options import Options

UNUSABLE = 5
"""Exit status when an examination found something that has to be mended."""
ALL = "all"

app = typer.Typer()


@app.command()
def copy(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FROM", help="Address of the store that is copied.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="Address of the copy; made when there is none.")],
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Share a database that holds nodes of another program.")
    ] = False,
) -> None:
    """Copy a store, of any kind into any kind, and prove that both are alike; run again, it goes on.

    All collections are copied, or the one that --collection names.
    """
    import json
    from dataclasses import asdict

    from api.printing import copy_lines
    from api.terminal import progress_bars
    from causetrail.stores import copy_store

    options: Options = context.obj
    named = None if options.collection in (None, ALL) else [str(options.collection)]
    try:
        with progress_bars() as progress:
            report = copy_store(source, target, named, adopt=adopt, progress=progress)
    except KeyboardInterrupt:
        typer.echo("Interrupted. The same command goes on behind the last copied document.", err=True)
        raise
    if options.json:
        typer.echo(json.dumps(asdict(report), ensure_ascii=False))
        return
    for line in copy_lines(report):
        typer.echo(line)


@app.command()
def doctor(
    context: typer.Context,
    address: Annotated[str | None, typer.Argument(help="Address of the store; --store when not given.")] = None,
) -> None:
    """Examine a store, a file or a Neo4j server, and say what to do about what is wrong."""
    import json
    from dataclasses import asdict

    from api.printing import doctor_lines
    from causetrail.stores import examine_store

    options: Options = context.obj
    report = examine_store(address or options.store)
    if options.json:
        typer.echo(json.dumps(asdict(report), ensure_ascii=False))
    else:
        for line in doctor_lines(report):
            typer.echo(line)
    if not report.healthy:
        raise typer.Exit(UNUSABLE)
