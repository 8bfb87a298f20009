"""The time that one question may take."""

from __future__ import annotations

import time
from collections.abc import Callable

from causetrail.errors import DeadlinePassed


class Deadline:
    """A moment on the monotonic clock, asked by everything that can be slow.

    Work that has a partial result stops with it when the deadline has passed (`passed`); work that has none gives up
    (`check`).
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Starts now and ends `seconds` later on `clock`, which counts seconds."""
        self.seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    def passed(self) -> bool:
        """Whether the time is used up."""
        return self._clock() >= self._end

    def left(self) -> float:
        """Seconds that are left, never less than 0."""
        return max(0.0, self._end - self._clock())

    def check(self) -> None:
        """Gives up when the time is used up.

        Raises:
            DeadlinePassed: it is.
        """
        if self.passed():
            raise DeadlinePassed(seconds=self.seconds)
