"""What a strategy's answer to a question is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evaluation.answer_match import exact, holds, word_f1
from evaluation.questions_file import AskedItem
from kg.records import Answer, Evidence, Stance, Verdict
from reasoning.choice_report import Choice

MAIN: Final = ("choice", "answer", "quotes", "verdict")
"""The measures by which strategies are compared, and confidence is judged: the first that a question has."""


def main_score(scores: Mapping[str, float]) -> float:
    """The figure that counts for a question, 0 to 1; 0 where nothing was scored because the question failed."""
    return next((scores[name] for name in MAIN if name in scores), 0.0)


def score_answer(item: AskedItem, told: Answer) -> dict[str, float]:
    """The measures of an answer, each 0 to 1, for what is known of the question.

    `answer`: its words or its quotes hold the words of a right answer. `exact` and `f1`: the better of its text and its
    first quote, word by word. `first`: the quote that comes first, given as proof or as the nearest that the documents
    come to an answer, holds a right answer or is a sentence that has to be shown.
    `quotes`: share of the sentences that have to be shown that are. `verdict`: it is the right one. An answer that says
    that the documents do not tell has given none.
    """
    silent = told.verdict is Verdict.INSUFFICIENT
    shown = [] if silent else [evidence.quote for evidence in told.evidence if evidence.stance is not Stance.CONTEXT]
    texts = [] if silent else [told.text, *shown]
    scores: dict[str, float] = {}
    if item.answers:
        scores["answer"] = float(any(holds(text, right) for text in texts for right in item.answers))
        brief = texts[:2]
        scores["exact"] = float(any(exact(text, right) for text in brief for right in item.answers))
        scores["f1"] = max((word_f1(text, right) for text in brief for right in item.answers), default=0.0)
    if item.quotes:
        scores["quotes"] = sum(any(_same(quote, right) for quote in shown) for right in item.quotes) / len(item.quotes)
    if item.answers or item.quotes:
        first = [evidence.quote for evidence in told.evidence[:1]]
        right_first = any(holds(quote, right) for quote in first for right in item.answers)
        scores["first"] = float(right_first or any(_same(quote, right) for quote in first for right in item.quotes))
    if item.verdict is not None:
        scores["verdict"] = float(told.verdict is item.verdict)
    return scores


def score_choice(right: frozenset[int], chosen: frozenset[int]) -> dict[str, float]:
    """The measures of a choice: `choice`, 1 for the exact set and a half for a part of it, and `exact`.

    The score of SemEval-2026 task 12: what is wrong beside what is right is worth nothing.
    """
    part = 0.5 if chosen and chosen < right else 0.0
    return {"choice": 1.0 if chosen == right else part, "exact": float(chosen == right)}


def answered(told: Answer | Choice) -> bool:
    """Whether anything was answered at all."""
    return told.verdict is not Verdict.INSUFFICIENT


def quoted(told: Answer | Choice) -> tuple[Evidence, ...]:
    """The quotes that an answer or a choice shows."""
    if isinstance(told, Answer):
        return told.evidence
    return tuple(evidence for option in told.options for evidence in option.evidence)


def _same(quote: str, right: str) -> bool:
    """Whether one of the two holds the other: a claim may be quoted from a part of a sentence."""
    return holds(quote, right) or holds(right, quote)
