"""What every request must pass before a route sees it: the name it was sent for, the key, and its size."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from api.problems import problem
from causetrail.errors import CausetrailError, HostRefused, KeyRefused, RequestTooLarge

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

KEY_HEADER = "X-API-Key"
OPEN_PATHS = frozenset({"/healthz", "/readyz"})
"""Addresses that answer without a key: they tell nothing of the documents."""


def is_loopback(host: str) -> bool:
    """Whether an address or a name can be reached from this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Guard:
    """Refuses requests before they are read.

    Without a key, only requests that were sent for a loopback name pass, and none that a page of another origin sent:
    otherwise any web page could reach the server through the browser (DNS rebinding, cross-site requests).

    Attributes:
        app: What is guarded.
        key: The key that requests must carry; none asks for none.
        limit: Largest request body in bytes.
    """

    app: ASGIApp
    key: str | None
    limit: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await problem(refusal)(scope, receive, send)
            return
        body = _Limited(receive, self.limit)
        try:
            await self.app(scope, body.receive, send)
        except _TooLargeError:
            await problem(RequestTooLarge(limit=self.limit))(scope, receive, send)

    def _refusal(self, scope: Scope) -> CausetrailError | None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if self.key is None:
            host = headers.get("host", "")
            if not is_loopback(_host_of(f"//{host}")):
                return HostRefused(host=host or "no name")
            origin = headers.get("origin")
            if origin is not None and origin.partition("://")[2] != host:
                return HostRefused(host=f"{host} by a page of {origin}")
        elif scope["path"] not in OPEN_PATHS:
            given = headers.get(KEY_HEADER.lower(), "")
            if not secrets.compare_digest(given.encode("latin-1"), self.key.encode("utf-8")):
                return KeyRefused()
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self.limit:
            return RequestTooLarge(limit=self.limit)
        return None


def _host_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


class _TooLargeError(Exception):
    """A body grew beyond the limit while it was read."""


@dataclass(slots=True)
class _Limited:
    """Counts the bytes of a body that comes in pieces."""

    inner: Receive
    limit: int
    read: int = 0

    async def receive(self) -> Message:
        """The next piece."""
        message = await self.inner()
        self.read += len(message.get("body", b""))
        if self.read > self.limit:
            raise _TooLargeError
        return message
