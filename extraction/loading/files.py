"""Files on disk: their bytes within bounds, their hash, and what the system's refusals mean.

Only regular files are ever opened: a FIFO or a device would hang or never end.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path
from typing import BinaryIO

from causetrail.errors import DocumentError, DocumentLoop, DocumentTooLarge, DocumentUnreadable

NOT_A_FILE = "it is not a regular file"
"""Why a FIFO, a device, a socket or a folder is not read."""

_REASONS: dict[int, str] = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOENT: "it does not exist",
    errno.ENOTDIR: "a part of its path is not a folder",
    errno.EISDIR: NOT_A_FILE,
    errno.ENXIO: NOT_A_FILE,
    errno.EIO: "the disk cannot read it",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open",
}
_CHUNK = 1 << 20


def read_bytes(path: Path, name: str, limit: int) -> bytes:
    """The whole content of a regular file.

    Raises:
        DocumentTooLarge: it has more than `limit` bytes; known before it is read.
        DocumentUnreadable: it cannot be opened or read, or is no regular file.
    """
    try:
        with _open(path, name) as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(limit + 1) if size <= limit else b""
    except OSError as error:
        raise refusal(name, error) from None
    size = max(size, len(data))
    if size > limit:
        raise DocumentTooLarge(source=name, size=size, unit="bytes", limit=limit)
    return data


def raw_sha256(path: Path, name: str | None = None, limit: int | None = None) -> str:
    """SHA-256 of a file's bytes, 64 hexadecimal digits, read in pieces.

    Args:
        path: A regular file.
        name: The name that errors give it; its path when none.
        limit: Most bytes it may have, when given.

    Raises:
        DocumentTooLarge: it has more than `limit` bytes; known before it is read.
        DocumentUnreadable: it cannot be opened or read, or is no regular file.
    """
    source = str(path) if name is None else name
    digest = hashlib.sha256()
    try:
        with _open(path, source) as file:
            size = os.fstat(file.fileno()).st_size
            if limit is not None and size > limit:
                raise DocumentTooLarge(source=source, size=size, unit="bytes", limit=limit)
            while piece := file.read(_CHUNK):
                digest.update(piece)
    except OSError as error:
        raise refusal(source, error) from None
    return digest.hexdigest()


def refusal(name: str, error: OSError) -> DocumentError:
    """The error that stands for the system's refusal to open or list `name`."""
    if error.errno == errno.ELOOP:
        return DocumentLoop(source=name)
    return DocumentUnreadable(source=name, reason=_REASONS.get(error.errno or 0, "the system refuses it"))


def _open(path: Path, name: str) -> BinaryIO:
    """Opens without waiting for a FIFO's writer, and refuses whatever is no regular file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError:
        raise DocumentUnreadable(source=name, reason="its name holds a NUL character") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise DocumentUnreadable(source=name, reason=NOT_A_FILE)
    return os.fdopen(descriptor, "rb")
