"""What a language model may answer when it words a narrative, and how the quotes are shown to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_SENTENCES = 12
"""Most sentences of one narrative: a model that repeats itself comes to an end."""
MOST_CHARACTERS = 400
"""Longest sentence."""
MOST_QUOTES = 8
"""Most quotes that one sentence names."""


class NarrativeSentence(BaseModel):
    """One sentence, and the quotes that say what it says."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]
    """The sentence, in words of the quotes."""
    quotes: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1, max_length=MOST_QUOTES)]
    """Numbers of the quotes that it rests on."""


class NarrativeAnswer(BaseModel):
    """All of them, in the order of the telling."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentences: Annotated[list[NarrativeSentence], Field(max_length=MOST_SENTENCES)]
    """None is an answer too."""


def numbered_quotes(quotes: Sequence[str]) -> str:
    """The quotes as the prompt shows them: one a line, counted from 1, so that none can begin another."""
    return "\n".join(f"{number}. {' '.join(quote.split())}" for number, quote in enumerate(quotes, 1))
