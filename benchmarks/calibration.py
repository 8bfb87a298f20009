"""Whether claims are right as often as their confidence says, by each way of reading.

    python -m benchmarks.calibration [--data ../shared/data]

Claims are those that the program takes from the dev part of the Causal News Corpus, each sentence by itself, but for
those of an order in time. A claim is *placed* when a gold relation of the same direction has both its arguments with an
intersection over union of at least one half; that is stricter than what a confidence is of, that the sentence states
the relation. It is *stated* when a gold relation of the same direction shares a content word with it in the cause and
one in the effect. Purposes are annotated the other way round and count as wrong.

ECE is the expected calibration error over ten bins of equal width (Guo et al. 2017, arXiv 1706.04599, equation 3), the
Brier score the mean squared error. Intervals are 95 % ones over sentences drawn with replacement; the ECE of so few
claims is above nought even where confidences are true. The diagram is docs/calibration.svg.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.bootstrap import SEED, share_of, with_interval
from benchmarks.causal_news_corpus import unseen
from benchmarks.claim_readers import WAYS
from benchmarks.reliability_diagram import Point, draw
from benchmarks.results import write_result
from benchmarks.sentence_claims import Judged, SentenceClaims, judged

BINS: Final = 10
UNIT: Final = 10_000
"""Confidences are counted in ten-thousandths, for they have four digits behind the point."""
DIAGRAM: Final = Path(__file__).parents[1] / "docs" / "calibration.svg"


class Told(NamedTuple):
    """A confidence in ten-thousandths, and whether its claim is right."""

    confidence: int
    right: bool


Column = Sequence[Sequence[tuple[int, Judged]]]
"""Of each sentence its claims: confidence in ten-thousandths, and what the annotation says."""


def bin_of(confidence: int) -> int:
    """The bin of a confidence; the last one includes its end."""
    return min(confidence * BINS // UNIT, BINS - 1)


def counts_of(claims: Sequence[Told]) -> Counter[str]:
    """What ECE and Brier score of one sentence's claims are made of."""
    counts: Counter[str] = Counter()
    for confidence, right in claims:
        place = bin_of(confidence)
        counts["claims"] += 1
        counts["confidence"] += confidence
        counts["right"] += right
        counts["squares"] += (confidence - UNIT * right) ** 2
        counts[f"claims {place}"] += 1
        counts[f"confidence {place}"] += confidence
        counts[f"right {place}"] += right
    return counts


def calibration_error(counts: Counter[str]) -> float:
    """Expected calibration error, 0 to 1."""
    gaps = sum(abs(counts[f"confidence {place}"] - UNIT * counts[f"right {place}"]) for place in range(BINS))
    return gaps / max(UNIT * counts["claims"], 1)


def brier_score(counts: Counter[str]) -> float:
    """Mean squared error of the confidences, 0 to 1."""
    return counts["squares"] / max(UNIT * UNIT * counts["claims"], 1)


SCORES: Final[dict[str, Callable[[Counter[str]], float]]] = {
    "share right": share_of("right", "claims"),
    "ECE": calibration_error,
    "Brier score": brier_score,
}
MEANINGS: Final = ("placed", "stated")


def table(columns: Sequence[Column]) -> dict[str, list[str]]:
    """All figures, by meaning of right, score and bin, one for each column."""
    figures: dict[str, list[str]] = {
        "claims": [str(sum(map(len, column))) for column in columns],
        "mean confidence": [
            with_interval([counts_of(_told(claims, "placed")) for claims in column], _mean_confidence)
            for column in columns
        ],
    }
    for meaning in MEANINGS:
        rows = [[counts_of(_told(claims, meaning)) for claims in column] for column in columns]
        for name, score in SCORES.items():
            figures[f"{meaning}: {name}"] = [with_interval(one, score) for one in rows]
        totals = [sum(one, Counter[str]()) for one in rows]
        for place in range(BINS):
            if any(total[f"claims {place}"] for total in totals):
                name = f"{meaning}, confidence {place / BINS} to {(place + 1) / BINS}"
                figures[f"{name}: mean confidence, share right, claims"] = [_bin_line(total, place) for total in totals]
    return figures


def points(column: Column, meaning: str) -> list[Point]:
    """The points of a reliability diagram."""
    total = sum((counts_of(_told(claims, meaning)) for claims in column), Counter[str]())
    return [
        Point(
            total[f"confidence {place}"] / UNIT / total[f"claims {place}"],
            total[f"right {place}"] / total[f"claims {place}"],
            total[f"claims {place}"],
        )
        for place in range(BINS)
        if total[f"claims {place}"]
    ]


def _told(claims: Sequence[tuple[int, Judged]], meaning: str) -> list[Told]:
    return [Told(confidence, getattr(found, meaning)) for confidence, found in claims]


def _mean_confidence(counts: Counter[str]) -> float:
    return counts["confidence"] / max(UNIT * counts["claims"], 1)


def _bin_line(total: Counter[str], place: int) -> str:
    claims = total[f"claims {place}"]
    if not claims:
        return "-"
    confidence, right = total[f"confidence {place}"] / UNIT / claims, total[f"right {place}"] / claims
    return f"{confidence:.2f}, {right:.2f}, {claims}"


def main() -> None:
    """Scores each way of reading, writes the result beside this file and draws the diagram."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    examples = unseen(parser.parse_args().data, "dev")

    def column(way: str) -> list[list[tuple[int, Judged]]]:
        claims = SentenceClaims(way)
        return [
            [(round(UNIT * one.confidence), judged(one, example)) for one in claims.read(example.text)]
            for example in examples
        ]

    columns = {way: column(way) for way in WAYS}
    write_result(
        "calibration",
        command="python -m benchmarks.calibration",
        data=f"Causal News Corpus V2 dev (CC0), {len(examples)} sentences, those also in train left out",
        baseline="a share right that is the mean confidence of its bin, and an ECE of 0",
        columns=tuple(columns),
        figures=table(list(columns.values())),
        seed=SEED,
    )
    draw(
        DIAGRAM,
        {name: {meaning: points(found, meaning) for meaning in MEANINGS} for name, found in columns.items()},
    )


if __name__ == "__main__":
    main()
