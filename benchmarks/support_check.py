"""What the support check of `support-checked` withholds, right and wrong, and from which bound it should.

    python -m benchmarks.support_check --work FOLDER [--data ../shared/data] [--most N]

Questions of XQuAD's odd articles, which the judges have not learned from. Each is asked twice: of a collection that
holds its paragraph, and of one that holds the other half of the paragraphs of every article, where it should be
withheld. The bound is set on articles with number 1 modulo 4, and all figures are of those with number 3. An answer is
right when its words hold a right one, wherever it was read; withholding is right where the paragraph is not there.
Intervals are 95 % ones, over questions, both askings of one drawn together.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.bootstrap import SEED, share_of, with_interval
from benchmarks.results import write_result
from causetrail import Causetrail
from evaluation.answer_match import holds
from evaluation.risk import risk_at, risk_curve
from kg.records import Answer, Verdict

BOUNDS: Final = tuple(place / 20 for place in range(20))
_SET_ON: Final = 1
_MEASURED_ON: Final = 3


class Question(NamedTuple):
    """One question, the half its paragraph is in (0 or 1), the number of its article, and the right answers."""

    asked: str
    half: int
    article: int
    right: tuple[str, ...]


class Checked(NamedTuple):
    """What became of one asking.

    Attributes:
        question: Place of the question.
        article: Number of its article.
        held: Whether the collection holds its paragraph.
        drafted: Whether there was a draft to check.
        right: Whether the words of the draft hold a right answer.
        confidence: Of the draft, 0 to 1.
        score: Support, 0 to 1; 1 where nothing was checked.
        named: Whether a name or a number of the question is in no quote.
        given: Whether the strategy gave an answer.
    """

    question: int
    article: int
    held: bool
    drafted: bool
    right: bool
    confidence: float
    score: float
    named: bool
    given: bool


def main() -> None:
    """Asks all and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of the store")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--most", type=int, default=160, metavar="N", help="questions")
    arguments = parser.parse_args()
    asked, halves = read_questions(arguments.data / "xquad/xquad.en.json", arguments.most)
    rows = list(_checked(asked, halves, arguments.work))
    set_on = [row for row in rows if row.article % 4 == _SET_ON]
    measured = [row for row in rows if row.article % 4 == _MEASURED_ON]
    best = best_bound(set_on)
    ways: dict[str, Callable[[Checked], bool]] = {
        "no check": lambda row: row.drafted,
        "score alone, at 0.5": lambda row: stands(row, 0.5, words=False),
        f"score alone, at the bound set, {best:.2f}": lambda row: stands(row, best, words=False),
        "unsaid names alone": lambda row: stands(row, 0.0),
        "both, at 0.5": lambda row: stands(row, 0.5),
        f"both, at the bound set, {best:.2f}": lambda row: stands(row, best),
        "the strategy as it is": lambda row: row.given,
    }
    write_result(
        "support_check",
        command=f"python -m benchmarks.support_check --work FOLDER --most {arguments.most}",
        data=f"XQuAD English, {len(measured) // 2} questions of articles 3 modulo 4, each asked with and without its "
        f"paragraph; the bound is set on {len(set_on) // 2} of articles 1 modulo 4",
        baseline="no check: every draft is given",
        columns=(
            "right",
            "wrong among given",
            "given with paragraph",
            "given without",
            "wrong in the surer half by confidence",
            "by confidence and score",
        ),
        figures={name: figures_of(measured, given) for name, given in ways.items()},
        rows=[row._asdict() for row in rows],
        seed=SEED,
    )


def read_questions(path: Path, most: int) -> tuple[list[Question], tuple[dict[str, str], dict[str, str]]]:
    """Questions of odd articles, drawn with a fixed seed, and the texts of both halves by name.

    Args:
        path: A file in the format of SQuAD.
        most: Questions that are drawn, at most.
    """
    asked: list[Question] = []
    halves: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for number, article in enumerate(json.loads(path.read_text("utf-8"))["data"]):
        for place, paragraph in enumerate(article["paragraphs"]):
            halves[place % 2][f"{number:02}-{place:02}.txt"] = paragraph["context"]
            for one in paragraph["qas"] if number % 2 else ():
                right = tuple(dict.fromkeys(answer["text"] for answer in one["answers"]))
                asked.append(Question(one["question"], place % 2, number, right))
    return random.Random(SEED).sample(asked, min(most, len(asked))), halves


