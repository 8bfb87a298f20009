"""Events that a question names, put in order by how well the sentences they are told in speak of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

SentenceJudge = Callable[[str, Sequence[str]], Sequence[float]]
"""Probability for each sentence that it tells of a happening that is given in words; made where models may be used."""

CONSIDERED: Final = 20
"""Events that are judged, at most: the best ones, as published for passages by Columbaro et al."""

One = TypeVar("One")


def judged_order(
    happening: str, found: Sequence[One], sentences: Sequence[str], judge: SentenceJudge
) -> tuple[list[One], list[float]]:
    """The same things, the best of them in the order of the judge.

    Args:
        happening: The words that the question has for it.
        found: Best first; those behind the first twenty stay behind them, and equal ones as they are.
        sentences: The sentence that each of the first twenty is told in.
        judge: Says how well a sentence tells of the happening.

    Returns:
        All that was found, and what was judged of the first twenty as they stood before.
    """
    told = list(judge(happening, sentences[:CONSIDERED]))
    order = sorted(range(len(told)), key=lambda place: -told[place])
    return [*(found[place] for place in order), *found[len(told) :]], told
