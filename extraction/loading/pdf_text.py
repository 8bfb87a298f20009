"""The texts of a PDF's pages, read by PDFium in a process of its own: `python -m extraction.loading.pdf_text`.

A few hundred bytes can keep PDFium busy for ever, and a damaged file can make it crash. So it never runs in the process
that ingests: requests come through standard input, and a request that takes too long ends this process by its alarm
clock, which works inside PDFium too. Requests and answers are a line of JSON each; the bytes of a PDF follow the line
of its request.
"""

from __future__ import annotations

import contextlib
import json
import re
import resource
import signal
import sys
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

GAP = 0.35
"""Lines this much farther apart than is usual on their page start a paragraph, in heights of a line."""
SIZE_CHANGE = 0.15
"""A line whose letters differ in height by this share from the line before is of another paragraph: a heading."""

MOST_MEMORY = 4 << 30
"""Memory this process may take, in bytes; a file that wants more ends it."""


@dataclass(frozen=True, slots=True)
class Request:
    """The line before a PDF: its size in bytes, and the limits for reading it."""

    size: int
    most_pages: int
    most_characters: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PdfTexts:
    """The answer.

    Attributes:
        status: `read`, `encrypted`, `damaged`, `pages` (too many), or `characters` (too many).
        count: Number of pages, or of characters when these are too many.
        pages: The text of each page, with an empty line where a paragraph starts.
        shows: Whether any page has a picture or a drawing on it; looked for when there is no text.
        title: The title in the metadata.
        created: The date of creation in the metadata.
    """

    status: str
    count: int = 0
    pages: tuple[str, ...] = ()
    shows: bool = False
    title: str = ""
    created: str = ""


def read_texts(data: bytes, request: Request) -> PdfTexts:
    """Reads a whole PDF; whatever PDFium raises becomes a status."""
    import pypdfium2

    try:
        with contextlib.closing(pypdfium2.PdfDocument(data)) as document:
            return _read(document, request)
    except pypdfium2.PdfiumError as error:
        locked = error.err_code in {pypdfium2.raw.FPDF_ERR_PASSWORD, pypdfium2.raw.FPDF_ERR_SECURITY}
        return PdfTexts("encrypted" if locked else "damaged")
    except (OSError, ValueError, IndexError, UnicodeError, MemoryError):
        return PdfTexts("damaged")


def _read(document: PdfDocument, request: Request) -> PdfTexts:
    count = len(document)
    if count > request.most_pages:
        return PdfTexts("pages", count)
    pages: list[str] = []
    size = 0
    for index in range(count):
        page = document[index]
        text_page = page.get_textpage()
        pages.append(_with_paragraphs(text_page))
        text_page.close()
        page.close()
        size += len(pages[-1])
        if size > request.most_characters:
            return PdfTexts("characters", size)
    shows = not "".join(pages).strip() and _shows_anything(document)
    fields = document.get_metadata_dict()
    return PdfTexts("read", count, tuple(pages), shows, fields.get("Title", ""), fields.get("CreationDate", ""))


def _with_paragraphs(page: PdfTextPage) -> str:
    """The page's text, with an empty line wherever the layout starts a paragraph."""
    text: str = page.get_text_range()
    if len(text) != page.count_chars():
        return text
    lines = [(match.start(), match.end()) for match in re.finditer(r"[^\r\n]+", text)]
    lines = [(start, end) for start, end in lines if not text[start:end].isspace()]
    boxes = [
        (_box(page, text, range(start, end)), _box(page, text, range(end - 1, start - 1, -1))) for start, end in lines
    ]
    pairs = [(above[1], below[0]) for above, below in pairwise(boxes)]
    usual = median([above.bottom - below.top for above, below in pairs if below.top < above.top] or [0.0])
    parts: list[str] = []
    for number, (start, end) in enumerate(lines):
        if number:
            parts.append("\n\n" if _starts_paragraph(*pairs[number - 1], usual) else "\n")
        parts.append(text[start:end])
    return "".join(parts)


class _Box(NamedTuple):
    """Foot and head of a character's line, in points from the foot of the page."""

    bottom: float
    top: float


def _box(page: PdfTextPage, text: str, indices: range) -> _Box:
    """The box of the first visible character among `indices`."""
    index = next((index for index in indices if not text[index].isspace()), indices[0] if indices else 0)
    _, bottom, _, top = page.get_charbox(index, loose=True)
    return _Box(bottom, top)


def _starts_paragraph(above: _Box, below: _Box, usual: float) -> bool:
    height, height_above = below.top - below.bottom, above.top - above.bottom
    if abs(height - height_above) > SIZE_CHANGE * max(height, height_above):
        return True
    return above.bottom - below.top > usual + GAP * height


def _shows_anything(document: PdfDocument) -> bool:
    """Whether any page has a picture or a drawing on it."""
    return any(next(iter(page.get_objects(max_depth=1)), None) is not None for page in document)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answers requests until there are no more; ends the process when one takes longer than it may."""
    while line := requests.readline():
        request = Request(**json.loads(line))
        data = requests.read(request.size)
        signal.setitimer(signal.ITIMER_REAL, request.seconds)
        texts = read_texts(data, request)
        signal.setitimer(signal.ITIMER_REAL, 0)
        fields = {name: getattr(texts, name) for name in PdfTexts.__slots__}
        answers.write(json.dumps(fields).encode("ascii") + b"\n")
        answers.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    serve(sys.stdin.buffer, sys.stdout.buffer)
