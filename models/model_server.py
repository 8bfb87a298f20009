"""Requests to an OpenAI-compatible server: its address and key, what is worth asking again, and its faults as ours.

Neither redirects nor variables of the environment decide where documents and the key go: only the address does.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import ipaddress
import json
import math
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

from causetrail.errors import (
    CausetrailError,
    ExtraMissing,
    ModelAnswerBroken,
    ModelCancelled,
    ModelKeyRefused,
    ModelRequestRefused,
    ModelServerBusy,
    ModelServerFailed,
    ModelServerLost,
    SettingInvalid,
)
from models.call_deadline import CallDeadline

if TYPE_CHECKING:
    import httpx2

Read = TypeVar("Read")

ATTEMPTS: Final = 4
FIRST_WAIT: Final = 0.5
"""Seconds before the second attempt; each later wait is twice as long, unless the server names another."""
CONNECT_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 5.0
"""How long closing waits for calls and connections to end; what holds out longer is left behind."""
BODY_BYTES: Final = 16_000_000
"""Largest answer that is read: far more than any model writes."""
WORTH_ANOTHER_TRY: Final = frozenset({408, 409, 429})
"""Statuses besides those from 500 on that may be gone a moment later."""
QUOTA_SPENT: Final = "insufficient_quota"
"""Code of a 429 that no waiting mends."""


class RequestRefused(Exception):
    """The server does not take a request as it stands; `error` is what a user sees if nobody can put it differently."""

    def __init__(self, status: int, told: Mapping[str, Any], error: CausetrailError) -> None:
        super().__init__(str(status))
        self.status = status
        self.code = str(told.get("code"))
        self.kind = str(told.get("type"))
        self.said = str(told.get("message"))
        """What it tells people."""
        self.param = str(told.get("param"))
        """The parameter that the server does not take, where it says so."""
        self.error = error


@dataclass(frozen=True)
class _Fault:
    """Why one attempt gave nothing."""

    error: CausetrailError
    again: bool
    wait: float | None = None
    """Seconds that the server asks to wait, where it does."""


class ModelServer:
    """One server, as seen by one model name; safe to use from several threads, on an event loop of its own."""

    def __init__(self, base_url: str, key: str | None, model: str) -> None:
        """Connects to nothing yet.

        Args:
            base_url: Up to and with `/v1`.
            key: Sent to that address alone.
            model: Name for messages.

        Raises:
            SettingInvalid: the address is none, or holds a password; the key cannot be sent.
            ExtraMissing: the HTTP library is not installed.
        """
        self.address = _checked_address(base_url)
        self._headers = {"Accept-Encoding": "identity", "User-Agent": "causetrail"}
        if key is not None:
            if not (key.isascii() and key.isprintable() and " " not in key):
                raise SettingInvalid(
                    name="llm_key", value="what was given", reason="it holds characters no key may hold"
                )
            self._headers["Authorization"] = f"Bearer {key}"
        self._model = model
        try:
            import httpx2
        except ImportError:
            raise ExtraMissing(feature=f"The language model openai:{model}", extra="llm") from None
        self._http = httpx2
        try:
            httpx2.URL(self.address)
        except httpx2.InvalidURL:
            raise _no_address(base_url) from None
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self._client: httpx2.AsyncClient | None = None

    def start(self, work: Coroutine[object, object, None]) -> concurrent.futures.Future[None]:
        """Runs a coroutine on the loop of this server; cancelling the future closes its connection.

        Raises:
            ModelCancelled: the server was closed; nothing of the work was done.
        """
        with self._lock:
            if self._closed:
                work.close()
                raise ModelCancelled(model=self._model)
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_run, args=(self._loop,), name="model-server", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Closes all connections and the loop; what still waits is cancelled, and what comes later refused."""
        with self._lock:
            self._closed = True
            loop, self._loop = self._loop, None
            thread, self._thread = self._thread, None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._end(loop), loop)
        thread.join(2 * CLOSE_SECONDS)

    async def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        """Ends what runs on the loop, then the loop itself, whether or not all of it lets itself be ended."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                others = asyncio.all_tasks() - {asyncio.current_task()}
                for task in others:
                    task.cancel()
                if others:
                    # Unlike a gathering, it can be left while one of them holds out.
                    await asyncio.wait(others)
                if self._client is not None:
                    await self._client.aclose()
                await loop.shutdown_asyncgens()
        except TimeoutError:
            pass
        finally:
            self._client = None
            loop.stop()

    async def ask(
        self,
        method: str,
        path: str,
        body: object,
        deadline: CallDeadline,
        read: Callable[[httpx2.Response], Awaitable[Read]],
        may_repeat: Callable[[], bool] = lambda: True,
        attempts: int = ATTEMPTS,
    ) -> Read:
        """Asks until the server answers, within the deadline and a few attempts.

        Args:
            method, path, body: The request; the path comes behind the address, the body is sent as JSON.
            deadline: No wait goes beyond it.
            read: Makes the result of an answer that is no fault.
            may_repeat: Whether what `read` has done so far allows another attempt.
            attempts: Most of them.

        Raises:
            RequestRefused: the server does not take it, now or later.
            ModelServerLost, ModelServerFailed, ModelServerBusy, ModelKeyRefused, ModelAnswerBroken,
            ModelRequestRefused: what the last attempt met.
        """
        for attempt in range(1, attempts + 1):
            try:
                async with self._open().stream(method, f"{self.address}{path}", json=body) as response:
                    if response.is_success:
                        return await read(response)
                    fault = self._fault_of(response, await _error_body(response), attempt)
            except self._http.TransportError as error:
                fault = _Fault(self._lost(error), again=may_repeat())
            except self._http.RequestError:
                raise self.broken("its content is not encoded as it says") from None
            wait = fault.wait if fault.wait is not None else FIRST_WAIT * 2 ** (attempt - 1)
            if not fault.again or attempt == attempts or wait >= deadline.left():
                break
            await asyncio.sleep(wait)
        raise fault.error

    def broken(self, reason: str) -> ModelAnswerBroken:
        """The error for an answer that is none."""
        return ModelAnswerBroken(address=self.address, reason=reason)

    async def whole_body(self, response: httpx2.Response) -> bytes:
        """The body of an answer.

        Raises:
            ModelAnswerBroken: it is larger than any answer.
        """
        body = bytearray()
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > BODY_BYTES:
                raise self.broken(f"it has more than {BODY_BYTES} bytes")
        return bytes(body)

    def _open(self) -> httpx2.AsyncClient:
        """The client, made where it is used: its connections belong to the loop."""
        if self._client is None:
            self._client = self._http.AsyncClient(
                headers=self._headers,
                timeout=self._http.Timeout(None, connect=CONNECT_SECONDS),
                follow_redirects=False,
                # A proxy for the outside has no business with a server on this machine.
                trust_env=not _is_loopback(urlsplit(self.address).hostname or ""),
            )
        return self._client

    def _lost(self, error: httpx2.TransportError) -> CausetrailError:
        if isinstance(error, self._http.ConnectTimeout):
            reason = f"no connection came about within {CONNECT_SECONDS:g} seconds"
        elif isinstance(error, self._http.ConnectError):
            reason = "there is no connection to it"
        elif isinstance(error, self._http.UnsupportedProtocol | self._http.ProxyError):
            reason = "the proxy that the environment names does not reach it"
        else:
            reason = "it broke off in the middle of its answer"
        return ModelServerLost(address=self.address, reason=reason)

    def _fault_of(self, response: httpx2.Response, told: Mapping[str, Any], attempt: int) -> _Fault:
        """What an answer that is a fault means.

        Raises:
            RequestRefused: another attempt with the same request is useless.
        """
        status = response.status_code
        if status == 429:
            wait = _retry_after(response.headers.get("Retry-After"))
            spent = told.get("code") == QUOTA_SPENT
            asked = (
                ": the quota of its key is spent" if spent else f"; it asks to wait {wait:g} seconds" if wait else ""
            )
            return _Fault(ModelServerBusy(address=self.address, wait=asked), again=not spent, wait=wait)
        if status in WORTH_ANOTHER_TRY or status >= 500:
            error = ModelServerFailed(address=self.address, status=status, attempts=attempt)
            return _Fault(error, again=True, wait=_retry_after(response.headers.get("Retry-After")))
        if status in (401, 403):
            return _Fault(ModelKeyRefused(address=self.address, status=status, model=self._model), again=False)
        if response.is_redirect:
            reason = f"it answers with status {status}, to ask at another address, and neither key nor text goes there"
        else:
            reason = f"it answers with status {status}"
        refused = ModelRequestRefused(address=self.address, model=self._model, reason=reason)
        raise RequestRefused(status, told, refused)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    """Runs a loop until it is stopped, and gives its file descriptors back."""
    try:
        loop.run_forever()
    finally:
        loop.close()


async def _error_body(response: httpx2.Response) -> Mapping[str, Any]:
    """The object `error` of an answer that is a fault, as far as it has one."""
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > BODY_BYTES:
            return {}
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    error = told.get("error", told) if isinstance(told, dict) else {}
    return error if isinstance(error, dict) else {}


def _retry_after(header: str | None) -> float | None:
    """Seconds that a server asks to wait, told as a number or as a date; none where it is neither."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _checked_address(base_url: str) -> str:
    """The address without a slash at its end.

    Raises:
        SettingInvalid: it is none, or holds what belongs elsewhere.
    """
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        raise SettingInvalid(name="llm_base_url", value="what was given", reason="it is no address") from None
    if "@" in parts.netloc:
        # Not repeated: what stands before the @ may be a password.
        raise SettingInvalid(
            name="llm_base_url", value="what was given", reason="user and password belong into CAUSETRAIL_LLM_KEY"
        )
    if not usable or parts.query or parts.fragment or any(letter.isspace() for letter in base_url):
        raise _no_address(base_url)
    return base_url.rstrip("/")


def _no_address(base_url: str) -> SettingInvalid:
    return SettingInvalid(
        name="llm_base_url", value=repr(base_url), reason="it must look like http://127.0.0.1:11434/v1"
    )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
