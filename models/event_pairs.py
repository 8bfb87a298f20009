"""Words that name events, and which of two events causes the other: by small heads on what the relation heads score.

Nothing is encoded for them. The vector of a word tells whether it names an event. For two of these words the relation
heads score the best span around the one as a cause and around the other as an effect, and how well the two belong
together; a small perceptron weighs these scores, those of the words themselves, and how far apart the two stand.
numpy suffices.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from safetensors.numpy import load_file

from models.relation_heads import Floats, SentenceScores, Words
from models.weights_card import HEAD_FILE, WEIGHTS, open_weights, open_weights_over

NAME: Final = "causetrail_events"
DISTANCES: Final = (1, 2, 3, 5, 8, 13)
"""Words between two events of one sentence from which the next class of distance begins."""
BETWEEN: Final = 5
"""Classes of the number of other events between two."""
_SCALE: Final = 0.25
"""Brings the scores of the relation heads to about one."""

PairScorer = Callable[[Floats, Sequence[tuple[Words, Words]]], Floats]
"""`models.relation_heads.Heads.pairs`."""


class SentenceEvents(NamedTuple):
    """One sentence with the words that name its events.

    Attributes:
        scores: What the relation heads make of the sentence.
        triggers: First and last word of each event, in order.
    """

    scores: SentenceScores
    triggers: tuple[Words, ...]


class EventLink(NamedTuple):
    """Two events of which one causes the other.

    Attributes:
        cause: Place of the cause in `triggers` of its sentence.
        effect: Place of the effect.
        forward: Whether the cause stands first.
        probability: How likely the text says or implies so; calibrated on documents that were kept from training.
    """

    cause: int
    effect: int
    forward: bool
    probability: float


class EventPairs:
    """Finds events and links between them. Safe to be used by several threads when `pairs` is."""

    def __init__(self, pairs: PairScorer, fingerprint: str, directory: Path = WEIGHTS / NAME) -> None:
        """Checks and loads the weights in `directory`.

        Args:
            pairs: Scores spans of words as cause and effect.
            fingerprint: Of the relation heads that do.
            directory: The folder of the weights.

        Raises:
            ModelDamaged: a file is not the one that was packaged.
            ModelMissing: the weights were trained on other relation heads.
        """
        weights = open_weights_over(fingerprint, directory)
        self.fingerprint: str = weights.fingerprint
        self._pairs = pairs
        self._weights: dict[str, Floats] = {
            name: value.astype(np.float32) for name, value in load_file(directory / HEAD_FILE).items()
        }
        self.event_floor: float = float(self._weights["event_floor"][0])
        """Probability from which a word counts as an event: best F1 on documents kept from training."""
        self.link_floor: float = float(self._weights["link_floor"][0])
        """Probability from which a link between annotated events counts as one: likewise."""
        self.found_link_floor: float = float(self._weights["found_link_floor"][0])
        """The same between events that `events` found."""

    def events(self, scores: SentenceScores) -> SentenceEvents:
        """A sentence with the words that are likelier than `event_floor` to name events."""
        slope, constant = self._weights["event_calibration"]
        likely = self._perceptron("event", event_features(scores)).tolist()
        found = [word for word, score in enumerate(likely) if _logistic(slope * score + constant) >= self.event_floor]
        return SentenceEvents(scores, tuple((word, word) for word in found))

    def links(self, first: SentenceEvents, then: SentenceEvents | None = None) -> list[EventLink]:
        """Each two events in their likelier direction.

        Args:
            first: The sentence.
            then: The one after it: links are then between the two sentences only.
        """
        ordered, features = pair_features(self._pairs, first, then)
        if not ordered:
            return []
        scores = self._perceptron("link", features.reshape(2 * len(ordered), -1)).reshape(2, -1)
        slope, constant = self._weights["link_calibration"][0 if then is None else 1]
        found = []
        for (one, other), forward, backward in zip(ordered, scores[0], scores[1], strict=True):
            along = bool(forward >= backward)
            score = slope * directed_logit(max(forward, backward), min(forward, backward)) + constant
            found.append(EventLink(*((one, other) if along else (other, one)), along, _logistic(score)))
        return found

    def _perceptron(self, name: str, inputs: Floats) -> Floats:
        hidden = np.maximum(inputs @ self._weights[f"{name}.0.weight"].T + self._weights[f"{name}.0.bias"], 0)
        outputs: Floats = (hidden @ self._weights[f"{name}.2.weight"].T + self._weights[f"{name}.2.bias"])[:, 0]
        return outputs


def events_fingerprint(directory: Path = WEIGHTS / NAME) -> str:
    """The fingerprint that the packaged heads have; they are not loaded for it.

    Raises:
        ModelDamaged: the packaged weights were changed.
    """
    return open_weights(directory).fingerprint


def directed_logit(score: float, other: float) -> float:
    """Log-odds of one direction against no link and the other direction, whose score is `other` (softmax of three)."""
    return float(score - np.logaddexp(0.0, other))


def event_features(scores: SentenceScores) -> Floats:
    """What tells an event, of each word: its vector and how well it lies in a cause, an effect and a signal."""
    return np.concatenate([scores.words, roles(scores).T * _SCALE], axis=1).astype(np.float32)


def roles(scores: SentenceScores) -> Floats:
    """Score of the best span of each role around each word, shape (3, words)."""
    best = np.maximum.accumulate(scores.spans, axis=1)
    best = np.maximum.accumulate(best[:, :, ::-1], axis=2)[:, :, ::-1]
    around: Floats = np.einsum("kii->ki", best)
    return around


def pair_features(
    pairs: PairScorer, first: SentenceEvents, then: SentenceEvents | None
) -> tuple[list[tuple[int, int]], Floats]:
    """What tells a link, of each two events that do not share a word.

    Args:
        pairs: Scores spans of words as cause and effect.
        first: A sentence.
        then: The sentence after it, when the second event of each pair is to be one of its.

    Returns:
        The places of both events in the triggers of their sentences, in order of the text; and features of shape
        (2, pairs, features): first with the first event as the cause, then with the second.
    """
    if then is None:
        both = [(one, other) for one, other in itertools.combinations(range(len(first.triggers)), 2)]
        ordered = [(one, other) for one, other in both if first.triggers[one][1] < first.triggers[other][0]]
        words, behind = first.scores.words, 0
    else:
        ordered = list(itertools.product(range(len(first.triggers)), range(len(then.triggers))))
        words, behind = np.concatenate([first.scores.words, then.scores.words]), len(first.scores.words)
    if not ordered:
        return [], np.zeros((2, 0, 0), dtype=np.float32)
    second = then or first
    sides = (_Side(first.scores, 0), _Side(second.scores, behind))
    span_scores: list[list[float]] = []
    candidates: list[tuple[Words, Words]] = []
    for forward in (True, False):
        for one, other in ordered:
            events = first.triggers[one], second.triggers[other]
            best = _best_spans(sides, events, forward=forward, apart=then is not None)
            spans = [_moved(span, side.behind) for (span, _), side in zip(best, sides, strict=True)]
            named = [_moved(event, side.behind) for event, side in zip(events, sides, strict=True)]
            turn = 1 if forward else -1
            candidates += [(spans[::turn][0], spans[::turn][1]), (named[::turn][0], named[::turn][1])]
            span_scores.append([score for _, score in best[::turn]])
    of_pairs = pairs(words, candidates).reshape(-1, 2)
    scores: Floats = np.concatenate([of_pairs, np.array(span_scores, dtype=np.float32)], axis=1) * np.float32(_SCALE)
    turned: Floats = np.roll(scores, len(ordered), axis=0)
    places = np.stack([_places(first, then, *pair, forward=forward) for forward in (True, False) for pair in ordered])
    features: list[Floats] = [places, _of_events(sides, first, second, ordered), scores, turned]
    return ordered, np.concatenate(features, axis=1).astype(np.float32).reshape(2, len(ordered), -1)


class _Side(NamedTuple):
    """The sentence of one of two events, and how many words stand before it."""

    scores: SentenceScores
    behind: int


def _best_spans(
    sides: tuple[_Side, _Side], events: tuple[Words, Words], *, forward: bool, apart: bool
) -> list[tuple[Words, float]]:
    """The best span around each event in its role, the two apart from each other."""
    tables = [side.scores.spans[role] for side, role in zip(sides, (0, 1) if forward else (1, 0), strict=True)]
    lengths = [len(side.scores.words) for side in sides]
    if apart:
        return [_best_around(table, event, 0, end) for table, event, end in zip(tables, events, lengths, strict=True)]
    one = _best_around(tables[0], events[0], 0, events[1][0])
    other = _best_around(tables[1], events[1], events[0][1] + 1, lengths[1])
    if one[0][1] < other[0][0]:
        return [one, other]
    if one[1] >= other[1]:
        return [one, _best_around(tables[1], events[1], one[0][1] + 1, lengths[1])]
    return [_best_around(tables[0], events[0], 0, other[0][0]), other]


def _best_around(table: Floats, event: Words, start: int, end: int) -> tuple[Words, float]:
    """The best span around an event between two places, and its score."""
    part = table[start : event[0] + 1, event[1] : end]
    first, last = divmod(int(part.argmax()), part.shape[1])
    return (start + first, event[1] + last), float(part[first, last])


def _moved(span: Words, behind: int) -> Words:
    return span[0] + behind, span[1] + behind


def _places(first: SentenceEvents, then: SentenceEvents | None, one: int, other: int, *, forward: bool) -> Floats:
    """Classes of distance and of the number of events between, apart for each direction."""
    apart = np.zeros((2, len(DISTANCES) + 2), dtype=np.float32)
    between = np.zeros((2, BETWEEN), dtype=np.float32)
    start = first.triggers[one]
    if then is None:
        end = first.triggers[other]
        kind = int(np.searchsorted(DISTANCES, end[0] - start[1] - 1, side="right"))
        count = sum(start < event < end for event in first.triggers)
    else:
        end = then.triggers[other]
        kind = len(DISTANCES) + 1
        count = sum(start < event for event in first.triggers) + sum(event < end for event in then.triggers)
    apart[int(forward), kind] = between[int(forward), min(count, BETWEEN - 1)] = 1
    return np.concatenate([apart.ravel(), between.ravel()])


def _of_events(
    sides: tuple[_Side, _Side], first: SentenceEvents, second: SentenceEvents, ordered: Sequence[tuple[int, int]]
) -> Floats:
    """Of cause and effect: the score of the sentence, and of the best span of each role around the event."""
    told = []
    for side, sentence in zip(sides, (first, second), strict=True):
        around = roles(side.scores) * _SCALE
        told.append([[side.scores.causal, *around[:, one : last + 1].max(1)] for one, last in sentence.triggers])
    forward = [[*told[0][one], *told[1][other]] for one, other in ordered]
    backward = [[*told[1][other], *told[0][one]] for one, other in ordered]
    return np.array(forward + backward, dtype=np.float32)


def _logistic(score: float) -> float:
    return float(1 / (1 + np.exp(-score)))
