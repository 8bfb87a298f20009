"""Calls of one language model side by side: as many at once as it bears, and none begun after one has failed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import count
from typing import TypeVar

from causetrail.errors import ModelCancelled

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


def ask_side_by_side(
    ask: Callable[[Asked, threading.Event], Answered],
    each: Sequence[Asked],
    concurrency: int,
    model: str,
    given_up: threading.Event | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Answered]:
    """Asks for each, and gives the answers in their order.

    When one call fails, those that run are paid for and end; no other is begun. When the thread that waits is
    interrupted, those that run are given up too.

    Args:
        ask: Makes one call; its deadline ends when the event is set.
        each: What is asked.
        concurrency: Calls at once.
        model: Name for messages.
        given_up: The event that gives the running calls up, where they know one already; else one is made.
        progress: Called with how many are answered, and how many are asked, by one thread at a time.

    Raises:
        ModelError: the first of the calls that failed by themselves, as `ask` raised it.
    """
    if not each:
        return []
    stopping = threading.Event()
    telling, done = threading.Lock(), count(1)
    given_up = given_up or threading.Event()

    def one(asked: Asked) -> Answered:
        if stopping.is_set():
            raise ModelCancelled(model=model)
        try:
            answered = ask(asked, given_up)
            if progress is not None:
                with telling:
                    progress(next(done), len(each))
        except BaseException:
            stopping.set()
            raise
        return answered

    with ThreadPoolExecutor(min(concurrency, len(each)), thread_name_prefix="llm") as pool:
        try:
            calls = [pool.submit(one, asked) for asked in each]
            wait(calls)
        except BaseException:
            # Nobody reads the answers any more, and the pool is not left before the last call has ended.
            stopping.set()
            given_up.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    errors = [error for error in (call.exception() for call in calls) if error is not None]
    if errors:
        raise next((error for error in errors if not isinstance(error, ModelCancelled)), errors[0])
    return [call.result() for call in calls]
