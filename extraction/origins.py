"""What documents are read from: a file, or bytes that were handed over."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from causetrail.errors import DocumentError
from causetrail.settings import Settings
from extraction.loading.dates import Published
from extraction.loading.files import raw_sha256
from extraction.loading.load import Loaded, load, load_bytes
from extraction.loading.normalise import NORMALISER
from extraction.loading.pairs import load_pairs, load_pairs_bytes


class Origin(Protocol):
    """One file or upload; it gives one document, or one for each of its rows."""

    @property
    def name(self) -> str:
        """Name of the source; a row's is `name#N`."""
        ...

    @property
    def normaliser(self) -> str:
        """Version of the rules that make its text."""
        ...

    def raw_sha256(self) -> str:
        """SHA-256 of its bytes.

        Raises:
            DocumentError: it cannot be read.
        """
        ...

    def load(self) -> Iterator[Loaded | DocumentError]:
        """Its documents, and the errors of those that cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class FileOrigin:
    """A file. `base` is the folder that its name is relative to when it stands in it."""

    path: Path
    base: Path | None
    settings: Settings
    published: Published | None
    pairs: bool = False
    normaliser: str = NORMALISER

    @property
    def name(self) -> str:
        return source_name(self.path, self.base)

    def raw_sha256(self) -> str:
        return raw_sha256(self.path, self.name, self.settings.max_document_bytes)

    def load(self) -> Iterator[Loaded | DocumentError]:
        if self.pairs:
            return iter((load_pairs(self.path, self.settings, self.name, self.published),))
        return load(self.path, self.settings, self.name, self.published)


@dataclass(frozen=True, slots=True)
class UploadOrigin:
    """Bytes with a name and a file ending or media type."""

    data: bytes
    name: str
    kind: str
    settings: Settings
    published: Published | None
    pairs: bool = False
    normaliser: str = NORMALISER

    def raw_sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def load(self) -> Iterator[Loaded | DocumentError]:
        if self.pairs:
            return iter((load_pairs_bytes(self.data, self.name, self.kind, self.settings, self.published),))
        return load_bytes(self.data, self.name, self.kind, self.settings, self.published)


def source_name(path: Path, base: Path | None) -> str:
    """The name of a file as a source: relative to `base` inside of it, else absolute; with forward slashes."""
    absolute = _without_dots(path)
    if base is not None and absolute.is_relative_to(folder := _without_dots(base)):
        return absolute.relative_to(folder).as_posix()
    return absolute.as_posix()


def _without_dots(path: Path) -> Path:
    # Links are kept: a source goes by the path that people know it by.
    return Path(os.path.abspath(path))  # noqa: PTH100
