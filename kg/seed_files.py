"""Keeps the seed index in a folder: three images and a manifest that names them by their SHA-256.

A change writes new images first and then replaces the manifest, so a reader sees the old index or the new one. What
does not fit the manifest, in any byte, counts as missing; the index is derived, and is then built anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.vector_index import VectorIndex
from kg.word_index import EntryKind, WordIndex

VERSION = 1
"""Grows with every change of what the images hold; an index of another version is built anew."""
MANIFEST = "manifest"
"""Has no file ending of a document, so that no ingest of the folder of another store takes it for one."""
LOCK = "write.lock"
LOCK_SECONDS = 10.0
IMAGE_SUFFIX = ".image"
READ_ATTEMPTS = 3
"""A reader that loses its image to a writer reads the new manifest; more than twice in a row means damage."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole index at one generation of the store; never changed after it was made.

    Attributes:
        generation: Generation of the collection that was current before the store was read.
        content: Digest of the ids that are indexed.
        fingerprint: Of the encoder that made the vectors.
    """

    generation: int
    content: str
    fingerprint: str
    words: WordIndex
    vectors: Mapping[EntryKind, VectorIndex]


class SeedFiles:
    """A folder with at most one index. No failure to write is an error: the index then lives in memory alone."""

    def __init__(self, directory: Path, fingerprint: str, dimension: int) -> None:
        self._directory = directory
        self._fingerprint = fingerprint
        self._dimension = dimension

    def load(self) -> Snapshot | None:
        """The index in the folder; none when it is missing, damaged, or of another encoder or version."""
        for _ in range(READ_ATTEMPTS):
            try:
                manifest = self._manifest()
            except (OSError, ValueError):
                return None
            try:
                return self._snapshot(manifest)
            except FileNotFoundError:
                continue
            except (OSError, ValueError):
                return None
        return None

    def save(self, snapshot: Snapshot) -> None:
        """Replaces the index in the folder, unless it holds this content already or cannot be written."""
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            with self._lock() as held:
                if held and not self._holds(snapshot):
                    self._write(snapshot)
        except OSError:
            return

    def _manifest(self) -> dict[str, Any]:
        manifest = _unsealed(self._directory)
        if (manifest["version"], manifest["fingerprint"]) != (VERSION, self._fingerprint):
            raise ValueError("another version or encoder")
        return manifest

    def _snapshot(self, manifest: dict[str, Any]) -> Snapshot:
        images: dict[str, bytes] = {}
        for name, digest in manifest["images"].items():
            image = (self._directory / _file_name(name, digest)).read_bytes()
            if hashlib.sha256(image).hexdigest() != digest:
                raise ValueError("an image was changed")
            images[name] = image
        return Snapshot(
            generation=manifest["generation"],
            content=manifest["content"],
            fingerprint=manifest["fingerprint"],
            words=WordIndex(images["words"]),
            vectors={kind: VectorIndex.from_image(images[kind.value], self._dimension) for kind in EntryKind},
        )

    @contextmanager
    def _lock(self) -> Iterator[bool]:
        from filelock import FileLock, Timeout

        lock = FileLock(self._directory / LOCK, timeout=LOCK_SECONDS)
        try:
            lock.acquire()
        except (Timeout, NotImplementedError):
            yield False
            return
        try:
            yield True
        finally:
            lock.release()

    def _holds(self, snapshot: Snapshot) -> bool:
        kept = self.load()
        return kept is not None and (kept.generation, kept.content) == (snapshot.generation, snapshot.content)

    def _write(self, snapshot: Snapshot) -> None:
        images = {"words": snapshot.words.image()}
        images.update({kind.value: snapshot.vectors[kind].image() for kind in EntryKind})
        digests = {name: hashlib.sha256(image).hexdigest() for name, image in images.items()}
        for name, image in images.items():
            self._replace(_file_name(name, digests[name]), image)
        manifest: dict[str, Any] = {
            "version": VERSION,
            "fingerprint": snapshot.fingerprint,
            "generation": snapshot.generation,
            "content": snapshot.content,
            "images": digests,
        }
        manifest["seal"] = _seal(manifest)
        self._replace(MANIFEST, json.dumps(manifest, indent=2).encode("utf-8"))
        current = {_file_name(name, digest) for name, digest in digests.items()}
        for path in sorted(self._directory.glob(f"*{IMAGE_SUFFIX}")):
            if path.name not in current:
                path.unlink(missing_ok=True)

    def _replace(self, name: str, content: bytes) -> None:
        handle, temporary = tempfile.mkstemp(dir=self._directory, prefix=".new-", suffix=IMAGE_SUFFIX)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(temporary).replace(self._directory / name)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise


def kept_generation(directory: Path) -> int | None:
    """The generation of the collection whose index a folder holds, whatever its encoder; none when it holds none."""
    try:
        manifest = _unsealed(directory)
        return int(manifest["generation"]) if manifest["version"] == VERSION else None
    except (OSError, ValueError):
        return None


def _unsealed(directory: Path) -> dict[str, Any]:
    """The manifest of a folder.

    Raises:
        OSError, ValueError: there is none, or it was changed.
    """
    sealed = json.loads((directory / MANIFEST).read_bytes())
    if not isinstance(sealed, dict) or sealed.pop("seal", None) != _seal(sealed):
        raise ValueError("the manifest was changed")
    return sealed


def _seal(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode("utf-8")).hexdigest()


def _file_name(name: str, digest: str) -> str:
    return f"{name}-{digest[:16]}{IMAGE_SUFFIX}"
