"""Three views of what is looked for: the cause and the effect together, the things that are named, and the event.

Columbaro et al., "Iterative Evidence Retrieval and Abductive Reasoning": a passage d is scored for an event and an
option O by S(d, O) = max over views of cos(view, d) + α · (keywords of O that occur in d). A question that offers no
option is seen in the same three ways: what it asks for, the things in its words, and the happening that it is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from language.content_words import question_words
from language.lemmas import can_be_noun
from language.questions import Question, QuestionKind


@dataclass(frozen=True, slots=True)
class Views:
    """What is looked for.

    Attributes:
        causal: The cause and the effect as a statement.
        entity: The option by itself, or the things that a question names.
        event: The event by itself.
    """

    causal: str
    entity: str
    event: str

    @property
    def question(self) -> str:
        """Whether the option led to the event, as a question."""
        return f"Did {bare(self.entity)} lead to {bare(self.event)}?"

    @property
    def each(self) -> tuple[str, str, str]:
        """All three."""
        return self.causal, self.entity, self.event


def views_of(event: str, option: str) -> Views:
    """The three views of an option for an event."""
    return Views(causal=f"Evidence that {bare(option)} is the cause of {bare(event)}.", entity=option, event=event)


_ASKED: Final = {
    QuestionKind.WHY: "Evidence of what led to {focus}.",
    QuestionKind.EFFECTS: "Evidence of what followed from {focus}.",
}


def views_of_question(question: Question) -> Views | None:
    """The three views of a question about causes or effects; none of one that asks for neither."""
    if question.kind in {QuestionKind.HOW, QuestionKind.DID} and question.cause is not None:
        return views_of(question.focus, question.cause)
    if question.kind not in _ASKED:
        return None
    causal = _ASKED[question.kind].format(focus=bare(question.focus))
    return Views(causal=causal, entity=_things(question.focus), event=question.focus)


def bare(text: str) -> str:
    """A text without white space at its ends, and without the mark that ends it."""
    return " ".join(text.split()).rstrip(".!? ")


def _things(text: str) -> str:
    """The nouns and names of a text in their order; all of it where it has none."""
    found = question_words(text).values()
    return " ".join(word for word in found if word[0].isupper() or can_be_noun(word.lower())) or text
