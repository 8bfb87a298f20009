"""Which program gives the answers: the hash of its code, its tables and its weights."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

_ROOMS: Final = ("causetrail", "extraction", "kg", "language", "models", "reasoning", "traversal")
"""What answers depend on; who asks (`api`), and who counts (`evaluation`), changes none."""
_CACHE: Final = "__pycache__"


@cache
def program_hash() -> str:
    """SHA-256 over the names and the bytes of all files of the rooms that answer, 64 hexadecimal digits.

    The same version of the program may be installed from a checkout that goes on: records of two states of it are
    told apart by this alone.
    """
    digest = hashlib.sha256()
    for room in _ROOMS:
        _take(files(room), room, digest)
    return digest.hexdigest()


def _take(part: Traversable, name: str, digest: hashlib._Hash) -> None:
    if part.is_dir():
        for one in sorted(part.iterdir(), key=lambda one: one.name):
            if one.name != _CACHE:
                _take(one, f"{name}/{one.name}", digest)
        return
    # The length keeps the end of one file and the name of the next apart.
    content = part.read_bytes()
    digest.update(f"{name}\0{len(content)}\0".encode())
    digest.update(content)
