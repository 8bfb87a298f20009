"""How a sentence tells of a cause and its effect: which relation it states between them, and how real all that is.

Small heads on the states of an early layer of the adapted encoder, which still tell one word from another as the last
layer does not. Around the cause, the effect and the signal a few words each are weighed by learned attention (Vaswani
et al. 2017, arXiv 1706.03762, with one learned query for each of several heads and a bias for each place); a perceptron
tells relation and modality from what they attend to. Another one tells in the same way from the words around a word
whether what it names is denied. Nothing is encoded for it. numpy suffices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from safetensors.numpy import load_file

from models.relation_heads import Floats, Words, gap
from models.weights_card import HEAD_FILE, WEIGHTS, open_weights, open_weights_over

NAME: Final = "causetrail_factuality"
RELATIONS: Final = ("CAUSES", "ENABLES", "PREVENTS", "none")
MODALITIES: Final = ("actual", "possible", "planned", "hypothetical")
BEFORE, INSIDE, BEHIND = 8, 3, 6
"""Words of a window: before a span, at each of its ends, behind it."""
PLACES: Final = BEFORE + 2 * INSIDE + BEHIND
NOWHERE: Final = -1
"""A place of a window that no word stands in."""


class Telling(NamedTuple):
    """How a relation is told.

    Attributes:
        relations: Probability of each of `RELATIONS`; they sum to 1.
        modalities: Probability of each of `MODALITIES`; they sum to 1.
    """

    relations: Mapping[str, float]
    modalities: Mapping[str, float]


class FactualityHeads:
    """Tells of relations whose words are known. Safe to be used by several threads."""

    def __init__(self, trunk: str, directory: Path = WEIGHTS / NAME) -> None:
        """Checks and loads the weights in `directory`.

        Args:
            trunk: Fingerprint of the relation heads whose trunk the sentences are read with.
            directory: The folder of the weights.

        Raises:
            ModelDamaged: a file is not the one that was packaged.
            ModelMissing: the weights were trained on another trunk.
        """
        weights = open_weights_over(trunk, directory)
        self.fingerprint: str = weights.fingerprint
        self._weights: dict[str, Floats] = {
            name: value.astype(np.float32) for name, value in load_file(directory / HEAD_FILE).items()
        }
        self.denial_floor: float = float(self._weights["denial_floor"][0])
        """Probability from which a happening counts as denied: best F1 on documents kept from training."""

    def tell(self, early: Floats, cause: Words, effect: Words, signal: Words | None) -> Telling:
        """How the sentence tells of a cause and its effect.

        Args:
            early: Vectors of its words (`RelationReading.early`), shape (words, dimension).
            cause: First and last word of the cause.
            effect: First and last word of the effect.
            signal: First and last word of what signals the relation, if anything does.
        """
        features = self._around("telling", early, anchors(cause, effect, signal))
        told = self._told("telling", np.append(features, np.float32(signal is not None)))
        relations, modalities = _shares(told[: len(RELATIONS)]), _shares(told[len(RELATIONS) :])
        return Telling(
            dict(zip(RELATIONS, relations.tolist(), strict=True)),
            dict(zip(MODALITIES, modalities.tolist(), strict=True)),
        )

    def denial(self, early: Floats, happening: Words) -> float:
        """Probability that the sentence denies what a word names: "the alarm did *not sound*", "*no fire*".

        Args:
            early: Vectors of its words, as for `tell`.
            happening: First and last word of what names the happening.
        """
        score = self._told("denial", self._around("denial", early, (happening,)).ravel())[0]
        return float(1 / (1 + np.exp(-score)))

    def _told(self, name: str, inputs: Floats) -> Floats:
        return self._linear(f"{name}.told", _rectified(self._linear(f"{name}.mixed", inputs)))

    def _around(self, name: str, early: Floats, spans: Sequence[Words]) -> Floats:
        """What the words in and around each span make, shape (spans, features)."""
        windows = np.array([window(span, len(early)) for span in spans])
        inside = windows != NOWHERE
        words: Floats = early[windows]
        queries = self._weights[f"{name}.words.query.weight"].reshape(len(spans), -1, early.shape[1])
        scores: Floats = np.einsum("apd,ahd->ahp", words, queries, optimize=True) + self._weights[f"{name}.words.place"]
        scores = np.where(inside[:, None], scores, -np.inf)
        weights = np.exp(scores - scores.max(axis=2, keepdims=True))
        weights /= weights.sum(axis=2, keepdims=True)
        attended: Floats = weights @ _rectified(self._linear(f"{name}.words.value", words))
        means = np.stack([early[first : last + 1].mean(0) for first, last in spans])
        own = _rectified(self._linear(f"{name}.words.span", means))
        return np.concatenate([attended.reshape(len(spans), -1), own], axis=1)

    def _linear(self, name: str, inputs: Floats) -> Floats:
        result: Floats = inputs @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return result


def factuality_fingerprint(directory: Path = WEIGHTS / NAME) -> str:
    """The fingerprint that the packaged heads have; they are not loaded for it.

    Raises:
        ModelDamaged: the packaged weights were changed.
    """
    return open_weights(directory).fingerprint


def anchors(cause: Words, effect: Words, signal: Words | None) -> tuple[Words, Words, Words]:
    """Cause, effect and signal; where nothing signals, the words between the two, or the last word of the first."""
    if signal is None:
        first, end = gap(cause, effect)
        signal = (first, end - 1) if end > first else (first - 1, first - 1)
    return cause, effect, signal


def window(span: Words, count: int) -> list[int]:
    """The `PLACES` words around a span of a sentence of `count` words; of a short span no word stands twice."""
    first, last = span
    heads = [place if place <= last else NOWHERE for place in range(first, first + INSIDE)]
    tails = [place if place >= first + INSIDE else NOWHERE for place in range(last - INSIDE + 1, last + 1)]
    places = [*range(first - BEFORE, first), *heads, *tails, *range(last + 1, last + 1 + BEHIND)]
    return [place if 0 <= place < count else NOWHERE for place in places]


def _rectified(values: Floats) -> Floats:
    result: Floats = np.maximum(values, 0)
    return result


def _shares(scores: Floats) -> Floats:
    """Softmax."""
    raised = np.exp(scores - scores.max())
    shares: Floats = raised / raised.sum()
    return shares
