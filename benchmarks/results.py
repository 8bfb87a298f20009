"""How a measurement is stored: one JSON file with what is needed to make it again."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from evaluation.program import program_hash

RESULTS = Path(__file__).parent / "results"


def write_result(
    name: str,
    *,
    command: str,
    data: str,
    baseline: str,
    figures: Mapping[str, object],
    columns: Sequence[str] = (),
    rows: Sequence[Mapping[str, object]] = (),
    seed: int | None = None,
) -> Path:
    """Write `results/NAME.json` and print the figures.

    Args:
        name: File name without ending.
        command: The command that makes this result again, from the root of the checkout.
        data: What was measured on.
        baseline: What the figures have to be read against.
        figures: The figures by name; with `columns`, a list with one for each of them.
        columns: What the figures of one name are of, where there are several; one column when not given.
        rows: What stands behind them, one mapping an item.
        seed: Seed of what was drawn by chance; none when nothing was.

    Returns:
        The file that was written.
    """
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    content = {
        "command": command,
        "data": data,
        "baseline": baseline,
        "seed": seed,
        "date": datetime.now(UTC).date().isoformat(),
        "program": program_hash(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        **({"columns": list(columns)} if columns else {}),
        "figures": dict(figures),
    }
    path.write_text(_lines(content, rows), "utf-8")
    for key, value in figures.items():
        print(f"{key:<48} {value}")
    print(f"stored in {path}")
    return path


def _lines(content: Mapping[str, object], rows: Sequence[Mapping[str, object]]) -> str:
    """The file as text: what stands behind the figures with one item a line, which is read and compared more easily."""
    told = ",\n".join(f"  {json.dumps(dict(row), ensure_ascii=False)}" for row in rows)
    listed = f"\n{told}\n " if rows else ""
    return f'{json.dumps(content, indent=1, ensure_ascii=False)[:-2]},\n "rows": [{listed}]\n}}\n'
