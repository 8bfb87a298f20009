"""Writes docs/measurements.md from the stored results: python docs/write_measurements.py (or: make docs)."""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE.parent / "benchmarks" / "results"
TOLD_ELSEWHERE = dict.fromkeys(("ablations", "answers", "answers_llm", "choices", "distractors", "pairs"), "answers.md")
"""Results that another page tells, and that page."""
INTRODUCTION = """\
<!-- Made by docs/write_measurements.py from benchmarks/results: run the command of a table, then `make docs`. -->

# Measurements

Every table was made by the command above it, also where it is bad. `../shared/data` is a folder beside the clone with
the corpora that a table names; they are not part of this repository, and the origin and licence of those that models
learn from stand in models/weights/NOTICE.md. Times depend on the machine and on what else it was doing, and scores on
the program of the day that stands with each table: compare inside one table.
"""


def measurements_page() -> str:
    """One table for each stored result, by name."""
    parts = [INTRODUCTION]
    for path in sorted(RESULTS.glob("*.json")):
        result = json.loads(path.read_text("utf-8"))
        seed = "" if result["seed"] is None else f" Seed {result['seed']}."
        parts.append(f"## {path.stem.replace('_', ' ')}\n\n`{result['command']}`\n")
        parts.append(f"Data: {result['data']}.{seed} Read against: {result['baseline']}.")
        parts.append(f"Made on {result['date']}, {result['machine']}.\n")
        if (HERE / f"{path.stem}.svg").exists():
            parts.append(f"![{path.stem.replace('_', ' ')}]({path.stem}.svg)\n")
        if path.stem in TOLD_ELSEWHERE:
            parts.append(f"The figures: [{TOLD_ELSEWHERE[path.stem]}]({TOLD_ELSEWHERE[path.stem]}).\n")
            continue
        columns = result.get("columns", ["value"])
        parts.append(f"| figure | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
        for name, found in result["figures"].items():
            values = found if "columns" in result else [found]
            parts.append(f"| {name} | {' | '.join(map(str, values))} |")
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    (HERE / "measurements.md").write_text(measurements_page(), "utf-8")
