"""Every strategy on every public set of questions: what it is worth beside plain text, and at what cost.

    python -m benchmarks.answers --work FOLDER [--data ../shared/data] [--most N] [--only SET ...] [--strategy NAME ...]
        [--llm NAME]

The questions go through the same harness as `causetrail eval`, and broken off, the same command goes on: the stores and
the records of each question stay in the folder FOLDER. AER's topics are those that no weights have learned from, with
their documents where they are there (topics 3 and 7), else the passages that were picked for these topics. The causes
among e-CARE's and COPA's questions have no documents. PubMedQA's questions are asked of all abstracts of its test;
“yes”, “no” and “maybe” are the verdicts supported, contradicted and insufficient. With a language model, that one
judges and proposes in place of the packaged judges. Intervals are 95 % ones, over questions.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.answer_sets import AnswerSet, answer_sets, folder_name, write_texts
from benchmarks.bootstrap import SEED
from benchmarks.results import write_result
from benchmarks.strategy_targets import BASELINE, DEFAULT, RERANKED
from causetrail import Causetrail
from causetrail.settings import Settings, load_settings
from evaluation.evaluate import evaluate
from evaluation.questions_file import QuestionsFile
from evaluation.report import figure_told
from evaluation.summary import StrategySummary
from models.judge_source import PACKAGED, REASONER
from reasoning.strategies import STRATEGIES, Strategy, find_strategy

_RERANKED_ON: Final = "reports"


def main() -> None:
    """Measures all and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of the stores and the records")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--most", type=int, default=150, metavar="N", help="questions of one set")
    parser.add_argument("--only", action="append", help="names of sets; all when not given")
    parser.add_argument("--strategy", action="append", help="names of strategies; all when not given")
    parser.add_argument("--llm", metavar="NAME", help="a language model, by the name that the setting `llm` takes")
    arguments = parser.parse_args()
    strategies = [find_strategy(name) for name in arguments.strategy or STRATEGIES]
    reasoned = {} if arguments.llm is None else {"llm": arguments.llm, "judge_by": REASONER}
    records = Path("records" if arguments.llm is None else "records_llm")
    figures: dict[str, list[str]] = {}
    rows: list[dict[str, object]] = []
    for some in answer_sets(arguments.data, arguments.most):
        if not arguments.only or some.title in arguments.only:
            found = measured(some, strategies, arguments.work, load_settings(**reasoned), records)
            if some.title == _RERANKED_ON and not (arguments.llm or arguments.strategy):
                found += _reranked(some, arguments.work)
            for summary in found:
                figures[f"{some.title}, {summary.strategy}"] = _row(summary)
                rows.append({"set": some.title, "llm": arguments.llm, **summary.model_dump(mode="json")})
                print(some.title, summary.strategy, *_row(summary), sep=" | ", flush=True)
    if arguments.llm or not (arguments.only or arguments.strategy):
        write_result(
            "answers_llm" if arguments.llm else "answers",
            command=_command(arguments),
            data="; ".join(dict.fromkeys(str(row["set"]) for row in rows)),
            baseline="text-only: sentences of the best passages",
            columns=(
                "questions",
                "score",
                "less text-only, p",
                "answered",
                "by the graph",
                "score there",
                "wrong at half coverage, at full",
                "seconds (median)",
                "tokens",
            ),
            figures=figures,
            rows=rows,
            seed=SEED,
        )


def _reranked(some: AnswerSet, work: Path) -> list[StrategySummary]:
    """The default with passages that the packaged judge of relevance chooses: what that costs, and what it is worth."""
    settings = load_settings(rerank_by=PACKAGED)
    recipe = replace(find_strategy(DEFAULT), title=RERANKED)
    baseline = find_strategy(BASELINE)
    return [
        one
        for one in measured(some, [recipe, baseline], work, settings, Path("records_reranked"))
        if one.strategy == RERANKED
    ]


def _command(arguments: argparse.Namespace) -> str:
    parts = [f"--most {arguments.most}", *(f'--only "{name}"' for name in arguments.only or ())]
    parts += [f"--strategy {name}" for name in arguments.strategy or ()]
    parts += [f"--llm {arguments.llm}"] if arguments.llm else []
    return f"python -m benchmarks.answers --work FOLDER {' '.join(parts)}"


def measured(
    some: AnswerSet,
    strategies: Sequence[Strategy],
    work: Path,
    settings: Settings,
    records: Path,
    baseline: str = "text-only",
) -> list[StrategySummary]:
    """The figures of some strategies on one set; broken off and called again, it goes on where it was.

    Args:
        some: The questions and their documents.
        strategies: What they are asked of.
        work: Folder of the stores, one for each set.
        settings: All but the store.
        records: Where the records are kept, inside the folder of the set.
        baseline: Name of the strategy that the others are compared with.
    """
    folder = folder_of(some, work)
    folder.mkdir(parents=True, exist_ok=True)
    settings = settings.model_copy(update={"store": f"sqlite:///{folder / 'trail.db'}"})
    with Causetrail(settings=settings) as trail:
        for collection, texts in some.documents.items():
            held = trail.within(collection)
            if isinstance(texts, Path):
                held.ingest(texts)
                continue
            write_texts(texts, folder / "documents" / collection)
            held.ingest(folder / "documents" / collection)
        content = "".join(item.model_dump_json() for item in some.items).encode()
        asked = QuestionsFile(name=some.title, items=tuple(some.items), sha256=hashlib.sha256(content).hexdigest())
        return evaluate(trail, asked, strategies, folder / records, baseline=baseline, progress=_progress)


def folder_of(some: AnswerSet, work: Path) -> Path:
    """Where the store and the records of a set are kept."""
    return work / folder_name(some)


def _progress(strategy: str, done: int, total: int) -> None:
    if done % 50 == 0 or done == total:
        print(f"  {strategy}: {done} of {total}", flush=True)


def _row(summary: StrategySummary) -> list[str]:
    against = summary.against
    return [
        str(summary.questions),
        figure_told(summary.score),
        "" if against is None else f"{against.difference.value:+.3f}, p {against.p:.4f}",
        f"{summary.answered:.2f}",
        f"{summary.graph_share:.2f}",
        figure_told(summary.graph_score),
        f"{summary.risks['0.5']:.3f}, {summary.risks['1']:.3f}",
        f"{summary.median_seconds:.3f}",
        f"{summary.tokens:.0f}",
    ]


if __name__ == "__main__":
    main()
