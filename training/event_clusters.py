"""Mentions in clusters by their pairs' probabilities: average-link agglomeration down to a threshold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from models.event_coreference import EventCoreference, Telling


def clusters_of(probabilities: NDArray[np.float32], threshold: float) -> list[list[int]]:
    """Places of the mentions of each cluster.

    Clusters are joined, best first, as long as the mean probability between their mentions is above the threshold
    (UPGMA: Sokal and Michener 1958).

    Args:
        probabilities: Symmetric, shape (mentions, mentions).
        threshold: 0 to 1.
    """
    if len(probabilities) < 2:
        return [[place] for place in range(len(probabilities))]
    distances = 1 - probabilities.astype(np.float64)
    np.fill_diagonal(distances, 0)
    tree = linkage(squareform(distances, checks=False), "average")
    found: dict[int, list[int]] = {}
    for place, number in enumerate(fcluster(tree, 1 - threshold, "distance")):
        found.setdefault(int(number), []).append(place)
    return list(found.values())


def all_probabilities(head: EventCoreference, tellings: Sequence[Telling]) -> NDArray[np.float32]:
    """How likely each pair of mentions is one event, shape (mentions, mentions)."""
    vectors = head.read(tellings)
    result = np.ones((len(tellings), len(tellings)), dtype=np.float32)
    for pairs in _parts(len(tellings)):
        one, two = np.array(pairs).T
        result[one, two] = result[two, one] = head.probabilities(tellings, vectors, pairs)
    return result


def _parts(count: int, size: int = 100_000) -> Iterator[list[tuple[int, int]]]:
    part: list[tuple[int, int]] = []
    for pair in combinations(range(count), 2):
        part.append(pair)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part
