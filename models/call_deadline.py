"""How long one call of a language model may take, and whether it is still wanted."""

from __future__ import annotations

import copy
import threading
import time

from causetrail.errors import LanguageModelError, ModelCancelled, ModelSlow

LOOK_SECONDS = 0.05
"""How often whoever waits looks whether the call was cancelled."""


class CallDeadline:
    """A moment on the monotonic clock, and an event by which another thread gives the call up."""

    def __init__(self, seconds: float, cancelled: threading.Event | None = None) -> None:
        """Starts now and ends `seconds` later, or when `cancelled` is set."""
        self.seconds = seconds
        self._cancelled: tuple[threading.Event, ...] = (cancelled,) if cancelled is not None else ()
        self._end = time.monotonic() + seconds

    def or_when(self, cancelled: threading.Event) -> CallDeadline:
        """The same moment, for a call that this event gives up too."""
        deadline = copy.copy(self)
        deadline._cancelled = (*self._cancelled, cancelled)
        return deadline

    def left(self) -> float:
        """Seconds that are left, never less than 0."""
        return max(0.0, self._end - time.monotonic())

    def check(self, model: str) -> None:
        """Gives up when the time is used up or the call is not wanted any more.

        Args:
            model: Name for messages.

        Raises:
            ModelSlow: the time is used up.
            ModelCancelled: the call was given up.
        """
        if any(cancelled.is_set() for cancelled in self._cancelled):
            raise ModelCancelled(model=model)
        if not self.left():
            raise ModelSlow(model=model, seconds=round(self.seconds, 1))

    def acquire(self, turn: threading.Semaphore, model: str) -> None:
        """Waits for a turn; whoever gets it releases it.

        Raises:
            ModelSlow, ModelCancelled: as `check`; the turn was not taken then.
        """
        try:
            self.check(model)
            while not turn.acquire(timeout=min(LOOK_SECONDS, self.left() or LOOK_SECONDS)):
                self.check(model)
        except LanguageModelError as error:
            error.asked = False
            raise
