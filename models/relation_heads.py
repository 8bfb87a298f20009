"""Causal relations inside one sentence, or two, by learned heads on the adapted encoder.

A sentence is encoded once. From its words' vectors come: how likely it is that the sentence tells of a cause at all;
for each span of words how well it would do as a cause, as an effect or as a signal (a biaffine scorer over first and
last word: Dozat and Manning 2017, arXiv 1611.01734, equation 6; over spans as Yu et al. 2020, ACL 2020.acl-main.577);
and for the best of them, how well a cause and an effect belong together and which signal is theirs. numpy suffices.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from models.adapted_trunk import AdaptedTrunk, trunk_and_head
from models.encoder import PACKAGED
from models.weights_card import HEAD_FILE, WEIGHTS, open_weights

NAME: Final = "causetrail_relations"
LONGEST: Final = 200
"""Most words of a sentence that is read; scoring every span takes their square."""
RANK: Final = 128
"""Width of the vectors that the biaffine scorer multiplies."""
BUCKETS: Final = 16
"""Classes of lengths of spans: the length grows by a factor of 1.37 from one to the next."""
DISTANCES: Final = 5
"""Classes of the number of words between cause and effect, for each order of the two."""
CANDIDATES: Final = 8
"""Spans of each role that are tried in pairs, best first."""
SIGNALS: Final = 6
_LONGEST_TOLD: Final = 60
"""Longer spans are all of the last class."""
SPAN_WEIGHT: Final = 0.5
"""Weight of each span's own score beside the score of the pair."""
_MOST_RELATIONS: Final = 3

Words = tuple[int, int]
"""First and last word of a span, both inside it."""
Floats = NDArray[np.float32]


class Relation(NamedTuple):
    """One cause with one effect.

    Attributes:
        cause: First and last word of the cause.
        effect: First and last word of the effect.
        signal: First and last word of what says so, if anything does.
        probability: How likely it is that the sentence states this relation, with about these bounds: calibrated on
            sentences that were kept from training.
    """

    cause: Words
    effect: Words
    signal: Words | None
    probability: float


class SentenceScores(NamedTuple):
    """What the heads make of one sentence before anything is chosen; other heads build on it.

    Attributes:
        words: Vectors of the words, float32 of shape (words, dimension).
        spans: Scores of shape (3, words, words) of causes, effects and signals, by first and last word; minus infinity
            where the last word stands before the first.
        causal: Score of the sentence as one that tells of a cause.
    """

    words: Floats
    spans: Floats
    causal: float


@dataclass(frozen=True, slots=True)
class RelationReading:
    """What was read in one sentence.

    Attributes:
        causal: Probability that the sentence tells of a cause and its effect, calibrated like those of relations.
        relations: Best first, at most three, none twice.
        scores: What stands behind them.
        early: Vectors of the words from an early layer, which still tell one word from another; float32 of shape
            (words, dimension).
    """

    causal: float
    relations: tuple[Relation, ...]
    scores: SentenceScores | None = field(default=None, compare=False, repr=False)
    early: Floats | None = field(default=None, compare=False, repr=False)


class RelationHeads:
    """Reads relations. To be used by one thread at a time."""

    def __init__(self, directory: Path = WEIGHTS / NAME) -> None:
        """Checks and loads the weights in `directory`, and the packaged encoder adapted by them.

        Raises:
            ModelDamaged: a file is not the one that was packaged.
            ModelMissing: the files are intact, but the installed runtime cannot run them.
        """
        self.fingerprint: str = open_weights(directory).fingerprint
        tensors = load_file(directory / HEAD_FILE)
        self.trunk = AdaptedTrunk(WEIGHTS / PACKAGED, trunk_and_head(tensors)[0])
        """What a sentence is encoded with, once for all heads."""
        self._heads = Heads(tensors)

    def read(self, text: str, words: Sequence[tuple[int, int]], corpus: str = "cnc") -> RelationReading | None:
        """The relations of one sentence; none when it is empty or longer than `LONGEST` words.

        Args:
            text: The sentence.
            words: First character and one past the last of each word in `text`, in order.
            corpus: Whose notion of a causal sentence: `cnc` (Causal News Corpus), `because` or `semeval`.
        """
        if not words or len(words) > LONGEST:
            return None
        hidden = self.trunk.read(text)
        if hidden is None:
            return None
        places = word_of_token(hidden.offsets, words)
        if max(places) < 0:
            return None
        reading = self._heads.read(hidden.states, places, corpus)
        return replace(reading, early=word_vectors(hidden.early, places))

    def pairs(self, words: Floats, pairs: Sequence[tuple[Words, Words]]) -> Floats:
        """As `Heads.pairs`."""
        return self._heads.pairs(words, pairs)

    def likelihood(self, scores: SentenceScores, cause: Words, effect: Words) -> float:
        """As `Heads.likelihood`."""
        return self._heads.likelihood(scores, cause, effect)


def heads_fingerprint(directory: Path = WEIGHTS / NAME) -> str:
    """The fingerprint that the packaged heads have; they are not loaded for it.

    Raises:
        ModelDamaged: the packaged weights were changed.
    """
    return open_weights(directory).fingerprint


