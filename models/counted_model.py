"""A language model whose calls are kept, counted, held to a budget, and made no more at once than it bears."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from causetrail.errors import LanguageModelError
from models.accounting import Ledger
from models.call_deadline import CallDeadline
from models.completion_cache import CompletionCache, completion_key
from models.language_model import Completion, LanguageModel, Message, Sampling, Schema, TokenCount

MESSAGE_TOKENS = 32
"""What a chat template puts around one message, at most; only for what a call may cost."""


@dataclass(frozen=True)
class Foreseen:
    """What a call would cost."""

    prompt_tokens: int
    """Tokens of its prompt, rather too many."""
    cost: float | None
    """With the longest answer, in the unit of the prices; none where the price is not known."""
    kept: bool
    """Whether the cache has its answer; it costs nothing then."""


class CountedModel:
    """A language model for one stage of the work; the others share its ledger, its cache and its turns."""

    def __init__(
        self,
        model: LanguageModel,
        ledger: Ledger,
        turns: threading.Semaphore,
        cache: CompletionCache | None = None,
        stage: str = "other",
        document: str | None = None,
    ) -> None:
        """Wraps a model.

        Args:
            model: Who answers.
            ledger: Where its calls are booked.
            turns: As many as calls may run at once.
            cache: Where answers are kept; none are when not given.
            stage: What the calls are for, in the ledger.
            document: Id of the document whose words they show, if they show those of one.
        """
        self._model = model
        self._ledger = ledger
        self._turns = turns
        self._cache = cache
        self._stage = stage
        self._document = document

    def at(self, stage: str) -> CountedModel:
        """The same model for another stage."""
        return CountedModel(self._model, self._ledger, self._turns, self._cache, stage, self._document)

    def of(self, document: str) -> CountedModel:
        """The same model for calls that show words of one document: what is kept of them can go with it."""
        return CountedModel(self._model, self._ledger, self._turns, self._cache, self._stage, document)

    def booked_in(self, ledger: Ledger) -> CountedModel:
        """The same model, its calls booked in a ledger within that of the others."""
        return CountedModel(self._model, ledger, self._turns, self._cache, self._stage, self._document)

    @property
    def name(self) -> str:
        """As the model's."""
        return self._model.name

    @property
    def fingerprint(self) -> str:
        """As the model's."""
        return self._model.fingerprint

    @property
    def context_tokens(self) -> int:
        """As the model's."""
        return self._model.context_tokens

    def describe(self) -> str:
        """As the model's."""
        return self._model.describe()

    def count_tokens(self, text: str) -> int:
        """As the model's."""
        return self._model.count_tokens(text)

    def complete(
        self, messages: Sequence[Message], sampling: Sampling, deadline: CallDeadline, schema: Schema | None = None
    ) -> Completion:
        """As `LanguageModel.complete`; a call that was made before is answered from the cache.

        Only a call that is meant to give the same answer again is kept, and no refusal is.

        Raises:
            BudgetSpent: the call could exceed the budget; it was not made.
            ModelError: as the model's.
        """
        key = completion_key(self.fingerprint, messages, sampling, schema)
        cache = self._cache if sampling.repeatable else None
        if cache and self._document is not None:
            # Before the answer is kept: a process that is killed leaves none that no document goes with.
            cache.note(self._document, key)
        kept = cache.get(key) if cache else None
        if kept is not None:
            self._ledger.count_kept(self._stage)
            return kept
        deadline.acquire(self._turns, self.name)
        try:
            completion = self._counted(messages, sampling, deadline, schema)
        finally:
            self._turns.release()
        if cache and completion.finish != "refusal":
            cache.put(key, completion)
        return completion

    def foresee(self, messages: Sequence[Message], sampling: Sampling, schema: Schema | None = None) -> Foreseen:
        """What `complete` would cost with the same arguments; nothing is asked."""
        key = completion_key(self.fingerprint, messages, sampling, schema)
        kept = self._cache is not None and sampling.repeatable and self._cache.get(key) is not None
        prompt = self._prompt_tokens(messages)
        cost = self._ledger.cost_of(self.name, prompt, sampling.max_tokens)
        return Foreseen(0, 0.0, kept=True) if kept else Foreseen(prompt, cost, kept=False)

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, deadline: CallDeadline, schema: Schema | None = None
    ) -> Iterator[str]:
        """As `LanguageModel.stream`; it is counted by the lengths of its pieces, and nothing of it is kept.

        Raises:
            BudgetSpent: the call could exceed the budget; it was not made.
            ModelError: as the model's.
        """
        deadline.acquire(self._turns, self.name)
        try:
            prompt = self._prompt_tokens(messages)
            held = self._ledger.reserve(self._stage, self.name, prompt, sampling.max_tokens)
            begin = time.monotonic()
            pieces: list[str] = []
            asked = True
            try:
                for piece in self._model.stream(messages, sampling, deadline, schema):
                    pieces.append(piece)
                    yield piece
            except LanguageModelError as error:
                asked = error.asked
                raise
            finally:
                if asked:
                    text = "".join(pieces)
                    tokens = TokenCount(prompt, self._model.count_tokens(text) if text else 0, estimated=True)
                    self._ledger.settle(held, Completion(text, tokens, time.monotonic() - begin, "stop"))
                else:
                    self._ledger.give_back(held)
        finally:
            self._turns.release()

    def close(self) -> None:
        """As the model's."""
        self._model.close()

    def _counted(
        self, messages: Sequence[Message], sampling: Sampling, deadline: CallDeadline, schema: Schema | None
    ) -> Completion:
        held = self._ledger.reserve(self._stage, self.name, self._prompt_tokens(messages), sampling.max_tokens)
        begin = time.monotonic()
        try:
            completion = self._model.complete(messages, sampling, deadline, schema)
        except BaseException as error:
            if isinstance(error, LanguageModelError) and not error.asked:
                self._ledger.give_back(held)
            else:
                self._ledger.give_up(held, time.monotonic() - begin)
            raise
        self._ledger.settle(held, completion)
        return completion

    def _prompt_tokens(self, messages: Sequence[Message]) -> int:
        return sum(self._model.count_tokens(message.text) + MESSAGE_TOKENS for message in messages)
