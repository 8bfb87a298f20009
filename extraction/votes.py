"""Rules and heads vote: what both state is likelier, and what one states against the other is left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from extraction.statements import MOST_CONFIDENCE, Statement
from kg.records import Mention, Relation

_SAME: Final = 0.5
"""Least overlap (intersection over union of characters) of both arguments of one relation found twice."""
_TOUCHES: Final = 0.2
"""Overlap from which two findings compete for the same words."""


def agreed(rules: Sequence[Statement], learned: Iterable[Statement], floor: float) -> list[Statement]:
    """The statements of one sentence.

    A statement of the rules stays; one that the heads make too is as likely as that not both err. A statement of the
    heads alone stays when it reaches the floor and no other one competes for its words.

    Args:
        rules: What the rules state, with what spans two sentences.
        learned: What the heads state, likeliest first.
        floor: Least confidence of a statement of the heads alone.
    """
    found = list(rules)
    for one in learned:
        place = next((place for place, other in enumerate(found) if _is_same(one, other)), None)
        if place is not None:
            found[place] = _by_both(found[place], one)
        elif one.confidence >= floor and not any(_competes(one, other) for other in found):
            found.append(one)
    return found


def _by_both(rule: Statement, learned: Statement) -> Statement:
    if rule.extractor == learned.extractor or "+" in rule.extractor:
        return rule
    confidence = 1 - (1 - rule.confidence) * (1 - learned.confidence)
    return replace(
        rule,
        confidence=round(min(confidence, MOST_CONFIDENCE), 4),
        extractor=f"{rule.extractor}+{learned.extractor}",
    )


def _is_same(one: Statement, other: Statement) -> bool:
    if other.relation is Relation.BEFORE:
        return False
    return _overlap(one.cause, other.cause) >= _SAME and _overlap(one.effect, other.effect) >= _SAME


def _competes(one: Statement, other: Statement) -> bool:
    """Whether the two link about the same words, whichever way round."""
    along = _overlap(one.cause, other.cause), _overlap(one.effect, other.effect)
    turned = _overlap(one.cause, other.effect), _overlap(one.effect, other.cause)
    return other.relation is not Relation.BEFORE and max(min(along), min(turned)) > _TOUCHES


def _overlap(one: Mention, other: Mention) -> float:
    common = max(0, min(one.end, other.end) - max(one.start, other.start))
    return common / (one.end - one.start + other.end - other.start - common)
