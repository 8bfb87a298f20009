"""How the arguments of a claim stand in their sentences: a scorecard that was learned from claims that were judged.

An argument that opens its clause and ends with it is seldom cut wrongly; one that begins behind a preposition, or that
a verb follows, often is. The points are those of a logistic regression (`training.standing`, `standing.toml`).
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from extraction.statements import Located
from language.clause_words import VERBAL
from language.word_classes import WordClass

W = WordClass
_SHORTEST_NOUN: Final = 3
"""Letters of a noun; a shorter one is the half of a word that the layout broke."""
_MOST_BROKEN: Final = 5
"""Broken words from which a sentence counts as wholly broken."""


def standing(relation: str, cause: Located, effect: Located) -> float:
    """Probability that a judge would call right what is said of these two arguments."""
    told = features(relation, cause, effect)
    points = _points()
    return 1 / (1 + math.exp(-points["always"] - sum(points[name] * value for name, value in told.items())))


def doubted_below() -> float:
    """The probability below which the standing of its arguments makes a claim doubtful."""
    return _points()["doubted_below"]


def features(relation: str, cause: Located, effect: Located) -> dict[str, float]:
    """What the scorecard looks at, 0 or 1 where it is no length."""
    last = max(cause, effect, key=lambda one: one.place).clauses
    broken = sum(
        len(token.text) < _SHORTEST_NOUN and token.text.islower() and word_class is W.NOUN
        for token, word_class in zip(last.tokens, last.classes, strict=True)
    )
    return {
        "order": float(relation == "BEFORE"),
        "across": float(cause.place != effect.place),
        "words": math.log(len(last.words)),
        "broken": min(broken / _MOST_BROKEN, 1.0),
        **{f"cause_{name}": value for name, value in _of_argument(cause).items()},
        **{f"effect_{name}": value for name, value in _of_argument(effect).items()},
    }


def _of_argument(argument: Located) -> dict[str, float]:
    clauses, (start, end) = argument.clauses, argument.span
    before = clauses.words[start - 1] if start else ","
    behind = clauses.classes[end] if end < len(clauses.classes) else W.PUNCTUATION
    told = {
        "opens": before in (",", "."),
        "behind_that": before == "that",
        "behind_and": before in ("and", "or"),
        "behind_preposition": start > 0 and clauses.classes[start - 1] is W.PREPOSITION,
        "before_mark": behind is W.PUNCTUATION,
        "before_preposition": behind in (W.PREPOSITION, W.TO),
        "before_verb": behind in VERBAL,
        "before_and": behind is W.CONJUNCTION,
        "verb": clauses.has_verb(start, end),
        "pronoun": clauses.classes[start] is W.PRONOUN,
    }
    return {**{name: float(holds) for name, holds in told.items()}, "words": math.log(1 + end - start)}


@cache
def _points() -> Mapping[str, float]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
