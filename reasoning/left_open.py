"""Whether a sentence names what is asked of and does not tell it as so, so that it answers no question for a fact."""

from __future__ import annotations

from language.facts import leaves_open
from language.questions import Question
from language.tokens import Sentence
from language.untold import leaves_untold
from reasoning.text_draft import denies, is_unrealised


def is_left_open(question: Question, sentence: Sentence) -> bool:
    """Whether it leaves open, fears, imputes or prevents what is asked of, and the question does not ask for that."""
    if leaves_open(question.text, sentence.text) or is_unrealised(question, sentence):
        return True
    return not denies(question.text) and leaves_untold(question.text, sentence)
