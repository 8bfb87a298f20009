"""Office packages (zip files of XML): checked before a library opens them, their failures turned into coded errors."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Protocol

from causetrail.errors import DocumentDamaged, DocumentEncrypted, DocumentExpands, DocumentFormat
from causetrail.settings import Settings
from extraction.loading.dates import Published
from extraction.loading.metadata import own_date
from extraction.loading.reading import Bytes

MOST_ENTRIES = 20_000
"""A package of more files than this is not a document."""
XML_PER_CHARACTER = 20
"""Most bytes of XML that are read for one character of the largest text allowed."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_ENTRY = b"PK\x01\x02"
_XML = (".xml", ".rels")
_CHUNK = 1 << 20
_ENCRYPTED_FLAG = 0x1
_DOCTYPES = tuple("<!DOCTYPE".encode(codec) for codec in ("utf-8", "utf-16-le", "utf-16-be"))


def check_package(file: Bytes, settings: Settings) -> io.BytesIO:
    """The package, ready to be opened by a library.

    All entries are unpacked once, in pieces that are thrown away, so what they unpack to is measured, not believed.

    Raises:
        DocumentEncrypted: it is an encrypted package.
        DocumentFormat: it is a file of the older binary format.
        DocumentExpands: it unpacks to more than `max_unpacked_bytes`, or to more XML than the largest text needs.
        DocumentDamaged: it is no whole zip file, or an XML part of it declares entities.
    """
    if file.data.startswith(_OLE):
        if _ENCRYPTED in file.data:
            raise DocumentEncrypted(source=file.source)
        raise DocumentFormat(source=file.source, media_type="a binary office file of the format before 2007")
    limit = settings.max_unpacked_bytes
    if file.data.count(_ENTRY) > MOST_ENTRIES:
        raise DocumentExpands(source=file.source, limit=limit)
    with translated(file), zipfile.ZipFile(io.BytesIO(file.data)) as package:
        _unpack(package, file, limit, min(limit, XML_PER_CHARACTER * settings.max_document_characters))
    return io.BytesIO(file.data)


def _unpack(package: zipfile.ZipFile, file: Bytes, limit: int, xml_limit: int) -> None:
    entries = package.infolist()
    if sum(entry.file_size for entry in entries) > limit:
        raise DocumentExpands(source=file.source, limit=limit)
    size = xml_size = 0
    for entry in entries:
        if entry.flag_bits & _ENCRYPTED_FLAG:
            raise DocumentEncrypted(source=file.source)
        is_xml = entry.filename.lower().endswith(_XML)
        before = b""
        with package.open(entry) as stream:
            while piece := stream.read(_CHUNK):
                size += len(piece)
                xml_size += len(piece) if is_xml else 0
                if size > limit or xml_size > xml_limit:
                    raise DocumentExpands(source=file.source, limit=limit if size > limit else xml_limit)
                if is_xml and any(mark in before + piece for mark in _DOCTYPES):
                    raise DocumentDamaged(source=file.source, media_type=file.media_type)
                before = piece[-_OVERLAP:]


_OVERLAP = max(map(len, _DOCTYPES))


@contextmanager
def translated(file: Bytes) -> Iterator[None]:
    """Turns what zipfile, lxml, python-docx and python-pptx raise for a damaged package into `DocumentDamaged`."""
    from lxml.etree import LxmlError

    try:
        yield
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        LxmlError,
        EOFError,
        OSError,
        NotImplementedError,
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        RuntimeError,
        TypeError,
        ValueError,
    ):
        raise DocumentDamaged(source=file.source, media_type=file.media_type) from None
    except Exception as error:
        if not type(error).__module__.startswith(("docx.", "pptx.")):
            raise
        raise DocumentDamaged(source=file.source, media_type=file.media_type) from None


class CoreProperties(Protocol):
    """The part of a package's core properties that is read here."""

    @property
    def created(self) -> datetime | None:
        """When its first version was made."""
        ...


def created_on(properties: CoreProperties) -> Published | None:
    """The day the package says that it was made, when that is no day of a template."""
    created = properties.created
    return own_date(created.date().isoformat()) if created else None
