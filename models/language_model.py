"""What a language model is here, whatever runs it: messages in, text out, within a time and with its tokens counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from models.call_deadline import CallDeadline

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "refusal"]
Schema = Mapping[str, Any]
"""A JSON schema."""


@dataclass(frozen=True)
class Message:
    """One turn of a conversation."""

    role: Role
    text: str


@dataclass(frozen=True)
class Sampling:
    """How an answer is drawn; two calls that agree in this and in their messages may share an answer."""

    max_tokens: int
    """Longest answer, in tokens; at least 1."""
    temperature: float = 0.0
    """0 takes the likeliest token each time."""
    seed: int | None = None
    """Makes an answer of a temperature above 0 repeatable, where the model can."""

    @property
    def repeatable(self) -> bool:
        """Whether the same call is meant to give the same answer."""
        return self.temperature == 0.0 or self.seed is not None


@dataclass(frozen=True)
class TokenCount:
    """Tokens of one call."""

    prompt: int
    completion: int
    estimated: bool = False
    """True where the model did not tell and the count is worked out from lengths."""

    @property
    def total(self) -> int:
        """Both together."""
        return self.prompt + self.completion


@dataclass(frozen=True)
class Completion:
    """One answer."""

    text: str
    tokens: TokenCount
    seconds: float
    """How long it took, waiting and retries included; 0 for one that was kept."""
    finish: Finish
    """Why it ends: by itself, at the limit of tokens, or because the model does not want to answer."""
    kept: bool = False
    """True where it comes from the cache and cost nothing now."""


class LanguageModel(Protocol):
    """Safe to call from several threads; every call ends within about a second of its deadline or its cancelling."""

    @property
    def name(self) -> str:
        """Name for messages and the table of prices."""
        ...

    @property
    def fingerprint(self) -> str:
        """Name and version: two models with the same one answer alike. Part of cache keys and traces."""
        ...

    @property
    def context_tokens(self) -> int:
        """Most tokens of prompt and answer together."""
        ...

    def describe(self) -> str:
        """What runs, where, and in which precision, in words for people."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of a text; an estimate, rather too high, where only a server could tell."""
        ...

    def complete(
        self, messages: Sequence[Message], sampling: Sampling, deadline: CallDeadline, schema: Schema | None = None
    ) -> Completion:
        """Answers once.

        Args:
            messages: The conversation, oldest first.
            sampling: How the answer is drawn.
            deadline: How long it may take.
            schema: JSON schema that the answer is held to where the model can; the caller validates always.

        Raises:
            PromptTooLong: prompt and answer do not fit; nothing is cut.
            ModelSlow, ModelCancelled: the deadline ended it.
            ModelError: whatever else may be wrong with the model or its server.
        """
        ...

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, deadline: CallDeadline, schema: Schema | None = None
    ) -> Iterator[str]:
        """Answers piece by piece; whoever stops iterating stops the model.

        Raises:
            OutputCut: the limit of tokens ended it.
            ModelRefused: the model does not want to answer.
            ModelError: as `complete`, at the piece where it happens.
        """
        ...

    def close(self) -> None:
        """Ends whatever still runs and gives its memory back; the model is not usable after it."""
        ...
