"""The process that PDFium runs in, seen from the process that ingests: started when needed, kept, replaced."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import asdict

from extraction.loading.pdf_text import PdfTexts, Request


class ReaderTimeout(Exception):
    """The request took longer than it may."""


class ReaderCrash(Exception):
    """The process ended before it answered."""


class PdfProcess:
    """Reads PDFs one after the other; safe to call from threads and after a fork."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, data: bytes, request: Request) -> PdfTexts:
        """The texts of a PDF's pages.

        Raises:
            ReaderTimeout: it took longer than `request.seconds`.
            ReaderCrash: the file made the reader crash, or take more memory than it may.
        """
        with self._lock:
            process = self._process or _start()
            self._process = process
            answer = _exchange(process, json.dumps(asdict(request)).encode("ascii") + b"\n", data)
            if not answer.endswith(b"\n"):
                self._process = None
                raise ReaderTimeout if _end(process) == -signal.SIGALRM else ReaderCrash
        fields = json.loads(answer)
        return PdfTexts(**{**fields, "pages": tuple(fields["pages"])})

    def close(self) -> None:
        """Ends the process, if there is one."""
        with self._lock:
            if self._process is not None:
                _end(self._process)
            self._process = None

    def forget(self) -> None:
        """In the child of a fork: leaves the process to the parent, whose pipes it reads."""
        self._lock = threading.Lock()
        self._process = None


def _start() -> subprocess.Popen[bytes]:
    """Starts it with the same import path, and without the working folder on it."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-P", "-m", "extraction.loading.pdf_text"]
    return subprocess.Popen(  # noqa: S603 - our own module, no shell
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )


def _exchange(process: subprocess.Popen[bytes], line: bytes, data: bytes) -> bytes:
    """Sends a request; gives the line of the answer, cut short when the process ended."""
    if process.stdin is None or process.stdout is None:
        return b""
    try:
        process.stdin.write(line)
        process.stdin.write(data)
        process.stdin.flush()
    except BrokenPipeError:
        return b""
    return process.stdout.readline()


def _end(process: subprocess.Popen[bytes]) -> int:
    """Closes its pipes, which ends it, and gives its exit status."""
    for pipe in (process.stdin, process.stdout):
        try:
            if pipe is not None:
                pipe.close()
        except BrokenPipeError:
            continue
    return process.wait()


READER = PdfProcess()
"""The one reader of this process."""

atexit.register(READER.close)
os.register_at_fork(after_in_child=READER.forget)
