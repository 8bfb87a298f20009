"""How long a writer waits for its turn: the server limits whole transactions, and no wait for a lock."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from neo4j import exceptions

from causetrail.errors import StoreLocked

TURN = "causetrail_turn"
"""Key of a transaction's metadata that holds the mark it leaves."""

STOP_WAITING = f"""
SHOW TRANSACTIONS YIELD transactionId AS id, metaData, status
WHERE metaData.{TURN} = $mark AND status STARTS WITH 'Blocked'
TERMINATE TRANSACTIONS id YIELD message
RETURN message
"""
"""Ends the transaction of a mark if it waits for a lock; one that works is left alone."""

POLL_SECONDS = 0.1
IDLE_POLLS = 50
"""After so many looks at nobody waiting the thread ends."""

_ENDED_CODES = (
    "Neo.ClientError.Transaction.LockClientStopped",
    "Neo.TransientError.Transaction.LockClientStopped",
    "Neo.TransientError.Transaction.LockAcquisitionTimeout",
    "Neo.ClientError.Transaction.Terminated",
    "Neo.TransientError.Transaction.Terminated",
    "Neo.ClientError.Transaction.TransactionTimedOut",
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
)


class TurnWatch:
    """One thread that ends waits which last too long; it runs only while somebody waits now and then.

    A thread for each wait would cost a small commit some percent of its time.
    """

    def __init__(self, place: str, seconds: float, stop: Callable[[str], object]) -> None:
        """Nothing is started yet.

        Args:
            place: What messages call the store.
            seconds: Longest wait.
            stop: Ends the wait of the transaction with this mark, if it still waits.
        """
        self._place = place
        self._seconds = seconds
        self._stop = stop
        self._lock = threading.Lock()
        self._ends: dict[str, float] = {}
        self._runs = False

    @contextlib.contextmanager
    def waiting(self, mark: str) -> Iterator[None]:
        """Inside, the calling thread waits for its turn, in a transaction whose metadata hold the mark.

        Raises:
            StoreLocked: the turn did not come in time.
        """
        begin = time.monotonic()
        with self._lock:
            self._ends[mark] = begin + self._seconds
            if not self._runs:
                self._runs = True
                threading.Thread(target=self._watch, name="causetrail-turns", daemon=True).start()
        try:
            yield
        except exceptions.Neo4jError as error:
            if error.code in _ENDED_CODES:
                raise StoreLocked(path=self._place, seconds=f"{time.monotonic() - begin:.3g}") from error
            raise
        finally:
            with self._lock:
                del self._ends[mark]

    def _watch(self) -> None:
        idle = 0
        while True:
            time.sleep(POLL_SECONDS)
            with self._lock:
                idle = 0 if self._ends else idle + 1
                if idle > IDLE_POLLS:
                    self._runs = False
                    return
                now = time.monotonic()
                late = [mark for mark, end in self._ends.items() if end <= now]
            for mark in late:
                # A server that is gone ends the wait by itself.
                with contextlib.suppress(Exception):
                    self._stop(mark)
