"""What 16 similar passages that do not help do to the answers: `counterfactual`, its stages and the others.

    python -m benchmarks.distractors --work FOLDER [--data ../shared/data] [--most N]

Each question of XQuAD's odd articles and of HotpotQA is asked twice: of the passages that it was made from, alone, and
with the 16 other passages of its set added that are nearest to it by the encoder and hold no right answer. Both have
collections of their own, so nothing else can be found. Broken off, the same command goes on. Intervals are 95 % ones
over questions, and p is of the paired difference to `text-only`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.ablations import figures_of, figures_told, variants
from benchmarks.answer_sets import AnswerSet, answer_sets
from benchmarks.answers import measured
from benchmarks.bootstrap import SEED
from benchmarks.results import write_result
from benchmarks.retrieval_sets import cut_passage
from causetrail.settings import load_settings
from evaluation.answer_match import holds
from evaluation.questions_file import AskedItem, Item
from models.encoder import PACKAGED, load_encoder
from reasoning.counterfactual import CounterfactualStages
from reasoning.strategies import STRATEGIES, Strategy

_SETS: Final = ("XQuAD", "HotpotQA")
_ADDED: Final = 16


def main() -> None:
    """Measures both and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of the stores and the records")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--most", type=int, default=30, metavar="N", help="questions of one set")
    arguments = parser.parse_args()
    figures: dict[str, list[str]] = {}
    rows: list[dict[str, object]] = []
    for some in answer_sets(arguments.data, arguments.most):
        if some.title not in _SETS:
            continue
        for added, made in _with_distractors(some, arguments.data).items():
            found = measured(made, _asked(), arguments.work, load_settings(), Path("records"))
            for summary in found:
                figures[f"{made.title}, {summary.strategy}"] = figures_told(summary)
                row = {"set": some.title, "added": added, "strategy": summary.strategy}
                rows.append({**row, **figures_of(summary)})
                print(made.title, summary.strategy, *figures_told(summary), sep=" | ", flush=True)
    write_result(
        "distractors",
        command=f"python -m benchmarks.distractors --work FOLDER --most {arguments.most}",
        data=f"{' and '.join(_SETS)}, each question with its own passages, and with {_ADDED} similar ones beside them",
        baseline="text-only: sentences of the best passages; and the same questions without the added passages",
        columns=("questions", "score", "less text-only, p", "answered", "wrong when answered"),
        figures=figures,
        rows=rows,
        seed=SEED,
    )


def _asked() -> list[Strategy]:
    """Plain text, the default, and the strategy that is meant to stand this, whole and without each own step."""
    found = variants("counterfactual")
    own = [found[f"without {one.name}"] for one in fields(CounterfactualStages)]
    return [STRATEGIES["text-only"], STRATEGIES["default"], found["whole"], *own]


def _with_distractors(some: AnswerSet, data: Path) -> dict[int, AnswerSet]:
    """The set twice, by the number of passages that are added: each question with a collection of its own."""
    ((_, texts),) = some.documents.items()
    assert isinstance(texts, dict)
    names = list(texts)
    encoder = load_encoder(PACKAGED)
    places = encoder.encode_passages([cut_passage(text) for text in texts.values()])
    paragraph_of = _paragraphs(data)
    items: list[Item] = []
    alone: dict[str, dict[str, str] | Path] = {}
    beside: dict[str, dict[str, str] | Path] = {}
    for number, item in enumerate(some.items):
        assert isinstance(item, AskedItem)
        own = [name for name in names if _is_own(item, texts[name], paragraph_of)]
        likeness = places @ encoder.encode_query(item.question).ravel()
        others = [
            names[place]
            for place in np.argsort(-likeness, kind="stable")
            if names[place] not in own and not any(holds(texts[names[place]], right) for right in item.answers)
        ]
        collection = f"question-{number}"
        items.append(item.model_copy(update={"collection": collection}))
        alone[collection] = {name: texts[name] for name in own}
        beside[collection] = {name: texts[name] for name in [*own, *others[:_ADDED]]}
    return {
        0: AnswerSet(f"{some.title}, own passages", items, alone),
        _ADDED: AnswerSet(f"{some.title}, {_ADDED} distractors", items, beside),
    }


def _paragraphs(data: Path) -> dict[str, str]:
    """The paragraph of each of XQuAD's questions: another one may hold the words of the answer by chance."""
    articles = json.loads((data / "xquad/xquad.en.json").read_text("utf-8"))["data"]
    paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
    return {asked["id"]: paragraph["context"] for paragraph in paragraphs for asked in paragraph["qas"]}


def _is_own(item: AskedItem, text: str, paragraph_of: Mapping[str, str]) -> bool:
    if item.quotes:
        return any(quote in text for quote in item.quotes)
    return paragraph_of[item.id] == text


if __name__ == "__main__":
    main()
