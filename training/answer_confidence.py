"""Makes reasoning/confidence.toml: how probable it is that an answer is right, from what speaks for it.

    python -m training.answer_confidence [--work FOLDER] [--data ../shared/data]

Asked are questions that neither the answers nor their judges are measured on: why-questions of news sentences (the
half that thresholds may be set on; Causal News Corpus, CC0), and questions for facts of those articles of XQuAD (CC
BY-SA 4.0) that the judges were calibrated on, each asked of all articles and one in four of all but its own. Every
draft of an answer is an example, also one that was not given; it is right when its quotes hold a right answer. That
nothing is told is right when there is no answer. The curves are logistic regressions with a prior on slopes of 1; none
may fall. Broken off, the same command goes on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

from benchmarks.answer_sets import AnswerSet
from benchmarks.answers import folder_of, measured
from benchmarks.why_questions import why_questions
from causetrail import Causetrail
from causetrail.settings import load_settings
from evaluation.answer_match import holds
from evaluation.questions_file import AskedItem
from evaluation.records import RecordFile
from kg.records import Stance, Verdict
from models.judges import Task
from reasoning.strategies import find_strategy
from training.judge_sets import JudgeExample, is_held_out

OUTPUT: Final = Path(__file__).parents[1] / "reasoning" / "confidence.toml"
WORK: Final = Path(__file__).parents[1] / ".cache" / "answer_confidence"
KINDS: Final = ("told", "unjudged", "likely", "fact", "nothing")
_PRIOR: Final = 0.1
"""Weight of how far the slopes are from 1, squared: where hardly an answer is wrong, their order stays what it was."""
_LARGEST: Final = 12.0
_NEWS: Final = "why-news"
_ABSENT: Final = 4
"""One question for a fact in so many is also asked of all articles but its own."""


class Known(NamedTuple):
    """One draft, and whether it is right.

    Attributes:
        kind: One of `KINDS`.
        strength: The figure that it was made with, 0 to 1.
        sufficiency: The judge's probability that its quotes suffice; 0 where it was not asked.
        right: Whether it is.
    """

    kind: str
    strength: float
    sufficiency: float
    right: bool


def main() -> None:
    """Asks all, fits a curve for each kind of answer, and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=WORK, help="folder of the stores and the records")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    known = [one for some in tuning_sets(arguments.data) for one in drafts_of(some, arguments.work)]
    known += [one._replace(kind="unjudged", sufficiency=0.0) for one in known if one.kind == "told"]
    parts = []
    for kind in KINDS:
        some = [one for one in known if one.kind == kind]
        strength, sufficiency, constant = fitted(some)
        parts.append(
            f"# {told_of(some, (strength, sufficiency, constant))}\n[{kind}]\nstrength = {strength:.3f}\n"
            f"sufficiency = {sufficiency:.3f}\nconstant = {constant:.3f}\n"
        )
    head = "# Made by python -m training.answer_confidence: the logarithm of the odds that an answer is right.\n\n"
    arguments.output.write_text(head + "\n".join(parts), "utf-8")
    print(arguments.output.read_text("utf-8"))


def tuning_sets(data: Path) -> Iterator[AnswerSet]:
    """The questions, and what they are asked of."""
    made = why_questions(data, 1)
    news = [item for item in made.items if item.collection == _NEWS]
    yield AnswerSet("confidence, why", [*news], {_NEWS: {**made.documents[_NEWS]}})
    articles = json.loads((data / "xquad/xquad.en.json").read_text("utf-8"))["data"]
    own = {one["title"]: [paragraph["context"] for paragraph in one["paragraphs"]] for one in articles}
    documents = {"all": _named(text for texts in own.values() for text in texts)}
    asked: list[AskedItem] = []
    for number, article in enumerate(articles):
        title = article["title"]
        # Answers are measured on the articles at odd places.
        if number % 2 == 0 and is_held_out(
            JudgeExample(Task.RELEVANCE, "xquad", (), (), f"article {title.replace('_', ' ')}")
        ):
            items = [_fact(one) for paragraph in article["paragraphs"] for one in paragraph["qas"]]
            without = f"without-{len(documents)}"
            documents[without] = _named(text for name, texts in own.items() if name != title for text in texts)
            asked += [*items, *(_absent(item, without) for item in items[::_ABSENT])]
    yield AnswerSet("confidence, facts", [*asked], {**documents})


