"""Generation of a transformers model: it can be stopped, tells what it writes, and writes only what fits a schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import torch
from llguidance import LLMatcher, LLTokenizer
from transformers import LogitsProcessor, StoppingCriteria, TextStreamer

from models.language_model import Schema
from models.running_answer import RunningAnswer

if TYPE_CHECKING:
    from llguidance._lib import JsonCompileOptions

WRITTEN: Final[JsonCompileOptions] = {
    # A small model that may write white space anywhere writes nothing else.
    "whitespace_flexible": False,
    "item_separator": ", ",
    "key_separator": ": ",
    # A keyword that cannot be held to is tested by the validation that follows always.
    "lenient": True,
}
"""How the JSON of an answer is laid out."""


class StopWhenUnwanted(StoppingCriteria):
    """Ends the generation at the next token after nobody waits any more."""

    def __init__(self, answer: RunningAnswer) -> None:
        self._answer = answer

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor, **kwargs: Any) -> torch.Tensor:
        """Whether each sequence of the batch is done; shape (batch,)."""
        return torch.full((input_ids.shape[0],), self._answer.stopped.is_set(), device=input_ids.device)


class PieceStreamer(TextStreamer):
    """Hands the text over as soon as its words are whole."""

    def __init__(self, tokenizer: Any, answer: RunningAnswer) -> None:
        super().__init__(tokenizer, skip_prompt=True, skip_special_tokens=True)
        self._answer = answer

    def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
        """Called by the library with each piece."""
        if text:
            self._answer.put(text)


class SchemaHeld(LogitsProcessor):
    """Leaves only the tokens that can lead to JSON of a schema; for a batch of one."""

    def __init__(self, tokenizer: LLTokenizer, schema: Schema, prompt_tokens: int) -> None:
        """Compiles the schema.

        Raises:
            ValueError: it is no schema that can be held to.
        """
        grammar = LLMatcher.grammar_from_json_schema(json.dumps(schema), overrides=WRITTEN)
        self._matcher = LLMatcher(tokenizer, grammar)
        if self._matcher.is_error():
            raise ValueError("the schema cannot be compiled")
        self._taken = prompt_tokens

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """The scores with -inf where a token does not fit; shape (1, vocabulary)."""
        new = input_ids[0, self._taken :].tolist()
        self._taken += len(new)
        if new and not self._matcher.is_stopped():
            self._matcher.consume_tokens(new)
        # 200 for each token that fits, 0 for the others; the model may have more outputs than tokens.
        fits = torch.frombuffer(bytearray(self._matcher.compute_logit_bias()), dtype=torch.uint8).bool()
        allowed = torch.zeros(scores.shape[-1], dtype=torch.bool)
        width = min(len(fits), len(allowed))
        allowed[:width] = fits[:width]
        return scores.masked_fill(~allowed.to(scores.device), float("-inf"))
