"""How well texts help to answer questions, by the judge of relevance; within a step no pair is judged twice."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from models.side_by_side import ask_side_by_side
from reasoning.material import Material
from reasoning.passages import UNDECIDED
from reasoning.unjudged import UNJUDGED


class JudgedHelp:
    """What was judged of pairs of a question and a text so far, for one question and one step of its answer."""

    def __init__(self, material: Material) -> None:
        self._bench = material.bench
        self._deadline = material.deadline
        self._known: dict[tuple[str, str], float] = {}

    def judge(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Judges those pairs that are not known yet, as many side by side as the judge bears.

        Raises:
            DeadlinePassed: the time is used up.
            ModelError: the judge cannot judge at all.
        """
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        told = ask_side_by_side(self._probability, new, self._bench.concurrency, self._bench.name)
        self._known.update(zip(new, told, strict=True))

    def probability(self, question: str, text: str) -> float:
        """Probability that a text helps; one that cannot be judged counts as undecided for every question.

        Raises:
            DeadlinePassed, ModelError: as `judge`.
        """
        self.judge([(question, text)])
        return self._known[question, text]

    def _probability(self, pair: tuple[str, str], _: threading.Event) -> float:
        self._deadline.check()
        question, text = pair
        try:
            (told,) = self._bench.judges.relevance.relevance(question, [text])
        except UNJUDGED:
            return UNDECIDED
        return told
