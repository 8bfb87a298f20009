"""A language model that writes what a step of a strategy then judges: premises, questions, queries, a revision."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeVar

from pydantic import BaseModel

from causetrail.errors import OutputInvalid
from models.call_deadline import CallDeadline
from models.language_model import LanguageModel, Sampling
from models.premise_generator import PremiseGenerator
from models.prompts import load_prompt
from models.structured_output import structured

STAGE: Final = "propose"
"""How its calls are booked."""
MOST_TOKENS: Final = 512
"""Longest answer."""
Value = TypeVar("Value", bound=BaseModel)


class Proposer:
    """Asks for proposals. Nothing here says that one is right, or that documents say so: the steps judge it."""

    def __init__(self, model: LanguageModel, sampling: Sampling, seconds: float) -> None:
        """Takes the model of the role `reasoner`; whoever made it closes it.

        Args:
            model: Who proposes.
            sampling: How answers are drawn; none is longer than 512 tokens.
            seconds: Longest time of one proposal.
        """
        self._model = model
        self._sampling = replace(sampling, max_tokens=min(sampling.max_tokens, MOST_TOKENS))
        self._seconds = seconds
        self._premises = PremiseGenerator(model)
        self.fingerprint: str = model.fingerprint
        """Of the model."""

    def deadline(self, left: float) -> CallDeadline:
        """For one proposal that begins now, of a question that has so many seconds left."""
        return CallDeadline(min(self._seconds, left))

    def premise(self, cause: str, effect: str, deadline: CallDeadline) -> str | None:
        """A general statement that might explain why a cause had its effect; none where the model has nothing new.

        Args:
            cause: Words of a document.
            effect: Words of a document.
            deadline: For all calls together.

        Raises:
            OutputInvalid: no answer was one.
            ModelError: as `PremiseGenerator.candidates`.
        """
        found = self._premises.candidates(cause, effect, 1, deadline)
        if not found.kept and found.dropped["unusable"] == found.dropped.total():
            raise OutputInvalid(model=self._model.name, kind="PremiseAnswer", reason="no answer was one")
        return found.kept[0].text if found.kept else None

    def propose(self, prompt: str, kind: type[Value], deadline: CallDeadline, **texts: str) -> Value:
        """The answer to a prompt.

        Args:
            prompt: Its name.
            kind: What the answer must be; that of the prompt.
            deadline: For all calls together.
            texts: Text of documents by the fields of the prompt, each shown as data.

        Raises:
            OutputInvalid, OutputCut, ModelRefused: it is no answer.
            ModelError: as `LanguageModel.complete`.
        """
        return structured(self._model, load_prompt(prompt).messages(**texts), kind, self._sampling, deadline).value
