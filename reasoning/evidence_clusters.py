"""Evidence grouped by what it speaks of, and samples of it that reach across the groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from language.content_words import content_keys

_ROUNDS: Final = 50


def clusters(texts: Sequence[str], count: int) -> list[int]:
    """A number from 0 for each text: normalised spectral clustering (Ng, Jordan and Weiss 2001).

    The affinity is W_ij = exp(-‖e_i - e_j‖² / 2σ²), e_i the content words of a text as a vector of length one and σ the
    median distance. The same texts in the same order give the same numbers.

    Args:
        texts: The evidence.
        count: Clusters; each text is one by itself where there are no more texts than that.
    """
    if len(texts) <= count:
        return list(range(len(texts)))
    words = sorted(frozenset().union(*map(content_keys, texts)))
    vectors = np.array([[float(word in content_keys(text)) for word in words] for text in texts])
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    squares = np.maximum(((vectors[:, None, :] - vectors[None, :, :]) ** 2).sum(axis=2), 0.0)
    spread = float(np.median(squares[np.triu_indices(len(texts), 1)])) or 1.0
    affinity = np.exp(-squares / (2 * spread))
    np.fill_diagonal(affinity, 0.0)
    roots = 1.0 / np.sqrt(np.maximum(affinity.sum(axis=1), 1e-12))
    _, axes = np.linalg.eigh(roots[:, None] * affinity * roots[None, :])
    points = axes[:, -count:]
    points = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-12)
    return _nearest_centres(points, count)


def sample(weights: Sequence[float], groups: Sequence[int], size: int, temperature: float, seed: int) -> list[int]:
    """Places of evidence, drawn from each cluster in turn so that all are heard.

    Args:
        weights: How good each piece is.
        groups: The cluster of each.
        size: Pieces that are drawn, at most.
        temperature: Above 0; the smaller, the more surely the best of a cluster is drawn first.
        seed: The same gives the same sample.
    """
    draw = np.random.default_rng(seed)
    order: list[list[int]] = []
    for group in sorted(set(groups)):
        members = [place for place, one in enumerate(groups) if one == group]
        # The order of weights with Gumbel noise is one of drawing without replacement by their softmax.
        noise = draw.gumbel(size=len(members))
        keys = {place: weights[place] / temperature + one for place, one in zip(members, noise, strict=True)}
        order.append(sorted(members, key=lambda place: -keys[place]))
    drawn = [group[depth] for depth in range(len(groups)) for group in order if depth < len(group)]
    return sorted(drawn[:size])


def _nearest_centres(points: NDArray[np.float64], count: int) -> list[int]:
    """k-means; each centre but the first starts at the point farthest from those before it."""
    chosen = [0]
    while len(chosen) < count:
        distances = np.min([((points - points[place]) ** 2).sum(axis=1) for place in chosen], axis=0)
        chosen.append(int(np.argmax(distances)))
    centres = points[chosen]
    labels = np.zeros(len(points), dtype=np.int64)
    for _ in range(_ROUNDS):
        now = np.argmin(((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2), axis=1)
        if np.array_equal(now, labels):
            break
        labels = now
        for number in range(count):
            if np.any(labels == number):
                centres[number] = points[labels == number].mean(axis=0)
    return [int(label) for label in labels]
