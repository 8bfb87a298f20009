"""Rules and heads vote: what both state is likelier, and what one states against the other is left out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from extraction.statements import LEAST_CONFIDENCE, MOST_CONFIDENCE, Statement
from kg.records import Mention, Relation

_SAME: Final = 0.5
"""Least overlap (intersection over union of characters) of both arguments of one relation found twice."""
_TOUCHES: Final = 0.2
"""Overlap from which two findings compete for the same words."""
UNCONFIRMED: Final = 2.0
"""Power of the confidence of a cause that the rules state and the heads do not: strong cues lose little by it, weak
ones most."""
ALONE: Final = 0.7
"""Factor on the confidence of a cause that the heads state and the rules do not."""
_DUST: Final = 1e-9
"""What a product of decimal fractions may lack."""


def agreed(rules: Sequence[Statement], learned: Iterable[Statement], *, alone: bool) -> list[Statement]:
    """The statements of one sentence, each as likely as both ways of reading it together make it.

    What both state is as likely as that not both err. A cause inside the sentence that the rules alone state is less
    likely than they say, and so is what the heads alone state; that counts only where no other one competes for its
    words. The heads have learned nothing of what enables, prevents or precedes, nor of causes in the sentence before:
    they do not judge those.

    Args:
        rules: What the rules state, with what spans two sentences.
        learned: What the heads state, likeliest first.
        alone: Whether what the heads alone state is wanted.
    """
    found = list(rules)
    confirmed: set[int] = set()
    for one in learned:
        place = next((place for place, other in enumerate(found) if is_judged(other) and _is_same(one, other)), None)
        if place is not None:
            found[place] = _by_both(found[place], one)
            confirmed.add(place)
        elif alone and not any(_competes(one, other) for other in found):
            found.append(_with(one, one.confidence * ALONE))
    return [
        one
        if place in confirmed or place >= len(rules) or not is_judged(one)
        else _with(one, one.confidence**UNCONFIRMED)
        for place, one in enumerate(found)
    ]


def joined(found: Sequence[Statement], others: Iterable[Statement]) -> tuple[list[Statement], int]:
    """The statements of one sentence, with those of another reader whose silence says nothing.

    What both state is as likely as the surer of them has it: the same heads have judged both. What the other one alone
    states is added as it is, where nothing that was found competes for its words.

    Returns:
        The statements, and how many of the others were left out.
    """
    told = list(found)
    left_out = 0
    for one in others:
        place = next((place for place, other in enumerate(told) if _is_told(one, other)), None)
        if place is not None:
            same = told[place]
            named = same.extractor.split("+")
            extractor = same.extractor if one.extractor in named else f"{same.extractor}+{one.extractor}"
            told[place] = replace(same, confidence=max(same.confidence, one.confidence), extractor=extractor)
        elif any(_competes(one, other) for other in told):
            left_out += 1
        else:
            told.append(one)
    return told, left_out


def is_judged(statement: Statement) -> bool:
    """Whether the heads have learned to find such statements: causes inside one sentence."""
    return statement.relation is Relation.CAUSES and statement.first == statement.last


def _with(statement: Statement, confidence: float) -> Statement:
    return replace(statement, confidence=_cut(max(confidence, LEAST_CONFIDENCE)))


def _cut(confidence: float) -> float:
    """Two digits, which is more than anyone knows; cut and not rounded, so that no claim passes a floor by it."""
    return math.floor(confidence * 100 + _DUST) / 100


def _by_both(rule: Statement, learned: Statement) -> Statement:
    if rule.extractor == learned.extractor or "+" in rule.extractor:
        return rule
    confidence = 1 - (1 - rule.confidence) * (1 - learned.confidence)
    return replace(
        rule,
        confidence=_cut(min(confidence, MOST_CONFIDENCE)),
        extractor=f"{rule.extractor}+{learned.extractor}",
    )


def _is_told(one: Statement, other: Statement) -> bool:
    """Whether two statements say the same, down to how real it is."""
    return one.relation is other.relation and one.told.polarity == other.told.polarity and _is_same(one, other)


def _is_same(one: Statement, other: Statement) -> bool:
    return _overlap(one.cause, other.cause) >= _SAME and _overlap(one.effect, other.effect) >= _SAME


def _competes(one: Statement, other: Statement) -> bool:
    """Whether the two link about the same words, whichever way round."""
    along = _overlap(one.cause, other.cause), _overlap(one.effect, other.effect)
    turned = _overlap(one.cause, other.effect), _overlap(one.effect, other.cause)
    return other.relation is not Relation.BEFORE and max(min(along), min(turned)) > _TOUCHES


def _overlap(one: Mention, other: Mention) -> float:
    common = max(0, min(one.end, other.end) - max(one.start, other.start))
    return common / (one.end - one.start + other.end - other.start - common)
