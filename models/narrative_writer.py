"""A narrative in the words of a language model: sentences that each name their quotes, and that nothing has checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from models.call_deadline import CallDeadline
from models.language_model import LanguageModel, Sampling
from models.narrative_schema import NarrativeAnswer, NarrativeSentence, numbered_quotes
from models.prompts import load_prompt
from models.structured_output import structured

NARRATIVE: Final = "write_narrative"
STAGE: Final = "narrative"
"""How its calls are booked."""
MOST_TOKENS: Final = 768
"""Longest answer: a few sentences."""


class NarrativeWriter:
    """Asks a language model to put quotes into a few sentences. Safe to use from threads, as the model is."""

    def __init__(self, model: LanguageModel, sampling: Sampling, deadline: Callable[[], CallDeadline]) -> None:
        """Takes the model of the role `reasoner`; whoever made it closes it.

        Args:
            model: Who writes.
            sampling: How its answers are drawn; none is longer than 768 tokens.
            deadline: Gives the deadline of a call that begins now.
        """
        self._model = model
        self._sampling = replace(sampling, max_tokens=min(sampling.max_tokens, MOST_TOKENS))
        self._deadline = deadline
        self.fingerprint: str = model.fingerprint
        """Name and version of the model, for traces."""
        self.prompt: str = load_prompt(NARRATIVE).fingerprint
        """Fingerprint of the prompt."""

    def sentences(self, question: str, quotes: Sequence[str]) -> list[NarrativeSentence]:
        """The narrative as the model gives it.

        Args:
            question: What it is to answer.
            quotes: Words of documents, in the order in which they are to be told.

        Raises:
            OutputInvalid, OutputCut, ModelRefused: it is no answer.
            PromptTooLong: the quotes do not fit; nothing is cut.
            ModelError: whatever else may be wrong with the model or its server.
        """
        messages = load_prompt(NARRATIVE).messages(question=question, quotes=numbered_quotes(quotes))
        return structured(self._model, messages, NarrativeAnswer, self._sampling, self._deadline()).value.sentences
