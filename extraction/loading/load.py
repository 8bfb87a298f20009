"""From a file or an upload to normalised texts with their sources.

Dates come from the caller, else from the document itself; never from the file system or the clock.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from causetrail.errors import DocumentDamaged, DocumentEmpty, DocumentError, DocumentFormat, DocumentTooLarge
from causetrail.settings import Settings
from extraction.loading.dates import Published
from extraction.loading.files import read_bytes
from extraction.loading.normalise import NORMALISER, normalise
from extraction.loading.reading import Bytes, Reading
from extraction.loading.registry import Format, format_of
from kg.store import Source

LONGEST_TITLE = 300
"""A longer title is cut, in characters; it is a label, never evidence."""

_SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]]*\s*$")
"""A page that ends like this ends a paragraph; on another the next page may go on with the sentence."""

_ENDING = 20


@dataclass(frozen=True, slots=True)
class Loaded:
    """One document, read and normalised.

    Attributes:
        source: Where it came from, with its title, date and pages.
        text: Its normalised text; never empty.
        pairs: Start and end of each question-answer pair, in order; empty for a document that is prose.
        repeats: Pairs that were left out since the file has them twice.
    """

    source: Source
    text: str
    pairs: tuple[tuple[int, int], ...] = ()
    repeats: int = 0


def load(
    path: Path, settings: Settings, name: str, published: Published | None = None
) -> Iterator[Loaded | DocumentError]:
    """Reads the documents of one file: one, or one for each row of a table, list or JSON lines file.

    Args:
        path: A file; its ending tells the format.
        settings: The limits.
        name: The source's name; a row's is `name#N`, N counting from 1.
        published: The date the caller gives, which outranks the document's own.

    Returns:
        Documents, and the error of each that cannot be read; nothing is raised for bad input.
    """
    try:
        data = read_bytes(path, name, settings.max_document_bytes)
    except DocumentError as error:
        yield error
        return
    yield from load_bytes(data, name, path.suffix, settings, published)


def load_bytes(
    data: bytes, name: str, kind: str, settings: Settings, published: Published | None = None
) -> Iterator[Loaded | DocumentError]:
    """Reads the documents of an upload or of standard input.

    Args:
        data: All bytes.
        name: The source's name; a row's is `name#N`.
        kind: A file ending (`.md`) or a media type (`text/markdown; charset=utf-8`).
        settings: The limits.
        published: The date the caller gives, which outranks the document's own.

    Returns:
        Documents, and the error of each that cannot be read; nothing is raised for bad input.
    """
    form = format_of(kind)
    if form is None:
        yield DocumentFormat(source=name, media_type=kind or "no file ending")
        return
    if len(data) > settings.max_document_bytes:
        yield DocumentTooLarge(source=name, size=len(data), unit="bytes", limit=settings.max_document_bytes)
        return
    if not data.strip():
        yield DocumentEmpty(source=name)
        return
    sha256 = hashlib.sha256(data).hexdigest()
    for reading in _read(Bytes(data, name, form.media_type), form, settings):
        yield (
            reading if isinstance(reading, DocumentError) else _finish(reading, name, form, sha256, published, settings)
        )


def _read(file: Bytes, form: Format, settings: Settings) -> Iterator[Reading | DocumentError]:
    try:
        yield from form.read(file, settings)
    except DocumentError as error:
        yield error
    except (RecursionError, MemoryError):
        yield DocumentDamaged(source=file.source, media_type=file.media_type)


def _finish(
    reading: Reading, origin: str, form: Format, sha256: str, published: Published | None, settings: Settings
) -> Loaded | DocumentError:
    name = origin if reading.row is None else f"{origin}#{reading.row}"
    size, limit = sum(map(len, reading.pages)), settings.max_document_characters
    if size > limit:
        return DocumentTooLarge(source=name, size=size, unit="characters", limit=limit)
    try:
        pages = [normalise(page, name) for page in reading.pages]
    except DocumentError as error:
        return error
    text, starts = _join(pages)
    if not text.strip():
        return DocumentEmpty(source=name)
    date = published or reading.published
    source = Source(
        name=name,
        raw_sha256=sha256,
        origin=origin,
        doc_title=_title(reading.title) or PurePosixPath(name).name,
        published=date.start if date else None,
        published_resolution=date.resolution if date else None,
        media_type=form.media_type,
        pages=starts if reading.paged else (),
        normaliser=NORMALISER,
    )
    return Loaded(source, text)


def _join(pages: list[str]) -> tuple[str, tuple[int, ...]]:
    """The text of all pages and the offset at which each starts."""
    parts: list[str] = []
    starts: list[int] = []
    size = 0
    for page in pages:
        if parts:
            parts.append("\n\n" if _SENTENCE_END.search(parts[-1][-_ENDING:]) else "\n")
            size += len(parts[-1])
        starts.append(size)
        parts.append(page)
        size += len(page)
    return "".join(parts), tuple(starts)


def _title(title: str | None) -> str:
    """The title on one line, without characters that no text may hold; empty when nothing is left."""
    if title is None:
        return ""
    shown = "".join(c if c.isprintable() else " " for c in title[: 4 * LONGEST_TITLE])
    return " ".join(shown.split())[:LONGEST_TITLE].rstrip()
