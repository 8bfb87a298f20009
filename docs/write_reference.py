"""Writes the pages that are made from the code: python docs/write_reference.py (or: make docs)."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from typer.main import get_command
from typer.testing import CliRunner

from api.cli import app
from causetrail.errors import error_table
from causetrail.settings import PREFIX, Settings

HERE = Path(__file__).parent
WIDTH = 100
MADE = "<!-- Made by docs/write_reference.py: change the code, then run `make docs`. -->\n"
FAMILIES = {
    "A": "Doors",
    "C": "Settings and arguments",
    "D": "Documents",
    "E": "Evaluation",
    "M": "Models",
    "Q": "Questions",
    "S": "Stores",
    "X": "Unexpected",
}


def errors_page() -> str:
    """All errors by family and code, as their templates say them."""
    lines = [MADE, "# Errors\n"]
    lines.append("Codes are stable. The command line ends with the exit status, HTTP answers with the status.\n")
    for family, kinds in groupby(error_table(), key=lambda kind: kind.code[3]):
        lines += [f"## {FAMILIES[family]}\n"]
        lines += ["| code | what happened | what to do | exit | HTTP |", "|---|---|---|---|---|"]
        for kind in kinds:
            cells = (
                kind.code,
                kind.summary,
                kind.mend.replace("{{", "{").replace("}}", "}"),
                str(kind.exit_code),
                str(kind.http_status),
            )
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines)


def settings_page() -> str:
    """All settings with their variables and defaults."""
    lines = [MADE, "# Settings\n"]
    lines.append(inspect.cleandoc(SETTINGS_INTRODUCTION) + "\n")
    lines += ["| key | variable | default | meaning |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        meaning = " ".join(str(field.description).split())
        default = "(none)" if field.default is None else f"`{field.default}`"
        lines.append(f"| `{name}` | `{PREFIX}{name.upper()}` | {default} | {meaning} |")
    return "\n".join(lines) + "\n"


SETTINGS_INTRODUCTION = """
    Options of the command line and arguments of Python come first, then variables of the environment, then
    `causetrail.toml` in the working directory. Unknown keys and variables are refused.
"""


def commands_page() -> str:
    """The help of every command, as the command line prints it."""
    lines = [MADE, "# Commands\n"]
    runner = CliRunner(env={"NO_COLOR": "1", "COLUMNS": str(WIDTH)})
    for names in _command_names((), get_command(app)):
        told = runner.invoke(app, [*names, "--help"], prog_name="causetrail", max_content_width=WIDTH)
        lines += [f"## {' '.join(('causetrail', *names))}\n", "```text", told.output.strip(), "```\n"]
    return "\n".join(lines)


def _command_names(names: tuple[str, ...], command: object) -> Iterator[tuple[str, ...]]:
    """A command and everything below it."""
    yield names
    for name, inner in getattr(command, "commands", {}).items():
        yield from _command_names((*names, name), inner)


def addresses_page() -> str:
    """Every HTTP address with its summary, and the OpenAPI description in full behind them."""
    from api.http import create_app
    from causetrail.facade import Causetrail

    paths = create_app(Causetrail(settings=Settings())).openapi()["paths"]
    lines = [MADE, "# HTTP addresses\n"]
    lines.append("`/openapi.json` holds the full description, with examples. Errors are problem+json (errors.md).\n")
    lines += ["| method | address | parameters | body | what it does |", "|---|---|---|---|---|"]
    for path, methods in paths.items():
        for method, entry in methods.items():
            parameters = ", ".join(f"`{found['name']}`" for found in entry.get("parameters", []))
            body = ", ".join(f"`{found}`" for found in entry.get("requestBody", {}).get("content", {}))
            lines.append(f"| {method.upper()} | `{path}` | {parameters} | {body} | {entry['description']} |")
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """The text of every page, by file name."""
    return {
        "errors.md": errors_page(),
        "settings.md": settings_page(),
        "commands.md": commands_page(),
        "addresses.md": addresses_page(),
    }


if __name__ == "__main__":
    for name, text in pages().items():
        (HERE / name).write_text(text, encoding="utf-8")
