"""Whether quotes support a sentence that a language model wrote of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from language.content_words import content_keys, question_words
from models.judge import EntailmentJudge
from reasoning.thresholds import thresholds
from reasoning.unjudged import UNJUDGED
from reasoning.wording import say


class SentenceCheck(NamedTuple):
    """What was found of a sentence.

    Attributes:
        removed: Why it is not supported; empty where it is.
        entailed: How surely the quotes entail it, 0 to 1; none where its words were enough to remove it.
    """

    removed: str
    entailed: float | None


def check_sentence(sentence: str, quotes: Sequence[str], only_possible: bool, judge: EntailmentJudge) -> SentenceCheck:
    """Whether the quotes that a sentence names say what it says.

    Its words are looked at first: what it brings in itself is unsupported whatever a judge makes of it, and a judge
    that is a language model may obey the same orders as the writer.

    Args:
        sentence: What was written.
        quotes: The quotes that it names.
        only_possible: Whether one of them tells its link as merely possible.
        judge: Says what follows from the quotes.

    Raises:
        ModelError: the judge cannot judge at all.
    """
    held = frozenset().union(*map(content_keys, quotes))
    told = sentence[:1].lower() + sentence[1:]
    words = question_words(told)
    brought = [word for key, word in words.items() if key not in held and not _hedge().fullmatch(word)]
    if brought:
        return SentenceCheck(f"no quote that it names has: {', '.join(brought)}", None)
    if only_possible and not _hedge().search(told):
        return SentenceCheck("it tells as a fact what its quote tells as possible", None)
    try:
        (inference,) = judge.inferences([(" ".join(" ".join(quote.split()) for quote in quotes), sentence)])
    except UNJUDGED:
        return SentenceCheck("it cannot be judged", None)
    entailed = round(inference.entailed, 6)
    return SentenceCheck("" if entailed >= thresholds().synthesis.entailed else "its quotes do not entail it", entailed)


@cache
def _hedge() -> re.Pattern[str]:
    words = "|".join((say("hedges", "likely"), say("hedges", "possible")))
    # Not whatever their case: May is a month.
    return re.compile(rf"\b(?:{words})\b")