def word_of_token(offsets: Sequence[tuple[int, int]], words: Sequence[tuple[int, int]]) -> list[int]:
    """Which word each token stands in; -1 for those in none."""
    places, word = [], 0
    for start, end in offsets:
        while word < len(words) - 1 and words[word][1] <= start:
            word += 1
        inside = start < end and words[word][0] < end and start < words[word][1]
        places.append(word if inside else -1)
    return places


def word_vectors(states: Floats, places: Sequence[int]) -> Floats:
    """The mean of the hidden states of each word's tokens; `places` says which word each token stands in."""
    words = np.zeros((max(places) + 1, states.shape[1]), dtype=np.float32)
    counts = np.zeros((len(words), 1), dtype=np.float32)
    for token, word in enumerate(places):
        if word >= 0:
            words[word] += states[token]
            counts[word] += 1
    words /= np.maximum(counts, 1)
    return words


class Heads:
    """The heads on hidden states; `tensors` holds their weights by the names that training gives them."""

    def __init__(self, tensors: Mapping[str, NDArray[Any]]) -> None:
        self._weights: dict[str, Floats] = trunk_and_head(tensors)[1]

    def read(self, states: Floats, places: Sequence[int], corpus: str) -> RelationReading:
        """The relations of a sentence from its hidden states; `places` says which word each token stands in."""
        words = word_vectors(states, places)
        spans = self._spans(words)
        causes, effects, signals = spans
        causal = self._causal(states, corpus)
        found: list[Relation] = []
        pairs = [
            (one, other, SPAN_WEIGHT * (score + more))
            for (one, score), (other, more) in itertools.product(_best(causes, CANDIDATES), _best(effects, CANDIDATES))
            if one[1] < other[0] or other[1] < one[0]
        ]
        if pairs:
            scores = self.pairs(words, [pair[:2] for pair in pairs]) + np.array([pair[2] for pair in pairs])
            likeliest = _best(signals, SIGNALS)
            for place in np.argsort(-scores, kind="stable"):
                cause, effect, _ = pairs[place]
                if not any(_same(cause, effect, other) for other in found):
                    signal = self._signal(words, cause, effect, likeliest)
                    found.append(Relation(cause, effect, signal, self._probability(float(scores[place]), causal)))
                if len(found) == _MOST_RELATIONS:
                    break
        slope, constant = self._weights["sentence_calibration"]
        scores_of_all = SentenceScores(words, spans, causal)
        return RelationReading(_logistic(slope * causal + constant), tuple(found), scores_of_all)

    def _linear(self, name: str, inputs: Floats) -> Floats:
        result: Floats = inputs @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return result

    def _probability(self, score: float, causal: float) -> float:
        """Of a relation, from its own score and from that of its sentence (Platt 1999, with two inputs)."""
        of_score, of_sentence, constant = self._weights["relation_calibration"]
        return _logistic(of_score * score + of_sentence * causal + constant)

    def _causal(self, states: Floats, corpus: str) -> float:
        """Score of a sentence, from its first token and from all tokens by attention."""
        attention = self._linear("attention", states)[:, 0]
        weights = np.exp(attention - attention.max())
        pooled = np.concatenate([states[0], weights @ states / weights.sum()]).astype(np.float32)
        return float(self._linear(f"sentence.{corpus}", pooled)[0])

    def _spans(self, words: Floats) -> Floats:
        """Scores of shape (3, words, words): of causes, effects and signals, by first and last word."""
        count = len(words)
        first, last = (
            np.concatenate(
                [_gelu(self._linear(name, words)).reshape(count, 3, RANK), np.ones((count, 3, 1), np.float32)], axis=2
            )
            for name in ("starts", "ends")
        )
        scores: Floats = np.einsum("tkr,krq,ukq->ktu", first, self._weights["biaffine"], last, optimize=True)
        length = np.clip(np.arange(count)[None] - np.arange(count)[:, None], 0, None)
        scores += self._weights["length.weight"][length_class(length)].transpose(2, 0, 1)
        scores[:, length_is_negative(count)] = -np.inf
        return scores

    def _ends(self, words: Floats, spans: Sequence[Words]) -> Floats:
        """Sum of first and last word of each span, and mean of all its words: shape (spans, twice the dimension)."""
        first, last = np.array(spans).T
        return np.concatenate([words[first] + words[last], _means(words, first, last + 1)], axis=1)

    def pairs(self, words: Floats, pairs: Sequence[tuple[Words, Words]]) -> Floats:
        """How well each cause and effect belong together, without the scores of their spans: shape (pairs,).

        Args:
            words: Vectors of the words, shape (words, dimension).
            pairs: Cause and effect, not empty, apart from each other.
        """
        first, last = np.array([gap(cause, effect) for cause, effect in pairs]).T
        classes = [distance_class(cause, effect) for cause, effect in pairs]
        between: Floats = _means(words, first, last) + self._weights["distance.weight"][classes]
        parts = self._of_spans("pair", words, pairs)
        of_between: Floats = np.matmul(between, self._part("pair", 4, 5, words.shape[1]))
        return self._above("pair", [*parts, of_between])

    def likelihood(self, scores: SentenceScores, cause: Words, effect: Words) -> float:
        """How likely it is that a sentence states a relation which somebody else found in it.

        Args:
            scores: What was read in the sentence.
            cause: First and last word of the cause, apart from the effect.
            effect: Those of the effect.
        """
        own = SPAN_WEIGHT * float(scores.spans[0][cause] + scores.spans[1][effect])
        return self._probability(float(self.pairs(scores.words, [(cause, effect)])[0]) + own, scores.causal)

    def _signal(
        self, words: Floats, cause: Words, effect: Words, signals: Sequence[tuple[Words, float]]
    ) -> Words | None:
        """The best signal of a relation, if it has one."""
        spans = [span for span, _ in signals]
        parts = self._of_spans("signal", words, [(cause, effect, span) for span in spans])
        scores = self._above("signal", parts)
        scores += SPAN_WEIGHT * np.array([score for _, score in signals], dtype=np.float32)
        best = int(np.argmax(scores))
        return spans[best] if scores[best] > 0 else None

    def _of_spans(self, name: str, words: Floats, rows: Sequence[Sequence[Words]]) -> list[Floats]:
        """What the first layer of a perceptron makes of each span of each row.

        The layer is a sum over its inputs, so a span is reckoned once for all the rows that it stands in.
        """
        parts = []
        for place, column in enumerate(zip(*rows, strict=True)):
            different = list(dict.fromkeys(column))
            row = {span: number for number, span in enumerate(different)}
            made = self._ends(words, different) @ self._part(name, 2 * place, 2 * place + 2, words.shape[1])
            parts.append(made[[row[span] for span in column]])
        return parts

    def _part(self, name: str, first: int, last: int, width: int) -> Floats:
        """The weights of a perceptron's first layer for some of its inputs, each `width` wide."""
        return self._weights[f"{name}.0.weight"][:, first * width : last * width].T

    def _above(self, name: str, parts: Sequence[Floats]) -> Floats:
        """What a perceptron makes of the parts of its first layer."""
        hidden = _gelu(sum(parts, start=self._weights[f"{name}.0.bias"]))
        return self._linear(f"{name}.3", hidden)[:, 0]


