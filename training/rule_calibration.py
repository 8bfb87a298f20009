"""Makes extraction/calibration.toml: how likely a claim of the rules is right, from its confidence and its cue.

    python -m training.rule_calibration

Learned from the training part of the Causal News Corpus (CC0) without near-copies of its dev part, on which
benchmarks/calibration.py measures: the rules take their claims, and a claim is right when an annotated relation shares
a content word with it in the cause and one in the effect. Claims of a purpose are left out, for the corpus annotates
them the other way round. How much a cue's own record weighs is chosen by cross-validation over sentences.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from extraction.calibration import TABLE, Calibration
from training.judged_claims import SentenceClaims, judged
from training.relation_sets import causal_news, without_near_copies

_PRIORS: Final = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0)
_FOLDS: Final = 10
_HEADER: Final = """\
# How likely a claim of the rules is right, by the Causal News Corpus: see extraction/calibration.py.
# Made by: python -m training.rule_calibration
#
# slope       factor on the logit of the confidence
# constant    what is added; the logistic of the sum is the probability where the cue is not known
# prior       how many sightings of a cue weigh as much as that probability

"""


class Seen(NamedTuple):
    """One claim of the rules.

    Attributes:
        fold: Part of the cross-validation; that of its sentence.
    """

    fold: int
    confidence: float
    cue: str
    right: bool


def main() -> None:
    """Fits the numbers and writes them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the labelled sets")
    parser.add_argument("--output", type=Path, default=Path("extraction") / TABLE, help="file that is written")
    arguments = parser.parse_args()
    seen = seen_claims(arguments.data / "causal_news_corpus")
    prior = best_prior(seen)
    arguments.output.write_text(_HEADER + as_toml(fitted(seen, prior)), encoding="utf-8")


def seen_claims(folder: Path) -> list[Seen]:
    """The claims of the rules on the training sentences."""
    rules = SentenceClaims("rules")
    examples = without_near_copies(causal_news(folder, "train"), [one.text for one in causal_news(folder, "dev")])
    return [
        Seen(place % _FOLDS, claim.confidence, claim.cue, judged(claim, example).stated)
        for place, example in enumerate(examples)
        for claim in rules.read(example.text)
        if not claim.is_plan
    ]


def best_prior(seen: Sequence[Seen]) -> float:
    """The prior of the least Brier score on sentences that the rest was not fitted on; all scores are printed."""
    scores = {prior: round(_left_out(seen, prior), 4) for prior in _PRIORS}
    print(f"{len(seen)} claims; Brier score left out, by prior: {json.dumps(scores)}")
    return min(scores, key=lambda prior: scores[prior])


def fitted(seen: Sequence[Seen], prior: float) -> Calibration:
    """The calibration that all these claims give."""
    logits = np.array([[np.log(one.confidence / (1 - one.confidence))] for one in seen])
    line = LogisticRegression(C=100.0).fit(logits, np.array([one.right for one in seen]))
    cues: dict[str, tuple[int, int]] = {}
    for one in seen:
        right, count = cues.get(one.cue, (0, 0))
        cues[one.cue] = right + one.right, count + 1
    return Calibration(round(float(line.coef_[0, 0]), 4), round(float(line.intercept_[0]), 4), prior, cues)


def as_toml(calibration: Calibration) -> str:
    """The table as `extraction.calibration` reads it."""
    lines = [f"{name} = {getattr(calibration, name)}" for name in ("slope", "constant", "prior")]
    lines += ["", "# Of each cue how often it was right, and how often it was seen.", "[cues]"]
    lines += [f"{json.dumps(cue)} = [{right}, {seen}]" for cue, (right, seen) in sorted(calibration.cues.items())]
    return "\n".join(lines) + "\n"


def _left_out(seen: Sequence[Seen], prior: float) -> float:
    """Mean squared error over all folds, each predicted from the others."""
    errors = []
    for fold in range(_FOLDS):
        calibration = fitted([one for one in seen if one.fold != fold], prior)
        errors += [(calibration.of(one.confidence, one.cue) - one.right) ** 2 for one in seen if one.fold == fold]
    return float(np.mean(errors))


if __name__ == "__main__":
    main()
