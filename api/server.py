"""Serves the HTTP door from one process."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from api.guard import is_loopback
from causetrail.errors import AddressRefused, PortTaken

if TYPE_CHECKING:
    from causetrail.facade import Causetrail

DRAIN_SECONDS = 10
"""How long requests that are being answered may take to finish when the server is told to stop."""


def listen(host: str, port: int, key: str | None) -> socket.socket:
    """A socket that listens, made before anything is loaded so that a refusal comes at once.

    Raises:
        AddressRefused: an address that other machines reach, and no key.
        PortTaken: the address is not this machine's, or the port is in use.
    """
    if key is None and not is_loopback(host):
        raise AddressRefused(host=host)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise PortTaken(host=host, port=port) from None
    return listener


def serve(trail: Causetrail, listener: socket.socket) -> None:
    """Answers requests until the process is told to stop."""
    import uvicorn

    from api.http import create_app

    config = uvicorn.Config(
        create_app(trail),
        log_level=trail.settings.log_level,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        server_header=False,
        access_log=False,
    )
    uvicorn.Server(config).run(sockets=[listener])
