"""Typed answers of a language model: held to a schema where the model can, validated always, repaired at most once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from causetrail.errors import ModelRefused, OutputCut, OutputInvalid, PromptTooLong
from models.call_deadline import CallDeadline
from models.language_model import Completion, LanguageModel, Message, Sampling
from models.text_fence import without_template_marks

Value = TypeVar("Value", bound=BaseModel)

CODE_FENCE = "```"
PLACE_CHARACTERS = 80
"""Longest place of a fault that is told: its keys come from the model, and may be anything."""
FAULTS_TOLD = 5
"""Most faults of one answer that the model is shown."""
REPAIR = (
    "Your answer cannot be used: {fault}. Answer once more, with nothing but JSON that fits the schema and says only "
    "what the text between the marks says."
)


@dataclass(frozen=True)
class Structured(Generic[Value]):
    """A typed answer and what it cost."""

    value: Value
    completions: tuple[Completion, ...]
    """One, or two where the first had to be repaired."""

    @property
    def repaired(self) -> bool:
        """Whether the first answer was not valid."""
        return len(self.completions) > 1


class _Unusable(Exception):
    """Why an answer cannot be used.

    `told` is for people and holds no word of a library; `shown` is for the model and says more.
    """

    def __init__(self, told: str, shown: str) -> None:
        super().__init__(told)
        self.told = told
        self.shown = shown


def structured(
    model: LanguageModel,
    messages: Sequence[Message],
    kind: type[Value],
    sampling: Sampling,
    deadline: CallDeadline,
) -> Structured[Value]:
    """Asks for a value of a kind; an answer that is none is shown its fault and asked for once more.

    Args:
        model: Who answers.
        messages: The conversation; it should show the schema too, for models that cannot be held to it.
        kind: What the answer must be.
        sampling: How it is drawn.
        deadline: For both calls together.

    Raises:
        OutputInvalid: the second answer is not valid either.
        OutputCut: the second answer did not come to its end.
        ModelRefused: the model does not want to answer.
        ModelError: as `LanguageModel.complete`.
    """
    schema = kind.model_json_schema()
    first = model.complete(messages, sampling, deadline, schema)
    try:
        return Structured(_value(model, first, kind, sampling), (first,))
    except _Unusable as fault:
        # It may repeat what a document says, the marks of turns as well.
        said, shown = without_template_marks(first.text), without_template_marks(fault.shown)
        repair = [*messages, Message("assistant", said), Message("user", REPAIR.format(fault=shown))]
        reason = fault.told
    try:
        second = model.complete(repair, sampling, deadline, schema)
        return Structured(_value(model, second, kind, sampling), (first, second))
    except _Unusable as fault:
        if second.finish == "length":
            raise OutputCut(model=model.name, kind=kind.__name__, limit=sampling.max_tokens) from None
        reason = fault.told
    except PromptTooLong:
        # The prompt itself was taken; what does not fit is the useless answer that the repair repeats.
        pass
    raise OutputInvalid(model=model.name, kind=kind.__name__, reason=reason)


def _value(
    model: LanguageModel,
    completion: Completion,
    kind: type[Value],
    sampling: Sampling,
) -> Value:
    """The answer as a value.

    Raises:
        _Unusable: it is none.
        ModelRefused: the model does not want to answer.
    """
    if completion.finish == "refusal":
        raise ModelRefused(model=model.name)
    if completion.finish == "length":
        raise _Unusable(
            "it was cut off", f"it was cut off after {sampling.max_tokens} tokens, so it must be much shorter"
        )
    try:
        return kind.model_validate_json(_without_code_fence(completion.text))
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        shown = "; ".join(f"{_place(fault['loc'])}: {fault['msg']}" for fault in faults[:FAULTS_TOLD])
        if faults[0]["type"] == "json_invalid":
            raise _Unusable("it is not JSON", shown) from None
        told = f"it does not fit the schema at {_place(faults[0]['loc'])} ({faults[0]['type']})"
        raise _Unusable(told, shown) from None


def _without_code_fence(text: str) -> str:
    """JSON that stands in a block of Markdown code, as models that are not held to a schema like to write it."""
    # Not by all that Unicode calls a new line: some of it may stand inside a string.
    lines = text.strip().split("\n")
    if len(lines) > 2 and lines[0].startswith(CODE_FENCE) and lines[-1].strip() == CODE_FENCE:
        return "\n".join(lines[1:-1])
    return text


def _place(keys: tuple[int | str, ...]) -> str:
    return ".".join(str(key) for key in keys)[:PLACE_CHARACTERS] or "the whole"
