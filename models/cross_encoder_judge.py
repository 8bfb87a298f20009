"""A cross-encoder of sentence-transformers as the judge of relevance; needs the extra `torch`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from models.hub_model import HubModel
from models.sentence_pair_model import SentencePairModel

CROSS_ENCODER: Final = "cross-encoder:"


class CrossEncoderJudge:
    """Judges passages by one score of a query and a passage (Nogueira and Cho 2019, arXiv 1901.04085).

    The logistic function makes a probability of the score, as in the training of these models; whatever function a
    model names for itself is left out, so that the scores of all of them mean the same.
    """

    def __init__(self, name: str, threads: int = 1) -> None:
        """Loads the model.

        Args:
            name: A folder, or a model of the hub such as cross-encoder/ms-marco-MiniLM-L-6-v2.
            threads: Threads it may use.

        Raises:
            ExtraMissing: sentence-transformers is not installed.
            ModelMissing: the model cannot be found or loaded, or does not give one score for a pair.
        """
        found = HubModel(name, CROSS_ENCODER)
        self._model = SentencePairModel(found, threads)
        if self._model.outputs != 1:
            raise found.not_usable(f"it gives {self._model.outputs} scores for a pair, and one is needed")
        self.fingerprint = self._model.fingerprint

    @property
    def prompts(self) -> Mapping[str, str]:
        """None: no language model is asked."""
        return {}

    def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        """Probability for each passage that it helps to answer the query.

        Raises:
            PassageTooLong: query and passage together have more tokens than the model reads; none is judged then.
        """
        scores = self._model.scores([(query, passage) for passage in passages])[:, 0].astype(np.float64)
        # The logistic function, written so that no score overflows.
        return [float(value) for value in (1 + np.tanh(scores / 2)) / 2]
