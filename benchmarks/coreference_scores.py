"""How well clusters of mentions repeat the gold ones: MUC, B-cubed and CEAF-e, and their mean, the CoNLL score.

MUC: Vilain et al. 1995 (M95-1005). B-cubed: Bagga and Baldwin 1998. CEAF-e: Luo 2005 (H05-1004), with the similarity
phi_4. CoNLL: Pradhan et al. 2012 (W12-4501). Of predicted mentions, one that no gold cluster holds lowers the precision
of B-cubed by its own share, and of CEAF-e by its cluster, as in the scorer of Pradhan et al. 2014 (P14-2006).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final

import numpy as np
from scipy.optimize import linear_sum_assignment

Cluster = frozenset[Any]
"""Mentions, by whatever names them."""

METRICS: Final = ("MUC", "B-cubed", "CEAF-e")


def counts_of(gold: Iterable[Cluster], found: Iterable[Cluster]) -> Counter[str]:
    """What precision and recall of each metric are made from."""
    return sum(counts_by_part(gold, found, lambda _: "all").values(), Counter())


def counts_by_part(
    gold: Iterable[Cluster], found: Iterable[Cluster], part_of: Callable[[Any], str]
) -> dict[str, Counter[str]]:
    """The counts of each part of the mentions; they add up to `counts_of`.

    What is counted of a cluster is shared out evenly among its mentions, so that a cluster over several parts adds to
    each of them.
    """
    gold, found = list(gold), list(found)
    held, told = _cluster_of(gold), _cluster_of(found)
    matched = _best_match(gold, found)
    parts: dict[str, Counter[str]] = defaultdict(Counter)
    for side, clusters, others in (("gold", gold, told), ("found", found, held)):
        for cluster in clusters:
            sums = {
                f"MUC, right of {side}": _links_kept(cluster, others),
                f"MUC, {side}": len(cluster) - 1,
                f"B-cubed, right of {side}": _shares(cluster, others),
                f"B-cubed, {side}": len(cluster),
                f"CEAF-e, right of {side}": matched.get(cluster, 0.0),
                f"CEAF-e, {side}": 1,
            }
            for mention in cluster:
                for name, value in sums.items():
                    # A Counter is typed for whole numbers; sums of shares are what is wanted here.
                    parts[part_of(mention)][name] += value / len(cluster)  # type: ignore[assignment]
    return parts


def f1(metric: str) -> Callable[[Counter[str]], float]:
    """F1 of a metric from counts; 0 where nothing is right."""

    def score(counts: Counter[str]) -> float:
        recall = counts[f"{metric}, right of gold"] / max(counts[f"{metric}, gold"], 1)
        precision = counts[f"{metric}, right of found"] / max(counts[f"{metric}, found"], 1)
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    return score


def conll(counts: Counter[str]) -> float:
    """The mean of the three F1 scores, 0 to 1."""
    return sum(f1(metric)(counts) for metric in METRICS) / len(METRICS)


def _cluster_of(clusters: Sequence[Cluster]) -> dict[Hashable, Cluster]:
    return {mention: cluster for cluster in clusters for mention in cluster}


def _links_kept(cluster: Cluster, others: dict[Hashable, Cluster]) -> int:
    """Links of a cluster that the other side keeps: its size less the number of parts it is cut into."""
    parts = {others[mention] for mention in cluster if mention in others}
    alone = sum(mention not in others for mention in cluster)
    return len(cluster) - len(parts) - alone


def _shares(cluster: Cluster, others: dict[Hashable, Cluster]) -> float:
    """For each mention the share of its cluster that its cluster on the other side holds too, summed."""
    return sum(len(cluster & others[mention]) / len(cluster) for mention in cluster if mention in others)


def _best_match(gold: Sequence[Cluster], found: Sequence[Cluster]) -> dict[Cluster, float]:
    """By each cluster its phi_4 in the one-to-one map with the largest sum; 0 where no mention is shared."""
    place = {mention: number for number, cluster in enumerate(found) for mention in cluster}
    alike = np.zeros((len(gold), len(found)))
    for row, cluster in enumerate(gold):
        for column, common in Counter(place[mention] for mention in cluster if mention in place).items():
            alike[row, column] = 2 * common / (len(cluster) + len(found[column]))
    rows, columns = linear_sum_assignment(alike, maximize=True)
    matched = {gold[row]: float(alike[row, column]) for row, column in zip(rows, columns, strict=True)}
    return matched | {found[column]: float(alike[row, column]) for row, column in zip(rows, columns, strict=True)}
