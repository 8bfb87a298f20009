"""Finds the files below folders: sorted, each once, through symbolic links without going round in circles."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from causetrail.errors import DocumentError, DocumentFormat, DocumentLoop, DocumentUnreadable, SourceMissing
from extraction.loading.files import NOT_A_FILE, refusal
from extraction.loading.registry import BY_ENDING


class SkipReason(StrEnum):
    """Why a file or folder was passed over without an error."""

    HIDDEN = "hidden"
    """Its name begins with a dot."""
    UNKNOWN_ENDING = "unknown ending"
    """No format has its file ending."""
    NOT_A_FILE = "not a regular file"
    """A FIFO, a device or a socket."""
    REPEATED = "reached before"
    """The same file or folder was reached by another path."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that was passed over."""

    path: Path
    reason: SkipReason


def find_files(
    paths: Sequence[Path], skipped: list[Skipped] | None = None, leaving: Sequence[Path] = ()
) -> Iterator[Path | DocumentError]:
    """All files of known endings at and below `paths`: in the order of `paths`, each folder sorted by name.

    Symbolic links are followed after everything that is reached without one, so that a file keeps its own path
    where it has one; a file or folder that was reached before is not taken twice.

    Args:
        paths: Files and folders. A file named here is taken even when it is hidden, and is an error when no format
            has its ending; below a folder such files are skipped.
        skipped: Receives what was passed over, when given.
        leaving: Files and folders that are left out below a folder without being told: those of the store itself.

    Returns:
        Paths, and for each place that cannot be taken its error: `SourceMissing`, `DocumentUnreadable`,
        `DocumentLoop`, `DocumentFormat`.
    """
    walk = _Walk([] if skipped is None else skipped, frozenset(map(os.path.realpath, leaving)))
    for path in paths:
        walk.begin(path)
    walk.follow_links()
    yield from walk.in_order()


_Folder = tuple[Path, str, os.stat_result]
"""A folder by the name it was reached by, its real path and its status."""


class _Walk:
    def __init__(self, skipped: list[Skipped], leaving: frozenset[str]) -> None:
        self._skipped = skipped
        self._leaving = leaving
        self._found: list[tuple[int, tuple[str, ...], Path | DocumentError]] = []
        self._links: list[tuple[int, Path]] = []
        self._folders: set[tuple[int, int]] = set()
        self._files: set[tuple[int, int]] = set()
        self._real_paths: set[str] = set()
        self._turn = 0

    def begin(self, path: Path) -> None:
        """Takes a path that the caller named, and what is below it short of symbolic links."""
        self._turn += 1
        try:
            status = path.stat()
        except (FileNotFoundError, NotADirectoryError, ValueError):
            if path.is_symlink():
                self._add(path, DocumentUnreadable(source=str(path), reason="the link leads nowhere"))
            else:
                self._add(path, SourceMissing(source=printable(path)))
        except OSError as error:
            self._add(path, refusal(printable(path), error))
        else:
            if stat.S_ISDIR(status.st_mode):
                self._descend(path, status)
            elif not stat.S_ISREG(status.st_mode):
                self._add(path, DocumentUnreadable(source=printable(path), reason=NOT_A_FILE))
            elif path.suffix.lower() not in BY_ENDING:
                self._add(path, DocumentFormat(source=printable(path), media_type=path.suffix or "no file ending"))
            else:
                self._take(path, status, os.path.realpath(path))

    def follow_links(self) -> None:
        """Follows the links found so far, then those found behind them, until none is left."""
        while self._links:
            batch, self._links = sorted(self._links), []
            for turn, link in batch:
                self._turn = turn
                self._follow(link)

    def in_order(self) -> Iterator[Path | DocumentError]:
        """Everything found, sorted."""
        for _, _, item in sorted(self._found, key=lambda entry: entry[:2]):
            yield item

    def _descend(self, top: Path, status: os.stat_result) -> None:
        waiting = [(top, os.path.realpath(top), status)]
        while waiting:
            folder, real, status = waiting.pop()
            key = (status.st_dev, status.st_ino)
            if key in self._folders:
                self._skip(folder, SkipReason.REPEATED)
                continue
            self._folders.add(key)
            waiting.extend(self._list(folder, real))

    def _list(self, folder: Path, real: str) -> list[_Folder]:
        """Takes the files of one folder; gives its folders."""
        below: list[_Folder] = []
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._add(folder, refusal(printable(folder), error))
            return below
        for entry in listed:
            path = folder / entry.name
            if f"{real}/{entry.name}" in self._leaving:
                continue
            if entry.name.startswith("."):
                self._skip(path, SkipReason.HIDDEN)
            elif entry.is_symlink():
                self._links.append((self._turn, path))
            else:
                self._sort_in(path, entry, real, below)
        return below

    def _sort_in(self, path: Path, entry: os.DirEntry[str], real: str, below: list[_Folder]) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            self._add(path, refusal(printable(path), error))
            return
        if stat.S_ISDIR(status.st_mode):
            below.append((path, f"{real}/{entry.name}", status))
        elif self._has_known_format(path, status):
            self._take(path, status, f"{real}/{entry.name}")

    def _follow(self, link: Path) -> None:
        try:
            status = link.stat()
        except FileNotFoundError:
            self._add(link, DocumentUnreadable(source=printable(link), reason="the link leads nowhere"))
            return
        except OSError as error:
            self._add(link, refusal(printable(link), error))
            return
        if stat.S_ISDIR(status.st_mode):
            target = Path(os.path.realpath(link))
            if Path(os.path.realpath(link.parent)).is_relative_to(target):
                self._add(link, DocumentLoop(source=printable(link)))
            else:
                self._descend(link, status)
        elif self._has_known_format(link, status):
            if (status.st_dev, status.st_ino) in self._files:
                self._skip(link, SkipReason.REPEATED)
            else:
                self._take(link, status, os.path.realpath(link))

    def _has_known_format(self, path: Path, status: os.stat_result) -> bool:
        if path.suffix.lower() not in BY_ENDING:
            self._skip(path, SkipReason.UNKNOWN_ENDING)
            return False
        if not stat.S_ISREG(status.st_mode):
            self._skip(path, SkipReason.NOT_A_FILE)
            return False
        return True

    def _take(self, path: Path, status: os.stat_result, real: str) -> None:
        """Takes a file; hard links are files of their own, the same path a second time is not."""
        if real in self._real_paths:
            self._skip(path, SkipReason.REPEATED)
            return
        self._real_paths.add(real)
        self._files.add((status.st_dev, status.st_ino))
        if printable(path) == str(path):
            self._add(path, path)
        else:
            self._add(path, DocumentUnreadable(source=printable(path), reason="its name is not valid UTF-8"))

    def _skip(self, path: Path, reason: SkipReason) -> None:
        self._skipped.append(Skipped(path, reason))

    def _add(self, path: Path, item: Path | DocumentError) -> None:
        self._found.append((self._turn, path.parts, item))


def printable(path: Path) -> str:
    """The path as text that can be written anywhere; bytes that are no UTF-8 are shown by their codes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
