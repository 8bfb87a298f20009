"""Any OpenAI-compatible server as the language model: vLLM, Ollama, llama.cpp, the vendors."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from causetrail.errors import CausetrailError, ModelCancelled, PromptTooLong
from models.call_deadline import CallDeadline
from models.language_model import Completion, Finish, Message, Sampling, Schema, TokenCount
from models.model_server import BODY_BYTES, ModelServer, RequestRefused
from models.running_answer import Ending, RunningAnswer

if TYPE_CHECKING:
    import httpx2

CHARACTERS_A_TOKEN: Final = 3
"""Fewest bytes of a token in running English, rounded down, so that an estimate is rather too high."""
BYTES_OF_LONG_TOKENS: Final = 8
"""More bytes a token than any tokeniser reaches over a long text: a server that counts fewer has cut the prompt."""
LONG_PROMPT: Final = 1_000
"""Tokens from which on that is told."""
MESSAGE_TOKENS: Final = 8
"""What a chat template puts around one message, at most."""
ADAPTABLE: Final = ("max_tokens", "temperature", "seed", "response_format", "stream_options")
"""Parameters that some servers do not take; without them the request means almost the same."""
TOO_LONG: Final = frozenset({"context_length_exceeded", "exceed_context_size_error"})
TOO_LONG_SAID: Final = "maximum context length"
"""What servers without a code for it (vLLM) say of a prompt that is too long."""
DONE: Final = "[DONE]"
CONTEXT_SECONDS: Final = 5.0
"""How long a server may take to say how much its model reads."""


_MOST_TOKENS: Final = 1_000_000_000
"""More than any call has; what a server says beyond it is no count."""


class _Usage(BaseModel):
    prompt_tokens: int = Field(ge=0, le=_MOST_TOKENS)
    completion_tokens: int = Field(ge=0, le=_MOST_TOKENS)


def _usable(told: object) -> object:
    """What a server says of tokens, where it can be meant: an answer is not thrown away for a wrong count."""
    try:
        return _Usage.model_validate(told)
    except ValidationError:
        return None


_Told: TypeAlias = Annotated[_Usage | None, BeforeValidator(_usable)]


class _Words(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Words
    finish_reason: str | None = None


class _Answer(BaseModel):
    """What is needed of a chat completion; whatever else a server sends is left alone."""

    choices: list[_Choice] = Field(min_length=1)
    usage: _Told = None


class _Step(BaseModel):
    delta: _Words = _Words()
    finish_reason: str | None = None


class _Chunk(BaseModel):
    """What is needed of one event of a stream."""

    choices: list[_Step]
    usage: _Told = None


class _ModelMeta(BaseModel):
    n_ctx: int | None = Field(default=None, gt=0)


class _ListedModel(BaseModel):
    id: str
    max_model_len: int | None = Field(default=None, gt=0)
    """How vLLM tells the length of the context."""
    meta: _ModelMeta | None = None
    """How llama.cpp does."""


class _ListedModels(BaseModel):
    data: list[_ListedModel]


class OpenAIModel:
    """One model of one server."""

    def __init__(self, model: str, base_url: str, key: str | None, context_tokens: int) -> None:
        """Connects to nothing yet.

        Args:
            model: Its name at the server.
            base_url: Address of the server, up to and with `/v1`.
            key: Sent to that address alone; none for a server that asks for none.
            context_tokens: Most tokens of prompt and answer together; less where the server says so.

        Raises:
            SettingInvalid: the address or the key cannot be used.
            ExtraMissing: the HTTP library is not installed.
        """
        self.name = model
        self._server = ModelServer(base_url, key, model)
        self.fingerprint = f"{model}@{self._server.address.partition('://')[2]}"
        self.context_tokens = context_tokens
        self._asked_for_context = False
        self._not_taken: frozenset[str] = frozenset()

    def describe(self) -> str:
        """What runs, where, and what the server does not take."""
        without = f", which does not take {', '.join(sorted(self._not_taken))}" if self._not_taken else ""
        return f"{self.name} at {self._server.address}{without}"

    def count_tokens(self, text: str) -> int:
        """An estimate, rather too high: only the server has the tokeniser."""
        # With the space before it, which is a token of its own there.
        dense = sum(len(word.encode("utf-8", "replace")) + 1 for word in text.split() if _is_dense(word))
        return dense + -(-max(0, len(text.encode("utf-8", "replace")) - dense) // CHARACTERS_A_TOKEN)

    def complete(
        self, messages: Sequence[Message], sampling: Sampling, deadline: CallDeadline, schema: Schema | None = None
    ) -> Completion:
        """As `LanguageModel.complete`; the server holds the answer to the schema where it can."""
        return self._start(messages, sampling, deadline, schema, "whole").completion()

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, deadline: CallDeadline, schema: Schema | None = None
    ) -> Iterator[str]:
        """As `LanguageModel.stream`."""
        yield from self._start(messages, sampling, deadline, schema, "pieces").whole_pieces(sampling)

    def close(self) -> None:
        """Closes all connections; a call that runs, and each later one, ends with `ModelCancelled`."""
        self._server.close()

    def _start(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        deadline: CallDeadline,
        schema: Schema | None,
        wanted: Literal["whole", "pieces"],
    ) -> RunningAnswer:
        answer = RunningAnswer(self.name, deadline)

        async def work() -> None:
            try:
                await self._learn_context(deadline)
                self._check_room(messages, sampling)
                ending = await self._ask(_request(self.name, messages, sampling, schema, wanted), deadline, answer)
                self._check_read(messages, sampling, ending)
                answer.end(ending)
            except RequestRefused as refused:
                answer.end(self._told(refused, messages, sampling))
            except Exception as error:  # every one belongs to the thread that waits
                answer.end(error)

        def told(call: Future[None]) -> None:
            # Work that is cancelled before its first step could not tell it itself.
            if call.cancelled():
                answer.end(ModelCancelled(model=self.name))

        call = self._server.start(work())
        call.add_done_callback(told)
        answer.when_stopped = call.cancel
        return answer

    async def _ask(self, request: dict[str, Any], deadline: CallDeadline, answer: RunningAnswer) -> Ending:
        """Asks, leaving out what the server turns out not to take.

        Raises:
            RequestRefused: it does not take the rest either.
            ModelError: as `ModelServer.ask`.
        """
        not_taken = self._not_taken
        while True:
            try:
                ending = await self._ask_once(_without(request, not_taken), deadline, answer)
            except RequestRefused as refused:
                missing = refused.param
                if missing not in ADAPTABLE and refused.status in (400, 422, 501) and not _is_too_long(refused):
                    # Many servers refuse a schema without a word about which parameter it was.
                    missing = "response_format"
                if missing not in request or missing in not_taken or missing not in ADAPTABLE:
                    raise
                not_taken |= {missing}
                continue
            self._not_taken = not_taken
            return ending

    async def _ask_once(self, request: dict[str, Any], deadline: CallDeadline, answer: RunningAnswer) -> Ending:
        async def read(response: httpx2.Response) -> Ending:
            if request.get("stream"):
                return await self._read_events(response, request, answer)
            return self._read_whole(await self._server.whole_body(response), request, answer)

        return await self._server.ask(
            "POST", "/chat/completions", request, deadline, read, may_repeat=lambda: not answer.began
        )

    def _read_whole(self, body: bytes, request: dict[str, Any], answer: RunningAnswer) -> Ending:
        try:
            told = _Answer.model_validate_json(body)
        except ValidationError:
            raise self._server.broken("it is no chat completion in JSON") from None
        words = told.choices[0].message
        finish = _finish(told.choices[0].finish_reason, words.refusal)
        if words.content is None and finish == "stop":
            raise self._server.broken("it holds no text")
        text = words.content or ""
        answer.put(text)
        return Ending(finish, self._tokens(told.usage, request, len(text.encode("utf-8", "replace"))))

    async def _read_events(self, response: httpx2.Response, request: dict[str, Any], answer: RunningAnswer) -> Ending:
        from httpx2 import EventSource, SSEError

        finish: Finish | None = None
        usage: _Usage | None = None
        length = 0
        try:
            async for event in EventSource(response):
                if event.data == DONE:
                    break
                chunk = _Chunk.model_validate_json(event.data)
                usage = chunk.usage or usage
                for step in chunk.choices:
                    if step.delta.content:
                        length += len(step.delta.content.encode("utf-8", "replace"))
                        answer.put(step.delta.content)
                    if step.finish_reason or step.delta.refusal:
                        finish = _finish(step.finish_reason, step.delta.refusal)
                if length > BODY_BYTES:
                    raise self._server.broken(f"it has more than {BODY_BYTES} bytes")
        except (ValidationError, SSEError):
            raise self._server.broken("it is no stream of a chat completion") from None
        if finish is None:
            raise self._server.broken("its stream ends before the answer does")
        return Ending(finish, self._tokens(usage, request, length))

    def _tokens(self, usage: _Usage | None, request: dict[str, Any], completion_bytes: int) -> TokenCount:
        if usage is not None:
            return TokenCount(usage.prompt_tokens, usage.completion_tokens)
        prompt = sum(self.count_tokens(message["content"]) + MESSAGE_TOKENS for message in request["messages"])
        return TokenCount(prompt, -(-completion_bytes // CHARACTERS_A_TOKEN), estimated=True)

    async def _learn_context(self, deadline: CallDeadline) -> None:
        """Asks once how much the model reads; servers that do not tell, or do not know the question, are left alone."""
        if self._asked_for_context:
            return
        self._asked_for_context = True
        try:
            async with asyncio.timeout(CONTEXT_SECONDS):
                body = await self._server.ask("GET", "/models", None, deadline, self._server.whole_body, attempts=1)
            listed = _ListedModels.model_validate_json(body).data
        except (CausetrailError, RequestRefused, ValidationError, TimeoutError):
            return
        for model in listed:
            told = model.max_model_len or (model.meta.n_ctx if model.meta else None)
            if told and (model.id == self.name or len(listed) == 1):
                self.context_tokens = min(self.context_tokens, told)

    def _check_room(self, messages: Sequence[Message], sampling: Sampling) -> None:
        """Refuses what surely does not fit; what is near the limit the server judges.

        Raises:
            PromptTooLong: it does not fit.
        """
        least = sum(_letters(message.text) for message in messages) // (2 * CHARACTERS_A_TOKEN)
        if least + sampling.max_tokens > self.context_tokens:
            error = self._too_long(least, sampling)
            error.asked = False
            raise error

    def _check_read(self, messages: Sequence[Message], sampling: Sampling, ending: Ending) -> None:
        """Some servers cut a long prompt and answer as if nothing were amiss; their count of its tokens tells.

        Raises:
            PromptTooLong: the server has read far less than it was sent.
        """
        least = sum(_letters(message.text) for message in messages) // BYTES_OF_LONG_TOKENS
        if not ending.tokens.estimated and least > max(LONG_PROMPT, ending.tokens.prompt):
            raise self._too_long(least, sampling, ending.tokens.prompt)

    def _told(self, refused: RequestRefused, messages: Sequence[Message], sampling: Sampling) -> CausetrailError:
        if _is_too_long(refused):
            return self._too_long(sum(self.count_tokens(message.text) for message in messages), sampling)
        return refused.error

    def _too_long(self, tokens: int, sampling: Sampling, limit: int | None = None) -> PromptTooLong:
        return PromptTooLong(
            tokens=f"about {tokens}",
            reserved=sampling.max_tokens,
            model=self.name,
            limit=self.context_tokens if limit is None else limit,
        )


def _request(
    model: str,
    messages: Sequence[Message],
    sampling: Sampling,
    schema: Schema | None,
    wanted: Literal["whole", "pieces"],
) -> dict[str, Any]:
    request: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": message.text} for message in messages],
        "max_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
    }
    if sampling.seed is not None:
        request["seed"] = sampling.seed
    if schema is not None:
        form = {"name": "answer", "strict": True, "schema": dict(schema)}
        request["response_format"] = {"type": "json_schema", "json_schema": form}
    if wanted == "pieces":
        request |= {"stream": True, "stream_options": {"include_usage": True}}
    return request


def _without(request: dict[str, Any], not_taken: frozenset[str]) -> dict[str, Any]:
    """The request without what the server does not take; the limit of tokens has a second name, and is always told."""
    left = {key: value for key, value in request.items() if key not in not_taken}
    if "max_tokens" in not_taken:
        left["max_completion_tokens"] = request["max_tokens"]
    return left


def _finish(reason: str | None, refusal: str | None) -> Finish:
    if refusal or reason == "content_filter":
        return "refusal"
    return "length" if reason == "length" else "stop"


def _is_too_long(refused: RequestRefused) -> bool:
    return bool({refused.code, refused.kind} & TOO_LONG) or TOO_LONG_SAID in refused.said.lower()


def _is_dense(word: str) -> bool:
    """Whether each byte of a word may be a token: figures, codes, and what is not in plain letters."""
    return not word.isascii() or any(letter.isdigit() for letter in word)


def _letters(text: str) -> int:
    """Bytes of a text without its white space, of which one token may hold any number."""
    return sum(len(word.encode("utf-8", "replace")) for word in text.split())
