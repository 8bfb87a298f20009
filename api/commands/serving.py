"""The command that opens the HTTP door."""

from __future__ import annotations

from typing import Annotated

import typer

from api.options import Options

app = typer.Typer()


@app.command()
def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address to listen on; 127.0.0.1 when not given.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65_535, help="Port; 8017 when not given.")] = None,
) -> None:
    """Answer over HTTP until Ctrl-C. Any but a loopback address needs CAUSETRAIL_API_KEY."""
    from api.server import listen, serve
    from api.terminal import tell
    from causetrail.errors import CausetrailError, StoreMissing

    options: Options = context.obj
    with options.open(host=host, port=port) as trail:
        settings = trail.settings
        with listen(settings.host, settings.port, settings.api_key) as listener:
            shown = f"[{settings.host}]" if ":" in settings.host else settings.host
            typer.echo(f"Causetrail answers at http://{shown}:{settings.port} (Ctrl-C stops it).", err=True)
            try:
                trail.health()
            except StoreMissing:
                pass  # The first document makes it.
            except CausetrailError as error:
                tell(error.code, error.message, f"{error.fix} The service answers requests as soon as the store does.")
            serve(trail, listener)
