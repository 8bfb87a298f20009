"""Ask twenty questions of the investigation reports and count what comes back.

    python -m benchmarks.questions --data ../shared/data

The questions and their answers were written down before any was asked; nothing is tuned on them. An answerable
question is right when the verdict is supported or hypothesised and a quote overlaps the finding or holds all its key
words; it is abstained when the verdict is insufficient; otherwise it is wrong. A question without an answer is right
when the verdict is insufficient. The baseline beside it is plain retrieval: the single best passage, right when it
overlaps the finding or holds the key words, and it never abstains.

Answers and quotes are printed; stored are the outcomes and where the quotes stand, not the text of the reports.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from benchmarks.results import write_result
from causetrail import Causetrail
from kg.records import Answer, Verdict

HERE = Path(__file__).parent
ANSWERING = (Verdict.SUPPORTED, Verdict.HYPOTHESISED)


def overlaps(item: dict[str, Any], path: str, start: int, end: int, quote: str) -> bool:
    """Whether a quote from the file `path` shows the finding of a question."""
    if not path.endswith(str(item["document"])):
        return False
    inside = start < int(item["end"]) and end > int(item["start"])
    return inside or all(word.lower() in quote.lower() for word in item["words"])


def judge(item: dict[str, Any], answer: Answer) -> str:
    """`right`, `wrong` or `abstained`."""
    if "document" not in item:
        return "right" if answer.verdict is Verdict.INSUFFICIENT else "wrong"
    if answer.verdict is Verdict.INSUFFICIENT:
        return "abstained"
    shown = any(overlaps(item, e.source, e.start, e.end, e.quote) for e in answer.evidence)
    return "right" if shown and answer.verdict in ANSWERING else "wrong"


def judge_passage(item: dict[str, Any], trail: Causetrail) -> str:
    """The same for the single best passage of plain retrieval."""
    found = trail.passages(str(item["ask"]), limit=1)
    if "document" not in item:
        return "wrong" if found else "right"
    shown = any(overlaps(item, e.source, e.start, e.end, e.quote) for e in found)
    return "right" if shown else "wrong"


def main() -> None:
    """Ingest the reports into a fresh store, ask, print and store."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    data: Path = arguments.parse_args().data
    questions = tomllib.loads((HERE / "reports_questions.toml").read_text("utf-8"))["question"]
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder, Causetrail(f"sqlite:///{folder}/reports.db") as trail:
        trail.ingest(data / "reports")
        for item in questions:
            answer = trail.ask(item["ask"])
            row: dict[str, object] = {
                "ask": item["ask"],
                "expected": item.get("answer", "(no answer in the reports)"),
                "outcome": judge(item, answer),
                "baseline": judge_passage(item, trail),
                "verdict": answer.verdict.value,
                "mode": answer.mode.value,
                "quotes": [f"{Path(e.source).name}:{e.start}-{e.end}" for e in answer.evidence],
            }
            rows.append(row)
            quotes = [evidence.quote for evidence in answer.evidence]
            print(json.dumps(row | {"text": answer.text, "quoted": quotes}, indent=1, ensure_ascii=False))
    figures: dict[str, object] = {}
    for column in ("outcome", "baseline"):
        for group in (True, False):
            label = f"{column} {'answerable' if group else 'unanswerable'}"
            chosen = [row for row, item in zip(rows, questions, strict=True) if ("document" in item) is group]
            for kind in ("right", "wrong", "abstained"):
                figures[f"{label} {kind}"] = sum(row[column] == kind for row in chosen)
    write_result(
        "questions",
        command="python -m benchmarks.questions --data ../shared/data",
        data="the 26 investigation reports; benchmarks/reports_questions.toml",
        baseline="the single best passage of hybrid retrieval, which never abstains",
        figures=figures,
        rows=rows,
    )


if __name__ == "__main__":
    main()