def length_class(length: NDArray[np.int_]) -> NDArray[np.int_]:
    """Class of a length, given as the number of words behind the first."""
    classes = (np.log2(np.minimum(length, _LONGEST_TOLD) + 1) * 2.2).astype(np.int_)
    clipped: NDArray[np.int_] = np.clip(classes, 0, BUCKETS - 1)
    return clipped


def length_is_negative(count: int) -> NDArray[np.bool_]:
    """Where, in a square of first and last words, the last would stand before the first."""
    return np.arange(count)[None] < np.arange(count)[:, None]


def gap(cause: Words, effect: Words) -> tuple[int, int]:
    """The words between two spans, whichever comes first: the first of them and one past the last."""
    return (cause[1] + 1, effect[0]) if cause[1] < effect[0] else (effect[1] + 1, cause[0])


def distance_class(cause: Words, effect: Words) -> int:
    """Class of the number of words between cause and effect, apart for each order."""
    first, last = gap(cause, effect)
    return min(last - first, DISTANCES - 1) + (DISTANCES if cause[1] < effect[0] else 0)


def _means(words: Floats, first: NDArray[np.int_], end: NDArray[np.int_]) -> Floats:
    """The means of the words between two places each; nought where there are none."""
    places = np.arange(len(words))
    inside = ((first[:, None] <= places) & (places < end[:, None])).astype(np.float32)
    # In float32 throughout: a division by integers would make the perceptrons compute in float64.
    means: Floats = inside @ words / np.maximum(end - first, 1).astype(np.float32)[:, None]
    return means


def _best(scores: Floats, count: int) -> list[tuple[Words, float]]:
    width = scores.shape[1]
    flat = scores.ravel()
    order = np.argsort(-flat, kind="stable")[:count]
    return [
        ((int(place) // width, int(place) % width), float(flat[place])) for place in order if np.isfinite(flat[place])
    ]


def _same(cause: Words, effect: Words, other: Relation) -> bool:
    """Whether a relation is another one with other bounds, or the same one turned round."""
    again = overlap(cause, other.cause) > 0.3 and overlap(effect, other.effect) > 0.3
    turned = overlap(cause, other.effect) > 0.5 and overlap(effect, other.cause) > 0.5
    return again or turned


def overlap(one: Words, other: Words) -> float:
    """Intersection over union of two spans of words, 0 to 1."""
    common = max(0, min(one[1], other[1]) - max(one[0], other[0]) + 1)
    return common / (one[1] - one[0] + other[1] - other[0] + 2 - common)


def _logistic(score: float) -> float:
    return float(1 / (1 + np.exp(-score)))


def _gelu(values: Floats) -> Floats:
    """Gaussian error linear unit, with tanh (Hendrycks and Gimpel 2016, arXiv 1606.08415, section 2)."""
    result: Floats = 0.5 * values * (1 + np.tanh(0.7978845608 * values * (1 + 0.044715 * values * values)))
    return result
