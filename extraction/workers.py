"""Reads documents, in this process or in several, so that one that kills its process costs only itself.

Worker processes are started afresh (spawn). Each holds the reading end of a pipe whose writing end only the main
process has: when that end closes, because the work is over, was interrupted or the main process was killed, they exit.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Final, Protocol

from causetrail.errors import CausetrailError, DocumentAborted, LanguageModelError
from extraction.loading.load import Loaded
from kg.store import Bundle, Source

_LOG: Final = logging.getLogger(__name__)
_LOOK_AHEAD: Final = 2
"""Documents that wait for each worker: enough to keep it busy, few enough to hold in memory."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of a document: a bundle, or the error that only this document met."""

    source: Source
    bundle: Bundle | None
    error: CausetrailError | None
    seconds: Mapping[str, float]


class Extractor(Protocol):
    """What a worker runs: `extraction.extractor.DocumentExtractor`."""

    def extract(self, loaded: Loaded, collection: str) -> tuple[Bundle, Mapping[str, float]]: ...


MakeExtractor = Callable[[], Extractor]
"""Makes an extractor in the process that runs it; picklable where there are several."""


def read_all(
    documents: Iterable[Loaded], collection: str, make: MakeExtractor, jobs: int
) -> Generator[Reading, None, None]:
    """Reads all documents; the readings come in the order in which they are done.

    Args:
        documents: Taken one by one as there is room for them, in the thread that iterates.
        collection: Collection of the records; an extractor serves all collections.
        make: Called once in each process, when its first document arrives, unless the last reading in this process
            left an extractor of an equal maker.
        jobs: Number of processes; with 1, this process reads.

    Raises:
        ModelError: an extractor cannot be made.
        LanguageModelError: the language model that reads claims cannot go on; the document that it read is not done.
    """
    if jobs == 1:
        return _read_here(documents, collection, make)
    return _read_in_processes(documents, collection, make, jobs)


def _read_here(documents: Iterable[Loaded], collection: str, make: MakeExtractor) -> Generator[Reading, None, None]:
    extractor: Extractor | None = None
    try:
        for loaded in documents:
            extractor = extractor or _KEPT.take(make) or make()
            yield _read(extractor, loaded, collection)
    finally:
        if extractor is not None:
            _KEPT.leave(make, extractor)


class _Kept:
    """The extractor that the last reading in this process left: to load one takes longer than to read a page."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._left: tuple[MakeExtractor, Extractor] | None = None

    def take(self, make: MakeExtractor) -> Extractor | None:
        """What was left of the same kind, for one reader alone; none when there is none."""
        with self._lock:
            if self._left is None or self._left[0] != make:
                return None
            extractor, self._left = self._left[1], None
            return extractor

    def leave(self, make: MakeExtractor, extractor: Extractor) -> None:
        """Keeps an extractor for the next one, in place of what was kept."""
        with self._lock:
            self._left = make, extractor


_KEPT: Final = _Kept()


def _read(extractor: Extractor, loaded: Loaded, collection: str) -> Reading:
    source = loaded.source
    try:
        bundle, seconds = extractor.extract(loaded, collection)
    except LanguageModelError:
        # The next document would meet it too, and wait for it, or pay.
        raise
    except CausetrailError as error:
        return Reading(source, None, error, {})
    except Exception as error:  # whatever one document does, the others still go in
        _LOG.debug("reading %s failed", source.name, exc_info=True)
        reason = f"an internal error ({type(error).__name__})"
        return Reading(source, None, DocumentAborted(source=source.name, reason=reason), {})
    return Reading(source, bundle, None, seconds)


def _read_in_processes(
    documents: Iterable[Loaded], collection: str, make: MakeExtractor, jobs: int
) -> Generator[Reading, None, None]:
    waiting = iter(documents)
    running: dict[Future[Reading], Loaded] = {}
    suspects: deque[Loaded] = deque()
    exhausted = False
    pool = _Pool(make, jobs)
    try:
        while running or suspects or not exhausted:
            # Of those that ran when a process died, any may have killed it: each is tried alone.
            room = (1 if suspects else jobs * _LOOK_AHEAD) - len(running)
            while room > 0 and (suspects or not exhausted):
                loaded = suspects.popleft() if suspects else next(waiting, None)
                if loaded is None:
                    exhausted = True
                    break
                running[pool.submit(loaded, collection)] = loaded
                room -= 1
            alone = len(running) == 1
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            died: list[Loaded] = []
            for future in [future for future in running if future in done]:
                loaded = running.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    died.append(loaded)
            if died:
                died += running.values()
                running.clear()
                pool.close()
                pool = _Pool(make, jobs)
                if alone:
                    yield _killed(died.pop())
                suspects.extendleft(reversed(died))
    finally:
        pool.close()


def _killed(loaded: Loaded) -> Reading:
    source = loaded.source
    return Reading(source, None, DocumentAborted(source=source.name, reason="its process was killed"), {})


class _Pool:
    """A process pool whose workers end with it, however it ends."""

    def __init__(self, make: MakeExtractor, jobs: int) -> None:
        context = get_context("spawn")
        self._watched, self._held = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_begin, initargs=(make, self._watched)
        )

    def submit(self, loaded: Loaded, collection: str) -> Future[Reading]:
        try:
            return self._executor.submit(_work, loaded, collection)
        except BrokenProcessPool as error:
            broken: Future[Reading] = Future()
            broken.set_exception(error)
            return broken

    def close(self) -> None:
        """Ends the workers at once; what they were doing is given up."""
        self._held.close()
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._watched.close()


# Inside a worker process

_make: MakeExtractor | None = None
_extractor: Extractor | None = None


def _begin(make: MakeExtractor, watched: Connection) -> None:
    global _make  # noqa: PLW0603 - a pool's initializer has no other way to hand something to its tasks
    _make = make
    # Ctrl-C reaches the whole process group; the main process alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with, args=(watched,), daemon=True).start()


def _exit_with(watched: Connection) -> None:
    try:
        watched.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)


def _work(loaded: Loaded, collection: str) -> Reading:
    global _extractor  # noqa: PLW0603 - made once in each process
    if _extractor is None:
        assert _make is not None  # noqa: S101 - the initializer ran first
        _extractor = _make()
    return _read(_extractor, loaded, collection)
