"""How likely two mentions tell of the same event, by a learned head on the adapted encoder.

Each mention is read once, with the text around its sentence. A pair is scored from the products of the two mentions'
projected vectors, from the cosines of their triggers, sentences and surroundings, and from the words they share, by a
small perceptron (mention pairs: Barhom et al. 2019, P19-1409, section 5, with one encoder for all three views). numpy
suffices.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from models.adapted_trunk import AdaptedTrunk, trunk_and_head
from models.encoder import PACKAGED
from models.weights_card import HEAD_FILE, WEIGHTS, open_weights

NAME: Final = "causetrail_coreference"
VIEWS: Final = 3
"""Vectors of a mention: of its trigger, its sentence, and the text around."""
COSINE_CENTRE: Final = 0.7
COSINE_SCALE: Final = 5.0
"""Cosines of hidden states lie close together; so they spread about as wide as the other features."""
_CHUNK: Final = 4_096
"""Pairs that are scored at once."""

Characters = tuple[int, int]
"""First character of a span and one past its last."""
Floats = NDArray[np.float32]
Pairs = Sequence[tuple[int, int]]


class Telling(NamedTuple):
    """One mention with what is read to compare it.

    Attributes:
        document: Name of its document.
        text: Its sentence with some text around.
        trigger: The characters of the words that name the event, in `text`.
        sentence: The characters of its sentence, in `text`.
        lemma: Of the word that names the event, in lower case.
        kind: The kind of happening that the lemma tells of.
        words: What the other content words of the sentence are compared by.
        around: The same of all of `text`.
    """

    document: str
    text: str
    trigger: Characters
    sentence: Characters
    lemma: str
    kind: str
    words: frozenset[str]
    around: frozenset[str]


class EventCoreference:
    """Scores pairs of mentions. Safe to use from threads; one reads at a time."""

    def __init__(self, directory: Path = WEIGHTS / NAME) -> None:
        """Checks and loads the weights in `directory`, and the packaged encoder adapted by them.

        Raises:
            ModelDamaged: a file is not the one that was packaged.
            ModelMissing: the files are intact, but the installed runtime cannot run them.
        """
        weights = open_weights(directory)
        self.fingerprint: str = weights.fingerprint
        tensors = load_file(directory / HEAD_FILE)
        self._trunk = AdaptedTrunk(WEIGHTS / PACKAGED, trunk_and_head(tensors)[0])
        self._head = PairHead(tensors)
        self._reading = threading.Lock()

    def read(self, tellings: Sequence[Telling]) -> Floats:
        """Vectors of mentions, float32 of shape (mentions, `VIEWS`, dimension); mentions of one text are read once."""
        places: dict[str, list[int]] = {}
        for place, telling in enumerate(tellings):
            places.setdefault(telling.text, []).append(place)
        vectors: list[Floats] = [np.zeros((0, 0), np.float32)] * len(tellings)
        for text, inside in places.items():
            with self._reading:
                hidden = self._trunk.read(text)
            for place in inside:
                telling = tellings[place]
                vectors[place] = (
                    # A text of signs that are tokens each: the trigger alone is short enough.
                    self._trigger_alone(telling)
                    if hidden is None
                    else views(hidden.states, hidden.offsets, telling.trigger, telling.sentence)
                )
        return np.stack(vectors) if vectors else np.zeros((0, VIEWS, 0), np.float32)

    def probabilities(self, tellings: Sequence[Telling], vectors: Floats, pairs: Pairs) -> Floats:
        """How likely each pair is one event, 0 to 1; the same for both orders of a pair.

        Args:
            tellings: The mentions.
            vectors: What `read` gives of them.
            pairs: Places of two mentions in `tellings`.
        """
        told = likenesses(tellings, pairs)
        parts = [
            self._head.logits(vectors, pairs[first : first + _CHUNK], told[first : first + _CHUNK])
            for first in range(0, len(pairs), _CHUNK)
        ]
        logits = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        result: Floats = (1 / (1 + np.exp(-logits))).astype(np.float32)
        return result

    def _trigger_alone(self, telling: Telling) -> Floats:
        start, end = telling.trigger
        trigger = telling.text[start : min(end, start + _FEW_CHARACTERS)]
        hidden = self._trunk.read(trigger)
        assert hidden is not None  # noqa: S101 - so few characters are never too many tokens
        whole = (0, len(trigger))
        return views(hidden.states, hidden.offsets, whole, whole)


_FEW_CHARACTERS: Final = 400


class PairHead:
    """The perceptron on vectors; `tensors` holds its weights by the names that training gives them."""

    def __init__(self, tensors: Mapping[str, NDArray[Any]]) -> None:
        self._weights: dict[str, Floats] = trunk_and_head(tensors)[1]

    def logits(self, vectors: Floats, pairs: Pairs, told: Floats) -> Floats:
        """Scores of pairs; `told` holds their likenesses."""
        one, two = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
        unit = vectors / np.maximum(np.linalg.norm(vectors, axis=2, keepdims=True), 1e-6)
        projected = self._linear("projection", unit.reshape(len(unit), -1))
        cosines = COSINE_SCALE * (np.einsum("pvd,pvd->pv", unit[one], unit[two]) - COSINE_CENTRE)
        features = np.concatenate([projected[one] * projected[two], cosines, told], axis=1)
        hidden = np.maximum(self._linear("pair.0", features), 0)
        return self._linear("pair.3", hidden)[:, 0]

    def _linear(self, name: str, inputs: Floats) -> Floats:
        result: Floats = inputs @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return result


LIKENESSES: Final = ("lemma", "kind", "words", "around", "document")
"""What `likenesses` tells of a pair, in its order."""


def likenesses(tellings: Sequence[Telling], pairs: Pairs) -> Floats:
    """What the words tell of pairs, float32 of shape (pairs, `LIKENESSES`), each 0 to 1.

    Whether lemma, kind and document are the same; the share of the sentences' words and of the surroundings' words that
    both have (Dice 1945).
    """
    rows = [
        (
            tellings[one].lemma == tellings[two].lemma,
            tellings[one].kind == tellings[two].kind,
            _dice(tellings[one].words, tellings[two].words),
            _dice(tellings[one].around, tellings[two].around),
            tellings[one].document == tellings[two].document,
        )
        for one, two in pairs
    ]
    return np.array(rows, dtype=np.float32).reshape(-1, len(LIKENESSES))


def tokens_in(offsets: Sequence[Characters], span: Characters) -> list[int]:
    """The tokens that stand in a span of characters."""
    return [at for at, (start, end) in enumerate(offsets) if start < end and start < span[1] and span[0] < end]


def views(states: Floats, offsets: Sequence[Characters], trigger: Characters, sentence: Characters) -> Floats:
    """The mean hidden states of the trigger's tokens, of the sentence's, and of all: shape (`VIEWS`, dimension)."""
    every = (0, offsets[-2][1]) if len(offsets) > 2 else (0, 1)
    means = [_mean(states, tokens_in(offsets, span)) for span in (trigger, sentence, every)]
    return np.stack(means)


def _mean(states: Floats, tokens: Sequence[int]) -> Floats:
    result: Floats = states[list(tokens)].mean(axis=0) if tokens else states[0]
    return result


def _dice(one: frozenset[str], two: frozenset[str]) -> float:
    return 2 * len(one & two) / max(len(one) + len(two), 1)
