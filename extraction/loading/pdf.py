"""PDF: the text page by page, in the order the pages write it.

pypdfium2 reads it: small, fast, of a free licence, and hardened by a browser. PDFium is not safe for threads, so one
thread at a time is inside it. Its text has no paragraphs; they are told from the gaps between lines.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from causetrail.errors import DocumentDamaged, DocumentEncrypted, DocumentScanned, DocumentTooLarge
from causetrail.settings import Settings
from extraction.loading.hyphens import mend_hyphens
from extraction.loading.metadata import own_date, own_title
from extraction.loading.reading import Bytes, Reading

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

GAP = 0.35
"""Lines this much farther apart than is usual on their page start a paragraph, in heights of a line."""
SIZE_CHANGE = 0.15
"""A line whose letters differ in height by this share from the line before is of another paragraph: a heading."""

_TAIL = 4_096
_ONE_AT_A_TIME = threading.Lock()


def read_pdf(file: Bytes, settings: Settings) -> Iterator[Reading]:
    """The text of all pages, with hyphens at line ends mended."""
    if b"%%EOF" not in file.data.rstrip(b"\x00\r\n\t ")[-_TAIL:]:
        raise DocumentDamaged(source=file.source, media_type=file.media_type)
    with _ONE_AT_A_TIME, _opened(file) as document:
        if len(document) > settings.max_document_pages:
            limit = settings.max_document_pages
            raise DocumentTooLarge(source=file.source, size=len(document), unit="pages", limit=limit)
        pages = _texts(document, file.source, settings.max_document_characters)
        if not "".join(pages).strip() and _shows_anything(document):
            raise DocumentScanned(source=file.source, pages=len(pages))
        fields = document.get_metadata_dict()
    title, published = own_title(fields.get("Title")), own_date(fields.get("CreationDate"))
    yield Reading(tuple(mend_hyphens(pages)), paged=True, title=title, published=published)


@contextmanager
def _opened(file: Bytes) -> Iterator[PdfDocument]:
    """The document, closed at the end; turns all that PDFium raises into coded errors."""
    import pypdfium2

    document = None
    try:
        document = pypdfium2.PdfDocument(file.data)
        yield document
    except pypdfium2.PdfiumError as error:
        if error.err_code in {pypdfium2.raw.FPDF_ERR_PASSWORD, pypdfium2.raw.FPDF_ERR_SECURITY}:
            raise DocumentEncrypted(source=file.source) from None
        raise DocumentDamaged(source=file.source, media_type=file.media_type) from None
    except (OSError, ValueError, IndexError, UnicodeError):
        raise DocumentDamaged(source=file.source, media_type=file.media_type) from None
    finally:
        if document is not None:
            document.close()


def _texts(document: PdfDocument, source: str, limit: int) -> list[str]:
    texts: list[str] = []
    size = 0
    for index in range(len(document)):
        page = document[index]
        text_page = page.get_textpage()
        texts.append(_with_paragraphs(text_page))
        text_page.close()
        page.close()
        size += len(texts[-1])
        if size > limit:
            raise DocumentTooLarge(source=source, size=size, unit="characters", limit=limit)
    return texts


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
