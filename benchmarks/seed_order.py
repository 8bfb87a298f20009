"""What it is worth that a judge of relevance puts the events of a question in order, beside the passages.

    python -m benchmarks.seed_order --work FOLDER [--data ../shared/data] [--most N] [--only SET ...]

The default and the graph alone, with the packaged judge of relevance (`rerank_by`), are asked with the events in the
order of their match and in that of the judge. Broken off, the same command goes on. Intervals are 95 % ones over
questions, and p is of the paired difference between the two orders.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.ablations import figures_of, figures_told
from benchmarks.answer_sets import answer_sets
from benchmarks.answers import folder_of, measured
from benchmarks.bootstrap import SEED
from benchmarks.results import write_result
from causetrail.settings import load_settings
from evaluation.records import RecordFile
from models.judge_source import PACKAGED
from reasoning.strategies import STRATEGIES

SETS: Final = ("reports", "why-questions")
_FAMILIES: Final = ("default", "causal-graph")


def main() -> None:
    """Measures all and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of the stores and the records")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--most", type=int, default=60, metavar="N", help="questions of one set")
    parser.add_argument("--only", action="append", help="names of sets; nothing is stored then")
    arguments = parser.parse_args()
    figures: dict[str, list[str]] = {}
    rows: list[dict[str, object]] = []
    settings, records = load_settings(rerank_by=PACKAGED), Path("seed_order")
    for some in answer_sets(arguments.data, arguments.most):
        if some.title not in (arguments.only or SETS):
            continue
        for family in _FAMILIES:
            whole = replace(STRATEGIES[family], title=f"{family}, by match")
            judged = replace(whole, title=f"{family}, by the judge", seed_rerank=True)
            found = measured(some, [whole, judged], arguments.work, settings, records, baseline=whole.title)
            kept = [RecordFile(folder_of(some, arguments.work) / records, one.title).read() for one in (whole, judged)]
            texts = [{id_: one.answer and one.answer.text for id_, one in each.items()} for each in kept]
            other = sum(text != texts[1][id_] for id_, text in texts[0].items())
            for summary in found:
                row = [
                    *figures_told(summary),
                    f"{summary.median_seconds:.3f}",
                    "" if summary is found[0] else str(other),
                ]
                figures[f"{some.title}: {summary.strategy}"] = row
                rows.append({"set": some.title, "strategy": summary.strategy, **figures_of(summary), "other": other})
                print(some.title, summary.strategy, *row, sep=" | ", flush=True)
    if not arguments.only:
        write_result(
            "seed_order",
            command=f"python -m benchmarks.seed_order --work FOLDER --most {arguments.most}",
            data=", ".join(SETS),
            baseline="events in the order of their match",
            columns=(
                "questions",
                "score",
                "less by match, p",
                "answered",
                "wrong when answered",
                "seconds (median)",
                "other answers",
            ),
            figures=figures,
            rows=rows,
            seed=SEED,
        )


if __name__ == "__main__":
    main()
