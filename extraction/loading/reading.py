"""What a reader of one format hands over, and how all readers are called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from causetrail.errors import DocumentError
from causetrail.settings import Settings
from extraction.loading.dates import Published


@dataclass(frozen=True, slots=True)
class Reading:
    """One document as its format gives it, before its characters are normalised.

    Attributes:
        pages: The text page by page; a single item for a format without pages.
        paged: Whether the format has pages.
        title: The title the document gives itself; none when it gives none.
        published: The date the document gives itself; none when it gives none.
        row: Row of the file it came from, 1-based; none when the file is one document.
    """

    pages: tuple[str, ...]
    paged: bool = False
    title: str | None = None
    published: Published | None = None
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Bytes:
    """The content of one file or upload.

    Attributes:
        data: All of it.
        source: The name that errors give it.
        media_type: Its format, without parameters.
    """

    data: bytes
    source: str
    media_type: str


Reader = Callable[[Bytes, Settings], Iterator[Reading | DocumentError]]
"""Reads the documents of one file. Raises a `DocumentError` when the whole file fails, yields one when a row does."""
