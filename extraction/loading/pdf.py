"""PDF: the text page by page, in the order the pages write it.

pypdfium2 reads it: small, fast, of a free licence, and hardened by a browser; it runs in a process of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from causetrail.errors import DocumentDamaged, DocumentEncrypted, DocumentScanned, DocumentSlow, DocumentTooLarge
from causetrail.settings import Settings
from extraction.loading.hyphens import mend_hyphens
from extraction.loading.metadata import own_date, own_title
from extraction.loading.pdf_process import READER, ReaderCrash, ReaderTimeout
from extraction.loading.pdf_text import PdfTexts, Request
from extraction.loading.reading import Bytes, Reading

_TAIL = 4_096


def read_pdf(file: Bytes, settings: Settings) -> Iterator[Reading]:
    """The text of all pages, with hyphens at line ends mended."""
    # PDFium repairs what it can of a truncated file, and would give half a document without a word.
    if b"%%EOF" not in file.data.rstrip(b"\x00\r\n\t ")[-_TAIL:]:
        raise DocumentDamaged(source=file.source, media_type=file.media_type)
    texts = _texts(file, settings)
    if texts.shows:
        raise DocumentScanned(source=file.source, pages=texts.count)
    pages = tuple(mend_hyphens(texts.pages))
    yield Reading(pages, paged=True, title=own_title(texts.title), published=own_date(texts.created))


def _texts(file: Bytes, settings: Settings) -> PdfTexts:
    limits = {"pages": settings.max_document_pages, "characters": settings.max_document_characters}
    request = Request(len(file.data), limits["pages"], limits["characters"], settings.max_document_seconds)
    try:
        texts = READER.read(file.data, request)
    except ReaderTimeout:
        raise DocumentSlow(source=file.source, seconds=settings.max_document_seconds) from None
    except ReaderCrash:
        raise DocumentDamaged(source=file.source, media_type=file.media_type) from None
    if texts.status == "encrypted":
        raise DocumentEncrypted(source=file.source)
    if texts.status in limits:
        raise DocumentTooLarge(source=file.source, size=texts.count, unit=texts.status, limit=limits[texts.status])
    if texts.status != "read":
        raise DocumentDamaged(source=file.source, media_type=file.media_type)
    return texts
