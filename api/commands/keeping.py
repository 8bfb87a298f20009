"""Commands that look after a store: verify, export, delete."""

from __future__ import annotations

import typer

DAMAGE_FOUND = 8
"""Exit status when a record does not repeat its document word for word."""

app = typer.Typer()
