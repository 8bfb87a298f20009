"""Bytes to characters, for the formats that are text.

The encoding is told, never guessed: by a byte order mark, by the format itself, or it is UTF-8. A guess that is wrong
changes words, and with them the quotes that prove an answer; so a file in another encoding is refused with the
position of its first bad byte.
"""

from __future__ import annotations

import codecs
import re

from causetrail.errors import DocumentBinary, DocumentCharacters, DocumentEncoding

_MARKS: tuple[tuple[bytes, str, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
"""Byte order marks; UTF-32 before UTF-16, whose mark is the beginning of the other's."""

_MAGIC: tuple[bytes, ...] = (
    b"PK\x03\x04",
    b"%PDF-",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"\x1f\x8b",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a",
    b"\x7fELF",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"SQLite format 3\x00",
    b"BZh9",
    b"\xfd7zXZ",
    b"\x28\xb5\x2f\xfd",
)
"""First bytes of packed, pictured, compiled and office formats."""

CONTROL_SHARE = 0.02
"""Share of control characters from which bytes are not text. A log with terminal colours has about 0.01."""

FEW_CONTROLS = 8
"""So many control characters do not make bytes binary, however short they are; each is judged by itself."""

_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_SAMPLE = 65_536


def decode(data: bytes, source: str, declared: str | None = None) -> str:
    """The characters of `data`, with any byte order mark removed.

    Args:
        data: The bytes of a text format.
        source: The name that errors give it.
        declared: Encoding that the format itself declares (a `meta` element of HTML); a byte order mark outranks it.

    Raises:
        DocumentBinary: these are not the bytes of a text.
        DocumentEncoding: a byte is not valid in the encoding.
        DocumentCharacters: half of a surrogate pair stands in otherwise valid UTF-8 or UTF-16.
    """
    codec, encoding = _encoding_of(data, declared)
    if _is_unmarked_utf16(data[:_SAMPLE], encoding):
        raise DocumentEncoding(source=source, encoding=encoding, position=data.index(0))
    if _is_binary(data, encoding):
        raise DocumentBinary(source=source)
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        position = error.start
    _refuse_surrogates(data, source, codec)
    raise DocumentEncoding(source=source, encoding=encoding, position=position)


def _encoding_of(data: bytes, declared: str | None) -> tuple[str, str]:
    for mark, codec, encoding in _MARKS:
        if data.startswith(mark):
            return codec, encoding
    if declared:
        try:
            info = codecs.lookup(declared)
        except (LookupError, ValueError):
            return "utf-8", "UTF-8"
        if info._is_text_encoding:
            return info.name, info.name.upper()
    return "utf-8", "UTF-8"


def _is_binary(data: bytes, encoding: str) -> bool:
    if encoding in {"UTF-16", "UTF-32"}:
        return False
    if data.startswith(_MAGIC):
        return True
    sample = data[:_SAMPLE]
    return len(_CONTROLS.findall(sample)) > max(FEW_CONTROLS, CONTROL_SHARE * len(sample))


def _is_unmarked_utf16(sample: bytes, encoding: str) -> bool:
    """English in UTF-16 has NUL as every second byte: an encoding to be named as such, not binary data."""
    if encoding in {"UTF-16", "UTF-32"}:
        return False
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    most, least = max(even, odd), min(even, odd)
    controls = len(_CONTROLS.findall(sample.replace(b"\x00", b"")))
    return least == 0 and most > max(FEW_CONTROLS, 0.4 * (len(sample) / 2)) and controls <= FEW_CONTROLS


def _refuse_surrogates(data: bytes, source: str, codec: str) -> None:
    if not codec.startswith(("utf-8", "utf-16", "utf-32")):
        return
    try:
        text = data.decode(codec, "surrogatepass")
    except UnicodeDecodeError:
        return
    found = re.search("[\ud800-\udfff]", text)
    if found:
        reason = f"the lone surrogate U+{ord(found.group()):04X} at position {found.start()}"
        raise DocumentCharacters(source=source, reason=reason)
