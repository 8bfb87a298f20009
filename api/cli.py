"""The command line door: `causetrail`."""

from __future__ import annotations

import errno
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from api.commands import (
    asking,
    collecting,
    correcting,
    hypothesising,
    ingesting,
    keeping,
    measuring,
    moving,
    querying,
    reading,
    reviewing,
    serving,
)
from api.options import Options, to_front
from api.terminal import speak_utf8, tell
from causetrail.errors import CausetrailError, OutputFailed

NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
"""What the system says when standard output leads to a full disk; the store names its own disk."""

app = typer.Typer(
    name="causetrail",
    help="Ask documents why something happened, and get the sentences that prove it.",
    epilog="The options above may also stand behind the command. Exit status: 0 done (also when the answer is that the "
    "documents do not say), 1 unexpected, 2 usage, question or settings, 3 some documents failed, 4 not found, "
    "5 store, 6 model, 7 deadline, 8 verify found damage or replay another answer, 130 interrupted.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for family in (ingesting, asking, reading, querying, keeping, measuring, moving, serving):
    app.add_typer(family.app)
app.add_typer(collecting.collections, name="collections", help="List the collections of the store, or drop one.")
correcting.merges.command()(reviewing.review)
app.add_typer(correcting.claims, name="claims", help="List claims, or reject one.")
app.add_typer(correcting.merges, name="merges", help="List what was taken for one happening, or correct it.")
app.add_typer(
    hypothesising.hypotheses, name="hypotheses", help="Write what no document says but would explain, and decide on it."
)
app.add_typer(correcting.decisions, name="decisions", help="List the corrections made by hand, or undo one.")


def _version(wanted: bool) -> None:
    if wanted:
        from causetrail import __version__

        typer.echo(f"causetrail {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    store: Annotated[str | None, typer.Option(help="Address of the store: sqlite:///causetrail.db.")] = None,
    collection: Annotated[str | None, typer.Option(help="The set of documents to read and write: main.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print records for programs.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the stack trace of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Ask documents why something happened, and get the sentences that prove it."""
    context.obj = Options(store=store, collection=collection, json=json, debug=debug)


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit status; errors are told on standard error in two lines."""
    speak_utf8()
    ordered = to_front(arguments)
    try:
        app(ordered, prog_name="causetrail")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except CausetrailError as error:
        if "--debug" in ordered:
            raise
        tell(error.code, error.message, error.fix)
        return error.exit_code
    except Exception as error:
        if "--debug" in ordered:
            raise
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            full = OutputFailed(reason="no space is left")
            tell(full.code, full.message, full.fix)
            return full.exit_code
        reason = f"Something happened that should not have: {type(error).__name__}."
        tell(CausetrailError.code, reason, f"{CausetrailError.mend} --debug shows where it happened.")
        return CausetrailError.exit_code
    return 0


def main() -> None:
    """Entry point of the command `causetrail`."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
