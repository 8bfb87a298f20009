"""Keeps the Cypher view in a folder beside the store: one image, and a manifest that names it by its SHA-256.

A change writes a new image first and then replaces the manifest, so a reader sees the old view or the new one. What
does not fit the manifest, in any byte, counts as missing; the view is derived, and is then built anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from causetrail.errors import StoreLocked, StoreReadOnly

VERSION = 1
"""Grows with every change of what the image holds; a view of another version is built anew."""
MANIFEST = "manifest"
LOCK = "write.lock"
LOCK_SECONDS = 600.0
IMAGE_SUFFIX = ".image"


@dataclass(frozen=True, slots=True)
class ViewImage:
    """The view of one state of the store, in a file.

    Attributes:
        state: Names the state of the store, whatever store it is.
        twins: Whether nodes of several collections have the same ids.
    """

    path: Path
    state: str
    twins: bool


class ViewFiles:
    """A folder with at most one view."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def load(self, state: str) -> ViewImage | None:
        """The view of this state; none when it is missing, damaged, of another state or version."""
        try:
            sealed = json.loads((self._directory / MANIFEST).read_bytes())
            if not isinstance(sealed, dict) or sealed.pop("seal", None) != _seal(sealed):
                return None
            if (sealed["version"], sealed["library"], sealed["state"]) != (VERSION, _library(), state):
                return None
            path = self._directory / str(sealed["image"])
            if _digest(path) != sealed["sha256"]:
                return None
            return ViewImage(path, state, bool(sealed["twins"]))
        except (OSError, ValueError, KeyError):
            return None

    def keep(self, state: str, build: Callable[[Path], bool]) -> ViewImage:
        """The view of this state; built when the folder does not hold it, by one process at a time.

        Args:
            build: Writes the image to a file and says whether it has twins.

        Raises:
            StoreReadOnly: the folder cannot be written.
            StoreLocked: another process has been building for more than ten minutes.
        """
        from filelock import FileLock, Timeout

        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            with FileLock(self._directory / LOCK, timeout=LOCK_SECONDS):
                return self.load(state) or self._write(state, build)
        except Timeout:
            raise StoreLocked(path=str(self._directory), seconds=f"{LOCK_SECONDS:g}") from None
        except (OSError, NotImplementedError):
            raise StoreReadOnly(path=str(self._directory)) from None

    def _write(self, state: str, build: Callable[[Path], bool]) -> ViewImage:
        handle, temporary = tempfile.mkstemp(dir=self._directory, prefix=".new-", suffix=IMAGE_SUFFIX)
        os.close(handle)
        new = Path(temporary)
        try:
            twins = build(new)
            digest = _digest(new)
            path = self._directory / f"view-{digest[:16]}{IMAGE_SUFFIX}"
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
        manifest = {
            "version": VERSION,
            "library": _library(),
            "state": state,
            "image": path.name,
            "sha256": digest,
            "twins": twins,
        }
        self._replace_manifest(json.dumps(manifest | {"seal": _seal(manifest)}, indent=2))
        for other in sorted(self._directory.glob(f"*{IMAGE_SUFFIX}")):
            if other != path:
                other.unlink(missing_ok=True)
        return ViewImage(path, state, twins)

    def _replace_manifest(self, content: str) -> None:
        handle, temporary = tempfile.mkstemp(dir=self._directory, prefix=".new-", suffix=".manifest")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(content)
            Path(temporary).replace(self._directory / MANIFEST)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise


def _seal(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode("utf-8")).hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _library() -> str:
    from importlib.metadata import version

    return f"kglite {version('kglite')}"
