"""Learns how the arguments of right claims stand in their sentences, from the claims of reports that were judged.

    python -m training.standing --data ../shared/data

A logistic regression on what `extraction.standing` looks at, its points written beside that file. What is printed is
measured on reports that were left out, thirteen times: how well it tells right claims from wrong ones, and how many of
each remain when those below a bound are left out. The bound was chosen on these figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.judged_claims import MEASURED, RIGHT, Judgement, read_judgements
from causetrail.settings import Settings
from extraction import standing
from extraction.loading.load import Loaded, load
from extraction.statements import Located
from language.clauses import Clauses
from language.sentences import SentenceReader
from language.tokens import Sentence

BOUND: Final = 0.7
"""Claims whose arguments stand so badly are doubtful."""
_STRENGTH: Final = 0.05
"""Inverse of the penalty on points, of features with the same spread."""
_FOLDS: Final = 13
_BOUNDS: Final = (0.65, 0.7, 0.75, 0.8, 0.85)


class Example(NamedTuple):
    """A claim that was judged."""

    features: dict[str, float]
    right: bool
    document: str


def main() -> None:
    """Fits, prints what was left out says, and writes the points."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--output", type=Path, default=Path(standing.__file__).with_suffix(".toml"))
    arguments = parser.parse_args()
    judgements = [one for one in read_judgements() if MEASURED not in one.draws]
    examples = list(read_examples(arguments.data / "reports", judgements))
    names = list(examples[0].features)
    table = np.array([[one.features[name] for name in names] for one in examples])
    right = np.array([one.right for one in examples])
    model = make_pipeline(StandardScaler(), LogisticRegression(C=_STRENGTH, max_iter=1000))
    groups = [one.document for one in examples]
    told = cross_val_predict(model, table, right, groups=groups, cv=GroupKFold(_FOLDS), method="predict_proba")[:, 1]
    print(f"{len(examples)} claims, {right.mean():.3f} right; area under the curve {roc_auc_score(right, told):.3f}")
    for bound in _BOUNDS:
        kept = told >= bound
        if kept.any():
            print(f"from {bound}: {kept.sum()} claims, {right[kept].mean():.3f} right")
    model.fit(table, right)
    scaler, regression = model[0], model[1]
    points = regression.coef_[0] / scaler.scale_
    always = float(regression.intercept_[0] - points @ scaler.mean_)
    arguments.output.write_text(
        written({"always": always, **dict(zip(names, points, strict=True))}, len(examples)), "utf-8"
    )


def read_examples(reports: Path, judgements: Sequence[Judgement]) -> Iterator[Example]:
    """The judged claims whose arguments are words of one sentence each."""
    sentences = SentenceReader()
    read: dict[str, list[Sentence]] = {}
    for judgement in judgements:
        name = judgement.place.document
        if name not in read:
            loaded = next(load(reports / name, Settings(), name))
            assert isinstance(loaded, Loaded)
            read[name] = sentences.read(loaded.text)
        cause, effect = (located(read[name], span) for span in (judgement.place.cause, judgement.place.effect))
        if cause is not None and effect is not None:
            yield Example(standing.features(judgement.place.relation, cause, effect), judgement.verdict == RIGHT, name)


def located(sentences: Sequence[Sentence], characters: str) -> Located | None:
    """The words of one sentence that stand at "start-end"; none when there are none."""
    start, end = map(int, characters.split("-"))
    for place, sentence in enumerate(sentences):
        if sentence.start <= start and end <= sentence.end:
            inside = [at for at, token in enumerate(sentence.tokens) if start <= token.start and token.end <= end]
            return Located((inside[0], inside[-1] + 1), Clauses(sentence), place) if inside else None
    return None


def written(points: dict[str, float], claims: int) -> str:
    """The table of points."""
    lines = [
        "# Points of the scorecard for how arguments stand in their sentences, as log odds of a right claim: by",
        f"# `python -m training.standing` from the judgements of {claims} claims (benchmarks/judged_claims.csv).",
        "",
        "# A claim of a lower probability is doubtful.",
        f"doubted_below = {BOUND}",
        "",
        *(f"{name} = {round(value, 2)}" for name, value in points.items()),
    ]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
