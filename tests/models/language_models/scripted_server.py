"""A real HTTP server that answers as a script says: for the faults that a working server never has."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Act = Callable[[BaseHTTPRequestHandler, threading.Event], None]
"""What the server does with one request; the event is set when the test is over."""


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Any


class ScriptedServer:
    """Takes each POST as the next act of the script; the last act is repeated. Any GET is answered with 404."""

    def __init__(self) -> None:
        self.script: list[Act] = []
        self.asked: list[Asked] = []
        self.over = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                outer.asked_for.append(self.path)
                reply(404, {})(self, outer.over)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.asked = Asked(self.path, dict(self.headers), body)
                outer.asked.append(self.asked)
                act = outer.script[min(len(outer.asked), len(outer.script)) - 1]
                with contextlib.suppress(OSError):
                    act(self, outer.over)

            def log_message(self, *args: object) -> None:
                """Says nothing."""

        self.asked_for: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()


def reply(status: int, body: object, **headers: str) -> Act:
    """A whole answer; a body that is no text is sent as JSON."""

    def act(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(content)

    return act


def says(text: str | None, finish: str = "stop", refusal: str | None = None, prompt_tokens: int = 10) -> Act:
    """A completion as it should be."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": 5, "total_tokens": prompt_tokens + 5}
    return reply(200, {"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage})


def asked_of(handler: BaseHTTPRequestHandler) -> Asked:
    """The request that an act answers."""
    asked: Asked = handler.asked  # type: ignore[attr-defined]
    return asked


def silent(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    """Takes the request and never answers."""
    over.wait(30)


def half(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    """Announces an answer, sends half of it and closes."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [{"message": {"content": "The gau')
    handler.close_connection = True


def reset(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    """Breaks the connection off."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def events(*chunks: object, then: str = "close") -> Act:
    """A stream of events, with `[DONE]` at its end, without, or over and over again."""

    def act(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        while True:
            for chunk in chunks:
                handler.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            if then != "again":
                break
            if over.wait(0.01):
                return
        if then == "done":
            handler.wfile.write(b"data: [DONE]\n\n")

    return act


def step(text: str | None = None, finish: str | None = None) -> dict[str, object]:
    """One event of a stream."""
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


def endless(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    """A body that never ends."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.close_connection = True
    handler.wfile.write(b'{"choices": [{"message": {"content": "')
    while not over.wait(0.001):
        handler.wfile.write(b"and so on " * 100)
