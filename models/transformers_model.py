"""A model of the transformers library as the language model, in this process; needs the extra `torch`."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from causetrail.errors import ModelFailed, PromptTooLong
from models.call_deadline import CallDeadline
from models.language_model import Completion, Message, Sampling, Schema, TokenCount
from models.running_answer import Ending, RunningAnswer, run_in_thread
from models.transformers_weights import load_weights

CLOSE_SECONDS: Final = 20.0
"""How long closing waits for a generation to stop; it does so at its next token."""


class TransformersModel:
    """One model, one call at a time: others wait for their turn.

    A call that is given up leaves at once; the model itself stops at its next token, or, while it reads the prompt,
    when it has read it.
    """

    def __init__(self, name: str, context_tokens: int) -> None:
        """Loads the model.

        Args:
            name: A folder, a GGUF file, or a model of the hub.
            context_tokens: Most tokens of prompt and answer together; less where the model was trained for less.

        Raises:
            ExtraMissing: transformers is not installed.
            ModelMissing: the model cannot be found or loaded.
        """
        self.name = Path(name).name
        weights = load_weights(name)
        self._model, self._tokenizer = weights.model, weights.tokenizer
        self.fingerprint = weights.fingerprint
        self._precision = weights.precision
        trained = getattr(self._model.config, "max_position_embeddings", None) or context_tokens
        self.context_tokens = min(context_tokens, int(trained))
        self._turn = threading.Semaphore(1)
        self._held_tokenizer: Any = None
        self._running: RunningAnswer | None = None

    def describe(self) -> str:
        """What runs, where, and in which precision."""
        return f"{self.name} by transformers in this process, {self._precision}"

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, without those of the chat template."""
        return len(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def complete(
        self, messages: Sequence[Message], sampling: Sampling, deadline: CallDeadline, schema: Schema | None = None
    ) -> Completion:
        """As `LanguageModel.complete`; with a schema only what fits it can be written."""
        return self._start(messages, sampling, deadline, schema).completion()

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, deadline: CallDeadline, schema: Schema | None = None
    ) -> Iterator[str]:
        """As `LanguageModel.stream`."""
        yield from self._start(messages, sampling, deadline, schema).whole_pieces(sampling)

    def close(self) -> None:
        """Stops what runs, waits for it, and lets the weights go."""
        if self._running is not None:
            self._running.stopped.set()
        if self._turn.acquire(timeout=CLOSE_SECONDS):
            self._model = None
            self._turn.release()

    def _start(
        self, messages: Sequence[Message], sampling: Sampling, deadline: CallDeadline, schema: Schema | None
    ) -> RunningAnswer:
        answer = RunningAnswer(self.name, deadline)
        deadline.acquire(self._turn, self.name)
        self._running = answer

        def work(answer: RunningAnswer) -> Ending:
            # The turn ends with the work, not with the caller, who may have left long before.
            try:
                return self._generate(messages, sampling, schema, answer)
            finally:
                self._turn.release()

        run_in_thread(answer, work)
        return answer

    def _generate(
        self, messages: Sequence[Message], sampling: Sampling, schema: Schema | None, answer: RunningAnswer
    ) -> Ending:
        """Runs one call to its end, or until nobody waits for it.

        Raises:
            PromptTooLong: prompt and answer do not fit.
            ModelFailed: the library gave up.
        """
        import torch
        from transformers import GenerationConfig, LogitsProcessorList, StoppingCriteriaList

        from models.held_generation import PieceStreamer, SchemaHeld, StopWhenUnwanted

        if self._model is None:
            raise self._failed("it was closed")
        prompt = self._prompt(messages)
        length = int(prompt["input_ids"].shape[1])
        if length + sampling.max_tokens > self.context_tokens:
            error = PromptTooLong(
                tokens=length, reserved=sampling.max_tokens, model=self.name, limit=self.context_tokens
            )
            error.asked = False
            raise error
        stored = self._model.generation_config
        ends = stored.eos_token_id if stored.eos_token_id is not None else self._tokenizer.eos_token_id
        ends = set(ends) if isinstance(ends, list) else {ends}
        # A new one: what a model's own configuration adds (penalties, cut tails) no setting here tells of.
        config = GenerationConfig(
            max_new_tokens=sampling.max_tokens,
            do_sample=sampling.temperature > 0.0,
            temperature=sampling.temperature or None,
            eos_token_id=sorted(ends),
            pad_token_id=min(ends),
        )
        try:
            held = [SchemaHeld(self._schema_tokenizer(), schema, length)] if schema is not None else []
        except ValueError:
            raise self._failed("answers cannot be held to the schema") from None
        try:
            with torch.inference_mode(), torch.random.fork_rng():
                if sampling.seed is not None:
                    torch.manual_seed(sampling.seed)
                written = self._model.generate(
                    **prompt.to(self._model.device),
                    generation_config=config,
                    logits_processor=LogitsProcessorList(held),
                    stopping_criteria=StoppingCriteriaList([StopWhenUnwanted(answer)]),
                    streamer=PieceStreamer(self._tokenizer, answer),
                )
        except (RuntimeError, ValueError):
            raise self._failed("torch or transformers cannot run the call, often for want of memory") from None
        new = written[0, length:].tolist()
        finish = "stop" if new and new[-1] in ends else "length"
        return Ending("stop" if finish == "stop" else "length", TokenCount(length, len(new)))

    def _prompt(self, messages: Sequence[Message]) -> Any:
        """The conversation as the model was trained to read it.

        Raises:
            ModelFailed: its chat template does not take it.
        """
        turns = [{"role": message.role, "content": message.text} for message in messages]
        try:
            return self._tokenizer.apply_chat_template(
                turns, add_generation_prompt=True, return_tensors="pt", return_dict=True
            )
        except Exception:  # templates raise what they like
            raise self._failed("its chat template does not take the conversation") from None

    def _schema_tokenizer(self) -> Any:
        """The tokeniser as the library that holds answers to a schema wants it; made once, within a turn."""
        if self._held_tokenizer is None:
            from llguidance.hf import from_tokenizer

            self._held_tokenizer = from_tokenizer(self._tokenizer)
        return self._held_tokenizer

    def _failed(self, reason: str) -> ModelFailed:
        return ModelFailed(model=self.name, reason=reason, advice="Take a smaller model or a device with more memory.")
