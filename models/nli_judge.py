"""A model of natural-language inference as the judge of entailment; needs the extra `torch`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from causetrail.errors import ModelMissing
from models.hub_model import HubModel
from models.judges import Inference, inferences_of
from models.sentence_pair_model import SentencePairModel

NLI: Final = "nli:"
LABELS: Final = ("entailment", "neutral", "contradiction")
"""What such a model calls its outputs, in the order of `Inference`."""
LABELS_TOLD: Final = 100
"""Most characters of other labels that a message repeats."""


class NliJudge:
    """Judges premises and hypotheses by a model that was trained on MNLI (Williams et al. 2018, arXiv 1704.05426)."""

    def __init__(self, name: str, threads: int = 1) -> None:
        """Loads the model, which says itself which of its outputs is which.

        Args:
            name: A folder, or a model of the hub such as cross-encoder/nli-deberta-v3-small.
            threads: Threads it may use.

        Raises:
            ExtraMissing: sentence-transformers is not installed.
            ModelMissing: the model cannot be found or loaded, or does not call its outputs entailment, neutral and
                contradiction, in any order and case.
        """
        self._model = SentencePairModel(HubModel(name, NLI), threads)
        labels = [label.strip().casefold() for label in self._model.labels]
        if sorted(labels) != sorted(LABELS):
            told = ", ".join(self._model.labels)[:LABELS_TOLD]
            raise ModelMissing(
                model=name,
                reason=f"it calls its outputs {told}, not {', '.join(LABELS)}",
                advice="Take a model that was trained on MNLI; or, where this one was, download it to a folder and "
                "name its outputs under id2label in the folder's config.json.",
            )
        self._order = [labels.index(label) for label in LABELS]
        # The names of the outputs stand in no file of weights, and another order of them is another judge.
        self.fingerprint = f"{self._model.fingerprint}-{''.join(map(str, self._order))}"

    @property
    def prompts(self) -> Mapping[str, str]:
        """None: no language model is asked."""
        return {}

    def inferences(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        """What follows from what, of premises and hypotheses: the softmax of the model's scores.

        Raises:
            PassageTooLong: a pair has more tokens than the model reads; none is judged then.
        """
        scores = self._model.scores(pairs)[:, self._order].astype(np.float64)
        return inferences_of(scores)
