"""Completions on disk, so that a call that was made before costs nothing again.

One small JSON file for each, written whole or not at all; any number of processes may share the folder. A file that is
damaged counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from causetrail.errors import SettingInvalid
from models.answered_documents import AnsweredDocuments
from models.language_model import Completion, Finish, Message, Sampling, Schema, TokenCount

LOG = logging.getLogger(__name__)
FORMAT: Final = 1
"""Part of every key: another form of the files does not meet older ones."""
LOOKS: Final = 16
"""A process measures the folder each time it has written this part of its limit: it exceeds the limit by no more than
that, several by one part each."""
KEPT_SHARE: Final = 0.9
"""How full the folder is after what was not used for longest has gone."""
LOCK_FILE: Final = "clearing.lock"
KEY_DIGITS: Final = 64
BEGUN: Final = "completion-"
"""How the names of files begin that are not whole yet."""


class _Entry(BaseModel):
    """One file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    key: str
    text: str
    prompt: int = Field(ge=0)
    completion: int = Field(ge=0)
    estimated: bool
    finish: Finish


def completion_key(fingerprint: str, messages: Sequence[Message], sampling: Sampling, schema: Schema | None) -> str:
    """What a completion depends on, as 64 hexadecimal digits.

    Args:
        fingerprint: Of the model.
        messages, sampling, schema: The call.
    """
    call = {
        "format": FORMAT,
        "model": fingerprint,
        "messages": [[message.role, message.text] for message in messages],
        "sampling": asdict(sampling),
        "schema": schema,
    }
    return hashlib.sha256(json.dumps(call, sort_keys=True).encode()).hexdigest()


def path_in(folder: Path, key: str) -> Path:
    """The file of a completion."""
    return folder / key[:2] / f"{key}.json"


def mark_documents(folder: Path, is_there: Callable[[str], bool]) -> None:
    """Marks the documents of a store whose words answers repeat; to be called before some of them are removed.

    Args:
        folder: Of a cache; nothing is made where there is none.
        is_there: Whether the store holds a document, by its id.
    """
    documents = AnsweredDocuments(folder)
    marked = set(documents.marked())
    seen = [document for document in documents.noted() if document not in marked and is_there(document)]
    try:
        documents.mark(seen)
    except OSError:
        LOG.warning("A mark could not be written in %s: it is full or may not be written.", folder)


def forget_documents(folder: Path, is_there: Callable[[str], bool]) -> int:
    """Removes the completions to words of documents that were removed since they were marked; gives their number.

    What has no mark is kept: an ingest that was stopped, or still runs, has asked about documents that are in no store
    yet.

    Args:
        folder: Of a cache; nothing is made where there is none.
        is_there: Whether the store holds a document, by its id.
    """
    documents = AnsweredDocuments(folder)
    gone = [document for document in documents.marked() if not is_there(document)]
    removed = 0
    for key in documents.forget(gone) if gone else ():
        with contextlib.suppress(OSError):
            path_in(folder, key).unlink()
            removed += 1
    return removed


class CompletionCache:
    """A folder of completions, bounded in bytes; safe to use from several threads and processes."""

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        """Makes the folder when it is not there; only its owner may read it, for it repeats words of documents.

        Args:
            folder: Holds nothing else.
            limit_bytes: Most that its files may have together.

        Raises:
            SettingInvalid: the folder cannot be made or written.
        """
        self._folder = folder
        self._documents = AnsweredDocuments(folder)
        self._limit = limit_bytes
        self._written = 0
        self._lock = threading.Lock()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            raise SettingInvalid(
                name="llm_cache", value=repr(str(folder)), reason="that folder cannot be made or written"
            ) from None
        self._clear()

    def get(self, key: str) -> Completion | None:
        """The completion of this key, and none where it is not kept."""
        path = self._path(key)
        try:
            entry = _Entry.model_validate_json(path.read_bytes())
        except OSError:
            return None
        except ValidationError:
            # A machine that lost power may leave half a file.
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            return None
        if entry.key != key or entry.finish == "refusal":
            return None
        # What was used last goes last.
        with contextlib.suppress(OSError):
            os.utime(path)
        tokens = TokenCount(entry.prompt, entry.completion, entry.estimated)
        return Completion(entry.text, tokens, 0.0, entry.finish, kept=True)

    def put(self, key: str, completion: Completion) -> None:
        """Keeps a completion; a disk that is full costs the next run a call, and this one nothing."""
        entry = _Entry(
            key=key,
            text=completion.text,
            prompt=completion.tokens.prompt,
            completion=completion.tokens.completion,
            estimated=completion.tokens.estimated,
            finish=completion.finish,
        )
        written = entry.model_dump_json().encode()
        path = self._path(key)
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            self._write(path, written)
        except OSError:
            LOG.warning(
                "A completion could not be kept in %s: it is full or may not be written.",
                self._folder,
            )
            return
        with self._lock:
            self._written += len(written)
            due = self._written > self._limit / LOOKS
            if due:
                self._written = 0
        if due:
            self._clear()

    def note(self, document: str, key: str) -> None:
        """Notes that the completion of this key, kept or about to be, is to words of a document."""
        try:
            self._documents.note(document, key)
        except OSError:
            LOG.warning("A note could not be written in %s: it is full or may not be written.", self._folder)

    def _path(self, key: str) -> Path:
        return path_in(self._folder, key)

    def _write(self, path: Path, content: bytes) -> None:
        """Writes a file that others see whole or not at all; its owner alone may read it."""
        number, name = tempfile.mkstemp(dir=path.parent, prefix=BEGUN)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(content)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _clear(self) -> None:
        """Removes what was not used for longest, when the folder has grown beyond its limit; one process does."""
        try:
            with FileLock(self._folder / LOCK_FILE, timeout=0):
                files = self._measured()
                size = sum(length for _, length, _ in files)
                if size <= self._limit:
                    return
                for _, length, path in sorted(files):
                    path.unlink(missing_ok=True)
                    size -= length
                    if size <= self._limit * KEPT_SHARE:
                        return
        except (Timeout, OSError):
            return

    def _measured(self) -> list[tuple[float, int, Path]]:
        """Time of the last use, length and path of each file; what others have put into the folder is left alone."""
        found: list[tuple[float, int, Path]] = []
        for path in self._folder.glob("[0-9a-f][0-9a-f]/*"):
            is_entry = (
                path.suffix == ".json" and len(path.stem) == KEY_DIGITS and path.stem.startswith(path.parent.name)
            )
            if not is_entry and not path.name.startswith(BEGUN):
                continue
            # Another process may have removed it meanwhile.
            with contextlib.suppress(OSError):
                state = path.stat()
                found.append((state.st_mtime, state.st_size, path))
        return found
