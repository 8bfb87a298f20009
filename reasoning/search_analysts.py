"""Who says whether what was read suffices, and what is searched for: judges and words, or a language model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Protocol

from causetrail.errors import DeadlinePassed, QuestionError
from language.content_words import content_keys, question_words, unread_words
from language.questions import Question, QuestionKind, read_question
from language.stated_causes import stated_orders
from models.proposal_schema import SearchPlan
from reasoning.causal_candidates import ASKING_OF_CAUSES, candidates_of
from reasoning.evidence import Quoter
from reasoning.material import Material
from reasoning.passages import ChosenPassages
from reasoning.proposals import proposed, shown
from reasoning.quotable import word_cover
from reasoning.room import Room
from reasoning.text_draft import draft_from_text
from reasoning.thresholds import thresholds
from reasoning.trace import BY_RULE
from reasoning.unjudged import UNJUDGED

QUERY_CHARACTERS: Final = 300
"""Longest query; the encoder reads it whole."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a look at the passages came to.

    Attributes:
        queries: What is searched for; none where the passages suffice.
        told: Who says so and by what, as plain JSON values.
    """

    queries: tuple[str, ...]
    told: dict[str, object] = field(default_factory=dict)


class SearchAnalyst(Protocol):
    """Looks for what the passages leave open."""

    def analyse(self, read: ChosenPassages) -> Analysis | None:
        """Whether they suffice, or what is searched for; none where there is no time left to search.

        Raises:
            ModelError: a judge, or a language model, cannot be asked at all.
        """
        ...


class WordAnalyst:
    """A judge of sufficiency says whether to search, and the words of the question and of the passages say for what."""

    def __init__(self, question: str, room: Room, quoter: Quoter, asked: Question | None = None) -> None:
        """Takes the question.

        Args:
            question: What the passages have to answer, in words.
            room: Has the judge.
            quoter: Gives the texts.
            asked: The same as it was read; asked why, the search also goes one step back from the nearest sentence.
        """
        self._question = question
        self._room = room
        self._quoter = quoter
        self._asked = asked

    def analyse(self, read: ChosenPassages) -> Analysis:
        """The judgement of the best passage; one that the judge cannot judge does not suffice."""
        if not self._may_answer(read):
            return Analysis(self.queries(read), {"judge": BY_RULE, "answered": False})
        least = thresholds().search_agent.sufficient
        best, undecided = self._sufficiency(read)
        judge = self._room.judges.judges.sufficiency.fingerprint
        told: dict[str, object] = {"judge": judge, "sufficiency": best, "least": least, "undecided": undecided}
        return Analysis(() if best >= least else self.queries(read), told)

    def queries(self, read: ChosenPassages) -> tuple[str, ...]:
        """The words that nothing read has, or all where none is missing; then, asked why, the step back."""
        texts = texts_of(read, self._quoter)
        words = unread_words(self._question, texts) or question_words(self._question).values()
        back = self._step_back(read)
        return tuple(dict.fromkeys((" ".join(words) or self._question, *([back] if back else []))))

    def _may_answer(self, read: ChosenPassages) -> bool:
        """Whether a sentence answers; where no cause is asked for, the judge alone says so.

        The judge is easily taken in by a passage that speaks of the same things.
        """
        asked = self._asked
        if asked is None or asked.kind not in ASKING_OF_CAUSES:
            return True
        return draft_from_text(asked, read, self._room, self._quoter).draft is not None

    def _sufficiency(self, read: ChosenPassages) -> tuple[float, int]:
        best, undecided = 0.0, 0
        judge = self._room.judges.judges.sufficiency
        for text in texts_of(read, self._quoter):
            try:
                (told,) = judge.sufficiency([(self._question, text)])
            except UNJUDGED:
                undecided += 1
            else:
                best = max(best, told)
        return round(best, 6), undecided

    def _step_back(self, read: ChosenPassages) -> str:
        """What a sentence tells as the cause, or as what came first, or else the nearest; empty where none is near.

        What led to the happening that is nearest stands where that happening is told in its own words, which need not
        be those of the question.
        """
        asked = self._asked
        if asked is None or asked.kind is not QuestionKind.WHY:
            return ""
        figures = thresholds().text
        candidates, sentences = candidates_of(asked, read, self._room, self._quoter)
        stated = [one for one in candidates if not one.denied]
        if stated:
            return _shortened(stated[0].cause)
        for one in sentences:
            for order in stated_orders(one.sentence):
                if order.cause.strip() and word_cover(asked.focus, order.effect, frozenset()) >= figures.side_coverage:
                    return _shortened(order.cause)
        known = question_words(asked.focus).keys()
        near = [
            (word_cover(asked.focus, one.text, frozenset()), len(content_keys(one.text) - known), one.text)
            for one in sentences
        ]
        cover, more, nearest = max(near, key=lambda told: told[:2], default=(0.0, 0, ""))
        return _shortened(nearest) if cover >= figures.context_coverage and more else ""


class ModelAnalyst:
    """A language model; it is believed only as to what is searched for, and where a sentence answers."""

    def __init__(self, material: Material) -> None:
        """Takes the question, with its judges and its deadline."""
        self._material = material
        self._by_rule = WordAnalyst(material.asked.text, material.room, material.quoter, material.asked)

    def analyse(self, read: ChosenPassages) -> Analysis | None:
        """The model's plan, or the rule's where it gives none that can be used."""
        material = self._material
        told = proposed(
            lambda proposer, deadline: (
                proposer.propose(
                    "plan_search",
                    SearchPlan,
                    deadline,
                    question=material.asked.text,
                    passages=shown(texts_of(read, material.quoter)),
                ),
                proposer.fingerprint,
            ),
            "search agent",
            material,
        )
        if told is None:
            return None if material.deadline.passed() else self._by_rule.analyse(read)
        plan, model = told
        said: dict[str, object] = {"analysed_by": model, "gap": " ".join(plan.gap.split())}
        if plan.sufficient and self._answered(read):
            return Analysis((), said)
        limit = material.room.settings.max_question_characters
        queries = [query for query in plan.queries if _is_searchable(query, limit)]
        if queries:
            most = thresholds().search_agent.queries
            return Analysis(tuple(dict.fromkeys(" ".join(query.split()) for query in queries))[:most], said)
        # No sentence answers, whatever the model, or a passage that it obeys, calls sufficient.
        return Analysis(self._by_rule.queries(read), {**said, "not_believed": True})

    def _answered(self, read: ChosenPassages) -> bool:
        material = self._material
        return draft_from_text(material.asked, read, material.room, material.quoter).draft is not None


class TimedAnalyst:
    """Another analyst, as long as there is time."""

    def __init__(self, analyst: SearchAnalyst, material: Material) -> None:
        """Takes the analyst, and the question with its deadline."""
        self._analyst = analyst
        self._material = material

    def analyse(self, read: ChosenPassages) -> Analysis | None:
        """None, and a warning in the trace, when the time is up."""
        if self._material.deadline.passed():
            self._material.recorder.add(
                "warning", of="search agent", code=DeadlinePassed.code, action="the search ends"
            )
            return None
        return self._analyst.analyse(read)


def analyst_of(material: Material) -> SearchAnalyst:
    """The language model where one judges, else judges and words."""
    by_rule = WordAnalyst(material.asked.text, material.room, material.quoter, material.asked)
    return TimedAnalyst(by_rule if material.bench.proposer is None else ModelAnalyst(material), material)


def texts_of(read: ChosenPassages, quoter: Quoter) -> list[str]:
    """The texts of the passages, those to be read first in front."""
    return [quoter.passage(read.passages[hit.id]) for hit in read.hits]


def _is_searchable(query: str, limit: int) -> bool:
    try:
        read_question(query, limit)
    except QuestionError:
        return False
    return bool(content_keys(query))


def _shortened(words: str) -> str:
    return " ".join(words.split())[:QUERY_CHARACTERS].strip(" ,;.")
