"""What a terminal may be shown: colour only for meaning, and no control characters out of documents."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kg.store import Progress

_CODES = {"good": "32", "doubt": "33", "bad": "31", "quiet": "2", "strong": "1"}

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that turn the direction of everything behind them."""


def coloured() -> bool:
    """Whether both output streams are a terminal that wants colour (https://no-color.org)."""
    return (
        sys.stdout.isatty()
        and sys.stderr.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )


def paint(text: str, meaning: str) -> str:
    """The text in the colour of its meaning (`good`, `doubt`, `bad`, `quiet`, `strong`), where colours are shown."""
    return f"\x1b[{_CODES[meaning]}m{text}\x1b[0m" if coloured() else text


def shown(text: str) -> str:
    """Text of a document in one line, fit for a terminal: it can neither move the cursor nor hide what follows."""
    return _CONTROLS.sub("\ufffd", " ".join(text.split()))


def tell(code: str, message: str, fix: str) -> None:
    """An error in two lines on standard error: what happened, and what to do about it."""
    print(f"{paint(code, 'bad')}: {shown(message)}\n  {shown(fix)}", file=sys.stderr)  # noqa: T201


def speak_utf8() -> None:
    """Makes both output streams UTF-8, whatever the locale: quotes hold any character."""
    import io

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


@contextmanager
def progress_bars() -> Iterator[Progress | None]:
    """A progress callback that draws on standard error, a bar for each stage; none when that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield report
