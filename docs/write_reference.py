"""Writes the pages that are made from the code: python docs/write_reference.py (or: make docs)."""

from __future__ import annotations

import inspect
import subprocess
import sys
from itertools import groupby
from pathlib import Path

from causetrail.errors import error_table
from causetrail.settings import PREFIX, Settings

HERE = Path(__file__).parent
MADE = "<!-- Made by docs/write_reference.py: change the code, then run `make docs`. -->\n"
FAMILIES = {
    "A": "Doors",
    "C": "Settings and arguments",
    "D": "Documents",
    "M": "Models",
    "Q": "Questions",
    "S": "Stores",
    "X": "Unexpected",
}
COMMANDS = (
    *("", "ingest", "ask", "why", "effects", "chain", "events", "show", "show documents", "show document"),
    *("show event", "show claim", "show stats", "claims", "claims list", "claims reject", "merges", "merges list"),
    *("merges add", "merges split", "decisions", "decisions list", "decisions undo", "verify", "export", "delete"),
    "serve",
)


def errors_page() -> str:
    """All errors by family and code, as their templates say them."""
    lines = [MADE, "# Errors\n"]
    lines.append("Codes are stable. The command line ends with the exit status, HTTP answers with the status.\n")
    for family, kinds in groupby(error_table(), key=lambda kind: kind.code[3]):
        lines += [f"## {FAMILIES[family]}\n"]
        lines += ["| code | what happened | what to do | exit | HTTP |", "|---|---|---|---|---|"]
        for kind in kinds:
            cells = (kind.code, kind.summary, kind.mend, str(kind.exit_code), str(kind.http_status))
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines)


def settings_page() -> str:
    """All settings with their variables and defaults."""
    lines = [MADE, "# Settings\n"]
    lines.append(inspect.cleandoc(SETTINGS_INTRODUCTION) + "\n")
    lines += ["| key | variable | default | meaning |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "(none)" if field.default is None else f"`{field.default}`"
        lines.append(f"| `{name}` | `{PREFIX}{name.upper()}` | {default} | {field.description} |")
    return "\n".join(lines) + "\n"


SETTINGS_INTRODUCTION = """
    Options of the command line and arguments of Python come first, then variables of the environment, then
    `causetrail.toml` in the working directory. Unknown keys and variables are refused.
"""


def commands_page() -> str:
    """The help of every command, as the command line prints it."""
    lines = [MADE, "# Commands\n"]
    program = "import sys; from api.cli import run; sys.exit(run(sys.argv[1:]))"
    for command in COMMANDS:
        arguments = [sys.executable, "-c", program, *command.split(), "--help"]
        done = subprocess.run(  # noqa: S603
            arguments, capture_output=True, text=True, check=True, env={"COLUMNS": "100", "NO_COLOR": "1"}, cwd=HERE.parent
        )
        lines += [f"## causetrail {command}".rstrip() + "\n", "```text", done.stdout.strip(), "```\n"]
    return "\n".join(lines)


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