def stands(row: Checked, bound: float, *, words: bool = True) -> bool:
    """Whether a draft is given with this bound on its score, and, with `words`, no name or number unsaid."""
    return row.drafted and row.score >= bound and not (words and row.named)


def is_right(row: Checked, given: bool) -> bool:
    """Whether a right answer was given, or none where the paragraph is not there and no other tells it."""
    return row.right if given else not row.held


def best_bound(rows: Sequence[Checked]) -> float:
    """The least bound with which the score, beside the words, makes most askings right."""
    return max(BOUNDS, key=lambda bound: (sum(is_right(row, stands(row, bound)) for row in rows), -bound))


def figures_of(rows: Sequence[Checked], given: Callable[[Checked], bool]) -> list[str]:
    """The figures of one way to decide which drafts are given, as columns of the result."""
    counts: dict[int, Counter[str]] = {}
    for row in rows:
        stood = given(row)
        counts.setdefault(row.question, Counter()).update(
            {
                "askings": 1,
                "right": is_right(row, stood),
                "given": stood,
                "wrong": stood and not row.right,
                "held": row.held,
                "given held": stood and row.held,
                "lacking": not row.held,
                "given lacking": stood and not row.held,
            }
        )
    pairs = (("right", "askings"), ("wrong", "given"), ("given held", "held"), ("given lacking", "lacking"))
    shares = [with_interval([*counts.values()], share_of(*pair)) for pair in pairs]
    told = [row for row in rows if given(row)]
    by_confidence = risk_curve((row.confidence, float(row.right)) for row in told)
    by_both = risk_curve((min(row.confidence, row.score), float(row.right)) for row in told)
    return [*shares, *(f"{risk_at(curve, 0.5):.3f}" if curve else "" for curve in (by_confidence, by_both))]


def _checked(asked: Sequence[Question], halves: tuple[dict[str, str], dict[str, str]], work: Path) -> Iterator[Checked]:
    work.mkdir(parents=True, exist_ok=True)
    with Causetrail(f"sqlite:///{work / 'trail.db'}") as trail:
        for half, texts in enumerate(halves):
            folder = work / f"half-{half}"
            folder.mkdir(exist_ok=True)
            for name, text in texts.items():
                (folder / name).write_text(text, "utf-8")
            trail.within(folder.name).ingest(folder)
        for place, question in enumerate(asked):
            for half in (0, 1):
                yield _row(place, question, half, trail.within(f"half-{half}").ask(question.asked, "support-checked"))
            if (place + 1) % 20 == 0:
                print(f"  {place + 1} of {len(asked)}", flush=True)


def _row(place: int, question: Question, half: int, told: Answer) -> Checked:
    arbitrated, support = (_step(told, name) for name in ("arbitrate", "support"))
    drafts: list[dict[str, Any]] = [step.detail for step in told.trace if step.step == "draft" and step.detail["made"]]
    drafted = arbitrated["verdict"] != Verdict.INSUFFICIENT.value
    return Checked(
        question=place,
        article=question.article,
        held=half == question.half,
        drafted=drafted,
        right=drafted and any(holds(support["draft"], right) for right in question.right),
        confidence=next((one["confidence"] for one in drafts if one["text"] == support["draft"]), 0.0),
        score=support.get("score", 1.0),
        named=any(word[0].isupper() or word[0].isdigit() for word in support.get("unsaid", ())),
        given=told.verdict is not Verdict.INSUFFICIENT,
    )


def _step(told: Answer, name: str) -> dict[str, Any]:
    (found,) = (step.detail for step in told.trace if step.step == name)
    return found


if __name__ == "__main__":
    main()
