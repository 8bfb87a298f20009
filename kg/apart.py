"""Runs a part of the program in a process of its own, as this process would find it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence


def command_of(module: str, arguments: Sequence[str]) -> list[str]:
    """The command that runs the function `main` of a module with these arguments."""
    return [sys.executable, "-P", "-c", f"from {module} import main; main()", *arguments]


def environment() -> dict[str, str]:
    """The environment in which the command finds what this process can import, and speaks UTF-8."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return os.environ | {"PYTHONPATH": path, "PYTHONUTF8": "1"}


def run_apart(module: str, arguments: Sequence[str]) -> str:
    """What `main` of a module writes to standard output; nothing when its process ends in an error."""
    done = subprocess.run(  # noqa: S603 - this program itself
        command_of(module, arguments),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(),
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout if done.returncode == 0 else ""
