"""Whether quotes support a sentence that a language model wrote: by the judge of entailment, names and numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kg.records import Evidence
from language.content_words import content_keys
from models.judge import EntailmentJudge
from reasoning.thresholds import thresholds
from reasoning.unjudged import UNJUDGED
from traversal.deadline import Deadline

_WORD: Final = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*")
_NUMBER_WORDS: Final = frozenset(
    {
        *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
        *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty"),
        *("forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "billion"),
        *("dozen", "half"),
    }
)


def supporting(
    sentence: str, quotes: Sequence[Evidence], judge: EntailmentJudge, deadline: Deadline
) -> tuple[Evidence, ...]:
    """The quotes that support a sentence: one by itself, else all together; none where they do not.

    A quote that contradicts it, or a name or a number that those which entail it do not hold, leaves it
    unsupported. One that cannot be judged entails nothing.

    Args:
        sentence: Words of a language model.
        quotes: Words of documents.
        judge: Who says what follows.
        deadline: Asked before each judgement.

    Raises:
        DeadlinePassed: the time is used up.
        ModelError: the judge cannot judge at all.
    """
    figures = thresholds().support
    texts = {" ".join(one.quote.split()): one for one in reversed(quotes)}
    entailing = []
    for text, one in reversed(texts.items()):
        entailed, contradicted = _inferred(text, sentence, judge, deadline)
        if contradicted >= figures.contradicted:
            return ()
        if entailed >= figures.entailed and _holds_names(sentence, [text]):
            entailing.append(one)
    if entailing:
        return tuple(entailing)
    if len(texts) > 1 and _holds_names(sentence, [*texts]):
        entailed, contradicted = _inferred(" ".join(reversed(texts)), sentence, judge, deadline)
        if entailed >= figures.entailed and contradicted < figures.contradicted:
            return tuple(reversed(texts.values()))
    return ()


def _inferred(text: str, sentence: str, judge: EntailmentJudge, deadline: Deadline) -> tuple[float, float]:
    deadline.check()
    try:
        (told,) = judge.inferences([(text, sentence)])
    except UNJUDGED:
        return 0.0, 0.0
    return told.entailed, told.contradicted


def _holds_names(sentence: str, texts: Sequence[str]) -> bool:
    """Whether the texts hold each name and number; a content word that opens the sentence may be a name."""
    held = {match.group().casefold() for text in texts for match in _WORD.finditer(text)}
    for match in _WORD.finditer(sentence):
        word = match.group()
        marked = any(letter.isdigit() or letter.isupper() for letter in word) or word in _NUMBER_WORDS
        function_word = match.start() == 0 and not content_keys(word) and word.casefold() not in _NUMBER_WORDS
        if marked and not function_word and word.casefold() not in held:
            return False
    return True
