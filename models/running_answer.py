"""An answer that one thread makes and another waits for, piece by piece, no longer than it wants to."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from causetrail.errors import ModelRefused, OutputCut
from models.call_deadline import LOOK_SECONDS, CallDeadline
from models.language_model import Completion, Finish, Sampling, TokenCount


@dataclass(frozen=True)
class Ending:
    """What is known when the last piece is there."""

    finish: Finish
    tokens: TokenCount


class RunningAnswer:
    """Pieces on their way from the work that makes them to the one caller that reads them.

    The caller never waits for the work itself: when its deadline is over it leaves, and the work is told to stop.
    """

    def __init__(self, name: str, deadline: CallDeadline) -> None:
        """Holds nothing yet.

        Args:
            name: Of the model, for messages.
            deadline: Of the caller.
        """
        self._name = name
        self._deadline = deadline
        self._arrived: queue.SimpleQueue[str | Ending | BaseException] = queue.SimpleQueue()
        self._begin = time.monotonic()
        self._ending: Ending | None = None
        self.stopped = threading.Event()
        """Set when nobody waits any more; the work looks at it as often as it can."""
        self.when_stopped: Callable[[], object] = lambda: None
        """Called, in the caller's thread, when nobody waits any more."""
        self.began = False
        """Whether the work has handed a piece over."""

    def put(self, piece: str) -> None:
        """Hands a piece over; called by the work."""
        self.began = True
        self._arrived.put(piece)

    def end(self, ending: Ending | BaseException) -> None:
        """Hands over what ended the work: its ending, or the error that the caller shall see."""
        self._arrived.put(ending)

    def pieces(self) -> Iterator[str]:
        """The pieces as they arrive.

        Raises:
            ModelSlow, ModelCancelled: the deadline ended it.
            ModelError: what the work gave up with.
        """
        try:
            while True:
                self._deadline.check(self._name)
                try:
                    arrived = self._arrived.get(timeout=min(LOOK_SECONDS, self._deadline.left() or LOOK_SECONDS))
                except queue.Empty:
                    continue
                if isinstance(arrived, BaseException):
                    raise arrived
                if isinstance(arrived, Ending):
                    self._ending = arrived
                    return
                yield arrived
        finally:
            self.stopped.set()
            self.when_stopped()

    def completion(self) -> Completion:
        """All pieces together.

        Raises:
            As `pieces`.
        """
        text = "".join(self.pieces())
        assert self._ending is not None  # noqa: S101 - pieces() ends with it or raises
        return Completion(text, self._ending.tokens, time.monotonic() - self._begin, self._ending.finish)

    def whole_pieces(self, sampling: Sampling) -> Iterator[str]:
        """The pieces, for a reader that sees nothing but them: an answer that is no whole one ends with an error.

        Raises:
            OutputCut: the limit of tokens ended it.
            ModelRefused: the model does not want to answer.
            ModelError: as `pieces`.
        """
        yield from self.pieces()
        finish = self._ending.finish if self._ending else "stop"
        if finish == "length":
            raise OutputCut(model=self._name, kind="answer", limit=sampling.max_tokens)
        if finish == "refusal":
            raise ModelRefused(model=self._name)


def run_in_thread(answer: RunningAnswer, work: Callable[[RunningAnswer], Ending]) -> threading.Thread:
    """Starts work that puts pieces into an answer, in a thread of its own; whatever it raises reaches the reader."""

    def run() -> None:
        try:
            answer.end(work(answer))
        except BaseException as error:  # every one belongs to the thread that waits
            answer.end(error)

    thread = threading.Thread(target=run, name="language-model", daemon=True)
    thread.start()
    return thread