def _named(texts: Iterable[str]) -> dict[str, str]:
    return {f"{number:03}.txt": text for number, text in enumerate(texts)}


def _fact(one: dict[str, Any]) -> AskedItem:
    answers = tuple(dict.fromkeys(answer["text"] for answer in one["answers"]))
    return AskedItem(id=one["id"], collection="all", question=one["question"], answers=answers)


def _absent(item: AskedItem, collection: str) -> AskedItem:
    """A question that is asked where its article is not."""
    changed = {"id": f"{item.id} absent", "collection": collection, "answers": (), "verdict": Verdict.INSUFFICIENT}
    return item.model_copy(update=changed)


def drafts_of(some: AnswerSet, work: Path) -> Iterator[Known]:
    """Every draft of the answers to some questions."""
    recipe = find_strategy("default")
    settings = load_settings()
    measured(some, [recipe], work, settings, Path("records"))
    kept = RecordFile(folder_of(some, work) / "records", recipe.title).read()
    store = f"sqlite:///{folder_of(some, work) / 'trail.db'}"
    with Causetrail(settings=settings.model_copy(update={"store": store})) as trail:
        for item in some.items:
            answer = kept[item.id].answer
            if answer is None or not isinstance(item, AskedItem):
                continue
            held = trail.within(item.collection or "main")
            details: list[tuple[str, dict[str, Any]]] = [(step.step, {**step.detail}) for step in answer.trace]
            figures = {name: found for step, detail in details if step == "validate" for name, found in detail.items()}
            for step, detail in details:
                found = figures.get(detail["origin"]) if step == "draft" and detail["made"] else None
                kind = None if found is None else _kind(detail["verdict"], item)
                if found is not None and kind is not None:
                    quotes = [quote for quote in detail["quotes"] if quote[3] == Stance.FOR]
                    shown = [held.text(id_)[start:end] for id_, start, end, _ in quotes]
                    yield Known(kind, found["strength"], found.get("sufficiency", 0.0), _is_right(shown, item))
            likely = [detail for step, detail in details if step == "likely cause" and detail.get("cause")]
            if likely:
                yield Known("likely", likely[0]["strength"], 0.0, _is_right([answer.evidence[0].quote], item))
            elif answer.verdict is Verdict.INSUFFICIENT:
                yield Known("nothing", figures["nothing"]["strength"], 0.0, not item.answers)


def _kind(verdict: object, item: AskedItem) -> str | None:
    """Which curve a draft is an example of; a suspicion and a denial have none."""
    if verdict != Verdict.SUPPORTED:
        return None
    return "told" if item.collection == _NEWS else "fact"


def _is_right(quotes: Sequence[str], item: AskedItem) -> bool:
    return any(holds(quote, right) or holds(right, quote) for quote in quotes for right in item.answers)


def fitted(known: Sequence[Known]) -> tuple[float, float, float]:
    """Slopes of strength and sufficiency, not below 0, and the constant; a few right ones alone make nothing certain.

    What the odds are fitted to are shares as of one more right and one more wrong example (Platt 1999).
    """
    told = np.array([(one.strength, one.sufficiency) for one in known])
    is_right = np.array([one.right for one in known])
    right = np.where(is_right, (is_right.sum() + 1) / (is_right.sum() + 2), 1 / ((~is_right).sum() + 2))

    def loss(weights: np.ndarray[Any, Any]) -> float:
        odds = told @ weights[:2] + weights[2]
        entropy = np.logaddexp(0.0, odds) - right * odds
        return float(entropy.sum() + _PRIOR * ((weights[:2] - 1.0) ** 2).sum())

    bounds = [(0.0, _LARGEST), (0.0, _LARGEST), (-_LARGEST, _LARGEST)]
    if not told[:, 1].any():
        bounds[1] = (0.0, 0.0)
    found = minimize(loss, np.array([1.0, 0.0, 0.0]), bounds=bounds).x
    return float(found[0]), float(found[1]), float(found[2])


def told_of(known: Sequence[Known], weights: tuple[float, float, float]) -> str:
    """How many examples a curve is made from, and how good it is on them."""
    right = np.array([one.right for one in known])
    odds = np.array([one.strength * weights[0] + one.sufficiency * weights[1] + weights[2] for one in known])
    areas = f", area under its curve {roc_auc_score(right, odds):.2f}" if 0 < right.sum() < len(right) else ""
    return f"{len(known)} examples, {right.mean():.2f} of them right{areas}."


if __name__ == "__main__":
    main()
