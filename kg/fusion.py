"""From a list of meanings and a list of words to one list of hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

RRF_K = 60
"""Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): score = sum of 1 / (k + rank)."""
DEPTH = 100
"""Length of the two lists that are fused, or the number of hits asked for when that is more."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found.

    Attributes:
        id: Id of a passage or of an event.
        score: Fused score; larger is better; comparable inside one result list only.
        cosine: Inner product of the query's vector with its own, -1 to 1.
        words: BM25 score, 0 when no word matches; larger is better.
    """

    id: str
    score: float
    cosine: float
    words: float


class Fusion(StrEnum):
    """How the list of meanings and the list of words become one."""

    RECIPROCAL_RANK = "reciprocal_rank"
    SUM = "sum"
    """Sum of the two scores, each divided by its largest: the fusion of the published dual-agent system."""


def ranked(scores: Mapping[str, float]) -> list[str]:
    """Ids by score, best first, ties by id."""
    return sorted(scores, key=lambda id_: (-scores[id_], id_))


def reciprocal_rank(*lists: Sequence[str]) -> dict[str, float]:
    """Scores of the ids of ranked lists, best first each, by reciprocal rank."""
    fused = dict.fromkeys(_all(lists), 0.0)
    for best_first in lists:
        for rank, id_ in enumerate(best_first, start=1):
            fused[id_] += 1.0 / (RRF_K + rank)
    return fused


def sum_of_shares(*scores: Mapping[str, float]) -> dict[str, float]:
    """Scores of ids as the sum of their shares of the largest score of each list."""
    fused = dict.fromkeys(_all(scores), 0.0)
    for scored in scores:
        largest = max(scored.values(), default=0.0)
        for id_, score in scored.items():
            fused[id_] += score / largest if largest > 0 else 0.0
    return fused


def best_hits(
    fused: Mapping[str, float], cosines: Mapping[str, float], words: Mapping[str, float], k: int
) -> list[Hit]:
    """The `k` ids with the best fused score as hits, best first, ties by id.

    Args:
        cosines: By id; 0 for what is not there.
        words: BM25 scores by id likewise.
    """
    return [
        Hit(id=id_, score=fused[id_], cosine=cosines.get(id_, 0.0), words=round(words.get(id_, 0.0), 6))
        for id_ in ranked(fused)[:k]
    ]


def _all(lists: Iterable[Iterable[str]]) -> list[str]:
    return sorted({id_ for ids in lists for id_ in ids})
