"""How far two spans of a text have the same words, as the Causal News Corpus counts words."""

from __future__ import annotations

import re

from training.relation_sets import Characters


def word_positions(text: str, span: Characters) -> frozenset[int]:
    """Positions of the white-space separated words that the characters touch."""
    words = [(found.start(), found.end()) for found in re.finditer(r"\S+", text)]
    return frozenset(place for place, (first, last) in enumerate(words) if first < span[1] and span[0] < last)


def iou(one: frozenset[int], other: frozenset[int]) -> float:
    """Intersection over union; 0 when both are empty."""
    return len(one & other) / len(one | other) if one | other else 0.0
