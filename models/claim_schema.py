"""What a language model may say about causes in a window of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_CLAIMS = 16
"""Most claims of one window: a model that repeats itself comes to an end."""
MOST_CHARACTERS = 300
"""Longest cause, effect or quote: a longer one is a passage, not a statement."""

Words = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]


class ClaimAnswer(BaseModel):
    """One statement of the window that one event causes, enables, prevents or precedes another."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentence: Annotated[int, Field(ge=1)]
    """Number of the sentence that states it."""
    quote: Words
    """The words that state it, copied from that sentence."""
    cause: Words
    """The earlier event, in words of that sentence."""
    effect: Words
    """The later event, in words of that sentence."""
    relation: Literal["CAUSES", "ENABLES", "PREVENTS", "BEFORE"]
    """What the sentence says the first does to the second."""
    polarity: Literal["affirmed", "negated"]
    """Whether it says that this is so, or that it is not so."""
    modality: Literal["actual", "possible", "planned", "hypothetical"]
    """Whether it is told as a fact."""


class ClaimAnswers(BaseModel):
    """All of them; none is a good answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    claims: Annotated[list[ClaimAnswer], Field(max_length=MOST_CLAIMS)]
    """In the order of the sentences."""


def numbered(sentences: Sequence[str]) -> str:
    """The window as the prompt shows it: one sentence a line, counted from 1."""
    return "\n".join(f"{number}. {_on_one_line(sentence)}" for number, sentence in enumerate(sentences, 1))


def _on_one_line(sentence: str) -> str:
    return " ".join(sentence.split())
