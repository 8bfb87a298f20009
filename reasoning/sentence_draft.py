"""A draft of what passages say: judges find the fact that is asked for; a cause is told where a sentence states it."""

from __future__ import annotations

from language.questions import Question
from reasoning.draft import Draft
from reasoning.evidence import Quoter
from reasoning.fact_draft import asks_for_fact, draft_of_fact
from reasoning.passages import ChosenPassages
from reasoning.room import Room
from reasoning.text_draft import draft_from_text


def draft_of_sentences(asked: Question, read: ChosenPassages, room: Room, quoter: Quoter) -> Draft | None:
    """What the passages say; none where no sentence answers.

    Args:
        asked: What they have to answer.
        read: The passages that are read.
        room: Store, index and judges.
        quoter: Gives the texts.

    Raises:
        ModelError: a judge cannot judge at all.
    """
    if asks_for_fact(asked):
        return draft_of_fact(asked, read, room, quoter).draft
    return draft_from_text(asked, read, room, quoter).draft
