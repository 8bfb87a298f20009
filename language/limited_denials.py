"""What a sentence denies only in one way or at one time: "did not collapse *immediately*", "was not lifted *in June*".

That it did not happen at all it does not tell. The words are data (`limited_denials.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from language.calendar_marks import calendar_marks
from language.clause_words import VERBAL
from language.clauses import Clauses
from language.content_words import content_keys, key_of
from language.question_times import question_time
from language.side_bounds import clauses_beside
from language.tokens import Sentence
from language.word_classes import NEGATIONS, WordClass

W = WordClass
_DOING = VERBAL | {W.PARTICIPLE, W.INFINITIVE}


def denies_in_part(question: str, sentence: Sentence, behind: Sequence[Sentence]) -> bool:
    """Whether a sentence denies what a question asks for no more than in part.

    A time limits a denial where a sentence behind tells that it happened after all.

    Args:
        question: A question for yes or no.
        sentence: What denies it.
        behind: The sentences behind that one.
    """
    limiting = _limiting().search(_clause_asked(question, sentence).text)
    if limiting is not None and limiting.group().lower() not in question.lower():
        return True
    of_some = _of_some().search(sentence.text) if _of_anybody().search(question) is not None else None
    # "No injuries were reported" denies it of all.
    if of_some is not None and content_keys(of_some.group().split()[-1]).isdisjoint(content_keys(question)):
        return True
    timed = question_time(sentence.text) is not None or bool(calendar_marks(sentence.text))
    return timed and question_time(question) is None and any(_tells_it(question, one) for one in behind)


def _clause_asked(question: str, sentence: Sentence) -> Sentence:
    """The clause with most of the words of a question."""
    asked = content_keys(question)
    return max(clauses_beside(sentence), key=lambda part: len(asked & content_keys(part.text)))


def _tells_it(question: str, sentence: Sentence) -> bool:
    """Whether a sentence tells that somebody or something did what is asked."""
    asked, clauses = content_keys(question), Clauses(sentence)
    return NEGATIONS.isdisjoint(clauses.words) and any(
        clauses.classes[place] in _DOING and key_of(token.text) in asked for place, token in enumerate(clauses.tokens)
    )


@cache
def _limiting() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_table()['limiting']})\b", re.IGNORECASE)


@cache
def _of_anybody() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_table()['anybody']})\b", re.IGNORECASE)


@cache
def _of_some() -> re.Pattern[str]:
    return re.compile(rf"^\W*(?:{_table()['none_of_some']})", re.IGNORECASE)


@cache
def _table() -> dict[str, str]:
    return tomllib.loads(files("language").joinpath("limited_denials.toml").read_text(encoding="utf-8"))
