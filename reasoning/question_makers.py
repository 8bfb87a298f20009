"""Who makes the counterfactual questions of a draft: the words of the documents, and a language model beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from models.proposal_schema import CounterfactualQuestions
from reasoning.counterfactual_questions import CounterfactualQuestion, counterfactual_questions, exchanged, ranked
from reasoning.material import Material
from reasoning.proposals import proposed, shown
from reasoning.thresholds import thresholds


class QuestionMaker(Protocol):
    """Makes questions like the real one, whose answer is another."""

    def questions(self, texts: Sequence[str], material: Material) -> list[CounterfactualQuestion]:
        """At most as many as the thresholds say.

        Args:
            texts: Quotes of the draft, then the passages that are read.
            material: The question and its deadline.

        Raises:
            ModelError: a language model cannot be asked at all.
        """
        ...


class WordExchange:
    """Exchanges one word for another that the texts have in its place."""

    def questions(self, texts: Sequence[str], material: Material) -> list[CounterfactualQuestion]:
        """Those that the texts suggest."""
        return counterfactual_questions(material.asked.text, texts, thresholds().counterfactual.considered)


class ModelQuestions:
    """Those of a language model that pass the same test, ranked among those of the words."""

    def questions(self, texts: Sequence[str], material: Material) -> list[CounterfactualQuestion]:
        """Both together; those of the words alone where the model gives nothing that can be used."""
        by_words = WordExchange().questions(texts, material)
        question = material.asked.text
        told = proposed(
            lambda proposer, deadline: (
                proposer.propose(
                    "counterfactual_questions",
                    CounterfactualQuestions,
                    deadline,
                    question=question,
                    passages=shown(texts),
                ).questions,
                proposer.fingerprint,
            ),
            "counterfactual",
            material,
        )
        if told is None:
            return by_words
        proposals, model = told
        tested = [exchanged(question, one.was, one.now, texts, model) for one in proposals]
        valid = [one for one in tested if one is not None]
        material.recorder.add(
            "proposed questions", model=model, given=len(proposals), valid=[one.text for one in valid]
        )
        return ranked([*valid, *by_words], thresholds().counterfactual.considered)


def question_maker(material: Material) -> QuestionMaker:
    """The language model where one judges, else the words alone."""
    return WordExchange() if material.bench.proposer is None else ModelQuestions()
