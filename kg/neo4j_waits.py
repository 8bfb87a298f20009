"""An end to waiting for a server that says nothing: the driver itself waits for minutes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class NoAnswerError(Exception):
    """The work was not done in time."""


def bounded(work: Callable[[], T], seconds: float) -> T:
    """What the work gives or raises, if it is done in time.

    Work that is late goes on in its thread until the server answers or the driver gives the connection up; the system
    ends that thread with the process.

    Args:
        seconds: Longest time that the caller waits.

    Raises:
        NoAnswerError: the work is late.
    """
    given: list[T] = []
    raised: list[BaseException] = []
    done = threading.Event()

    def do() -> None:
        try:
            given.append(work())
        except BaseException as error:
            raised.append(error)
        finally:
            done.set()

    threading.Thread(target=do, name="bounded-read", daemon=True).start()
    if not done.wait(seconds):
        raise NoAnswerError
    if raised:
        raise raised[0]
    return given[0]
