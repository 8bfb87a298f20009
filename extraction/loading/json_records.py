"""JSON and JSON lines: an object is a document, its text, title and date are told by the names of its keys."""

from __future__ import annotations

import json
from collections.abc import Iterator

from causetrail.errors import DocumentDamaged, DocumentEmpty, DocumentError, DocumentFields, DocumentTooLarge
from causetrail.settings import Settings
from extraction.loading.decoding import decode
from extraction.loading.fields import EXPECTED, TEXT_FIELDS, date_in, field_in, plain_key, title_in
from extraction.loading.reading import Bytes, Reading


class _Number(str):
    """A number as it is written; no text of a document."""

    __slots__ = ()


_TEXT_KEYS = frozenset(TEXT_FIELDS)


def read_json(file: Bytes, settings: Settings) -> Iterator[Reading | DocumentError]:
    """One object, or a list of objects or texts; the list may be the only list of objects in an enclosing object."""
    value = _parse(decode(file.data, file.source), file.source, file.media_type, settings)
    rows = _rows_in(value)
    if rows is None:
        yield _reading(value, file.source, None)
        return
    if not rows:
        raise DocumentEmpty(source=file.source)
    for number, row in enumerate(rows, start=1):
        yield _row(row, file.source, number)


def read_json_lines(file: Bytes, settings: Settings) -> Iterator[Reading | DocumentError]:
    """One object or text a line; a row's number is its line's, empty lines are passed over."""
    text = decode(file.data, file.source)
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        source = f"{file.source}#{number}"
        try:
            value = _parse(line, source, file.media_type, settings)
        except DocumentError as error:
            yield error
        else:
            yield _row(value, file.source, number)


def _parse(text: str, source: str, media_type: str, settings: Settings) -> object:
    """The value that the text stands for; numbers stay text, so that none is too long or too large."""
    values = text.count(",") + text.count("[") + text.count("{")
    if values > settings.max_document_values:
        limit = settings.max_document_values
        raise DocumentTooLarge(source=source, size=values, unit="values", limit=limit)
    try:
        return json.loads(text, parse_int=_Number, parse_float=_Number, parse_constant=_Number)
    except (ValueError, RecursionError):
        raise DocumentDamaged(source=source, media_type=media_type) from None


def _rows_in(value: object) -> list[object] | None:
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and field_in(value, TEXT_FIELDS) is None:
        lists = [
            inner for inner in value.values() if isinstance(inner, list) and any(isinstance(i, dict) for i in inner)
        ]
        if len(lists) == 1:
            return lists[0]
    return None


def _row(value: object, origin: str, number: int) -> Reading | DocumentError:
    try:
        return _reading(value, f"{origin}#{number}", number)
    except DocumentError as error:
        return error


def _reading(value: object, source: str, row: int | None) -> Reading:
    if _is_text(value):
        return Reading((str(value),), row=row)
    if not isinstance(value, dict):
        raise DocumentFields(source=source, reason="it is neither an object nor a text", expected=EXPECTED)
    text = _text_of(field_in(value, TEXT_FIELDS))
    if text is None:
        if _TEXT_KEYS.intersection(map(plain_key, value)):
            raise DocumentEmpty(source=source)
        raise DocumentFields(source=source, reason="no key of the object is known to hold text", expected=EXPECTED)
    return Reading((text,), title=title_in(value), published=date_in(value), row=row)


def _text_of(value: object) -> str | None:
    """The text of a field; a list of texts is read as paragraphs."""
    if _is_text(value):
        return str(value)
    if isinstance(value, list) and value and all(map(_is_text, value)):
        return "\n\n".join(value)
    return None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, _Number)
