"""Whether the sentence that helps most holds the answer, and from which help on it is shown where none suffices.

    python -m benchmarks.nearest_sentences --work FOLDER [--data ../shared/data] [--most N]

N questions for facts to XQuAD's even articles, on which the bound is chosen, N to its odd ones, which set nothing, and
a fifth as many of HotpotQA's (at even places), of which the articles tell nothing. All are asked of all articles, by
the default strategy; the judge of relevance has learned from the even articles. Right is a sentence that holds the
words of an answer. The baseline is the bound at even odds, 0.5.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.bootstrap import SEED
from benchmarks.results import write_result
from causetrail import Causetrail
from evaluation.answer_match import holds
from kg.records import Verdict

BOUNDS: Final = (0.1, 0.2, 0.3, 0.4, 0.5)


class Asked(NamedTuple):
    """A question and its right answers; none where the articles have none."""

    question: str
    answers: tuple[str, ...]


class Nearest(NamedTuple):
    """The sentence that helps most.

    Attributes:
        help: Probability that it helps, 0 to 1.
        right: Whether it holds an answer.
        answered: Whether a sentence was told as the answer.
    """

    help: float
    right: bool
    answered: bool


def main() -> None:
    """Measures all parts and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of the store and the documents")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--most", type=int, default=300, metavar="N", help="questions of even and of odd articles")
    arguments = parser.parse_args()
    texts, parts = asked_of(arguments.data, arguments.most)
    documents: Path = arguments.work / "documents"
    documents.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (documents / name).write_text(text, "utf-8")
    figures: dict[str, list[str]] = {}
    rows: list[dict[str, object]] = []
    with Causetrail(f"sqlite:///{arguments.work / 'trail.db'}") as trail:
        trail.ingest(documents)
        for title, some in parts.items():
            found = list(_nearest(trail, some))
            figures[f"{title}, {len(found)} questions"] = _told(found)
            rows += [{"part": title, **one._asdict()} for one in found]
    write_result(
        "nearest_sentences",
        command=f"python -m benchmarks.nearest_sentences --work FOLDER --most {arguments.most}",
        data="XQuAD, even and odd articles; HotpotQA, even places, asked of XQuAD's articles",
        baseline="shown from 0.5 on",
        columns=(
            "helps most and right",
            "not answered",
            *(f"of these shown from {bound:g} on, right" for bound in BOUNDS),
        ),
        figures=figures,
        rows=rows,
        seed=SEED,
    )


def asked_of(data: Path, most: int) -> tuple[dict[str, str], Mapping[str, Sequence[Asked]]]:
    """The paragraphs of all articles by file name, and the questions of each part."""
    texts: dict[str, str] = {}
    asked: tuple[list[Asked], list[Asked]] = ([], [])
    for number, article in enumerate(json.loads((data / "xquad/xquad.en.json").read_text("utf-8"))["data"]):
        for paragraph in article["paragraphs"]:
            texts[f"{len(texts):03}.txt"] = paragraph["context"]
            asked[number % 2].extend(_of(paragraph))
    other = json.loads((data / "multihop/hotpotqa_train.json").read_text("utf-8"))[::2]
    draw = random.Random(SEED)
    even, odd = (draw.sample(some, most) for some in asked)
    absent = [Asked(row["question"], ()) for row in draw.sample(other, min(len(other), most // 5))]
    return texts, {"even articles": even, "odd articles": odd, "told nowhere": absent}


def _of(paragraph: Mapping[str, Any]) -> Iterator[Asked]:
    for one in paragraph["qas"]:
        yield Asked(one["question"], tuple(dict.fromkeys(answer["text"] for answer in one["answers"])))


def _nearest(trail: Causetrail, some: Sequence[Asked]) -> Iterator[Nearest]:
    """What helps most with each question of which sentences were judged."""
    texts = {document.id: trail.text(document.sources[0]) for document in trail.documents()}
    for question, answers in some:
        told = trail.ask(question)
        steps: list[Any] = [step.detail["fact"] for step in told.trace if "fact" in step.detail]
        if steps and steps[-1]["sentences"]:
            document, start, end, help_ = max(steps[-1]["sentences"], key=lambda sentence: sentence[-1])
            right = any(holds(texts[document][start:end], answer) for answer in answers)
            yield Nearest(help_, right, told.verdict is not Verdict.INSUFFICIENT)


def _told(found: Sequence[Nearest]) -> list[str]:
    silent = [one for one in found if not one.answered]
    shown = ([one for one in silent if one.help >= bound] for bound in BOUNDS)
    share = sum(one.right for one in found) / len(found)
    return [f"{share:.3f}", str(len(silent)), *(f"{len(some)}, {sum(one.right for one in some)}" for some in shown)]


if __name__ == "__main__":
    main()
