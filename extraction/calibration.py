"""How likely a claim of the rules is right, by labelled sentences: a proposal, applied by nothing yet.

The cue table and the factors of extraction/causes.py were judged by hand. Two numbers fitted by logistic regression
turn their product into a probability (Platt 1999), and what was seen of the cue itself moves it, the more so the more
often the cue was seen: the mean of a beta distribution whose prior has that probability for its mean. The numbers stand
in calibration.toml, which `python -m training.rule_calibration` writes.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

TABLE: Final = "calibration.toml"
_CERTAIN: Final = 1e-6


class Calibration(NamedTuple):
    """The fitted numbers.

    Attributes:
        slope: Factor on the logit of the confidence.
        constant: What is added to it; the logistic of the sum is the probability where the cue is not known.
        prior: How many sightings of a cue weigh as much as that probability.
        cues: Of each cue that was seen how often it was right, and how often it was seen.
    """

    slope: float
    constant: float
    prior: float
    cues: Mapping[str, tuple[int, int]]

    def of(self, confidence: float, cue: str) -> float:
        """Probability, 0 to 1, that the sentence states the relation.

        Args:
            confidence: Of the claim as the rules give it, 0 to 1.
            cue: Of the claim, as it names it.
        """
        clipped = min(max(confidence, _CERTAIN), 1 - _CERTAIN)
        prior = 1 / (1 + math.exp(-self.slope * math.log(clipped / (1 - clipped)) - self.constant))
        right, seen = self.cues.get(cue, (0, 0))
        return (right + self.prior * prior) / (seen + self.prior)


@cache
def rule_calibration() -> Calibration:
    """The packaged table."""
    table = tomllib.loads(files("extraction").joinpath(TABLE).read_text(encoding="utf-8"))
    cues = {cue: (int(right), int(seen)) for cue, (right, seen) in table["cues"].items()}
    return Calibration(float(table["slope"]), float(table["constant"]), float(table["prior"]), cues)
