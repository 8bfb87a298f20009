"""Which kept answers repeat words of which documents, so that they can go when the documents go.

One file for each document, by its id, with the keys of its answers. Several documents may have an answer in common, as
two versions of a report do: it goes with the last of them. A document that was seen in a store has a mark, so that what
was removed can be told from what an ingest that was stopped has not committed yet, also after a process was killed.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection
from pathlib import Path
from typing import Final

FOLDER: Final = "documents"
SEEN: Final = "documents-seen"


class AnsweredDocuments:
    """Notes beside the answers of one cache; safe to use from several threads and processes."""

    def __init__(self, cache: Path) -> None:
        """Takes the folder of the cache; what is not there counts as without notes."""
        self._folder = cache / FOLDER
        self._marks = cache / SEEN
        self._lock = threading.Lock()
        self._last: tuple[str, set[str]] = ("", set())
        """The document that was noted last, with its keys: the next note mostly is of the same."""

    def note(self, document: str, key: str) -> None:
        """Notes that the answer of this key is to words of this document.

        Raises:
            OSError: the note cannot be written.
        """
        with self._lock:
            if self._last[0] != document:
                self._last = document, self._keys(document)
            keys = self._last[1]
            if key in keys and (self._folder / document).exists():
                return
            self._folder.mkdir(mode=0o700, exist_ok=True)
            # Whole lines of one write, so that several processes may add to a file.
            with (self._folder / document).open("ab", buffering=0) as file:
                file.write(f"{key}\n".encode())
            keys.add(key)

    def noted(self) -> list[str]:
        """The ids of the documents that have notes, sorted."""
        return _names_in(self._folder)

    def mark(self, documents: Collection[str]) -> None:
        """Marks documents as seen in a store.

        Raises:
            OSError: a mark cannot be written.
        """
        if documents:
            self._marks.mkdir(mode=0o700, exist_ok=True)
        for document in documents:
            (self._marks / document).touch(mode=0o600)

    def marked(self) -> list[str]:
        """The ids of the documents that were seen in a store and have notes or had them, sorted."""
        return _names_in(self._marks)

    def forget(self, documents: Collection[str]) -> set[str]:
        """Removes the notes and marks of documents; gives the keys that no other document has."""
        gone: set[str] = set()
        for document in documents:
            gone |= self._keys(document)
        for document in self.noted():
            if gone and document not in documents:
                gone -= self._keys(document)
        for document in documents:
            (self._folder / document).unlink(missing_ok=True)
            (self._marks / document).unlink(missing_ok=True)
        return gone

    def _keys(self, document: str) -> set[str]:
        with contextlib.suppress(OSError):
            return set((self._folder / document).read_text("ascii", errors="replace").split())
        return set()


def _names_in(folder: Path) -> list[str]:
    with contextlib.suppress(OSError):
        return sorted(path.name for path in folder.iterdir())
    return []
