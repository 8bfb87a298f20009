"""Tables of comma- or tab-separated values: each row is a document, its columns are told by their names."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Iterator

from causetrail.errors import DocumentDamaged, DocumentEmpty, DocumentError, DocumentFields
from causetrail.settings import Settings
from extraction.loading.decoding import decode
from extraction.loading.fields import EXPECTED, TEXT_FIELDS, date_in, field_in, plain_key, title_in
from extraction.loading.reading import Bytes, Reading

DELIMITERS = ",;\t|"
"""What may stand between the columns of a csv file; the one that gives the header a text column is taken."""

_TEXT_KEYS = frozenset(TEXT_FIELDS)
_FIELD_LIMIT = threading.Lock()


def read_csv(file: Bytes, settings: Settings) -> Iterator[Reading | DocumentError]:
    """The rows of a table whose header names its columns."""
    return _read(file, DELIMITERS)


def read_tsv(file: Bytes, settings: Settings) -> Iterator[Reading | DocumentError]:
    """The rows of a tab-separated table whose header names its columns."""
    return _read(file, "\t")


def _read(file: Bytes, delimiters: str) -> Iterator[Reading | DocumentError]:
    text = decode(file.data, file.source)
    allow_fields_of(len(text))
    for delimiter in delimiters:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            header = next((row for row in rows if any(row)), [])
        except csv.Error:
            continue
        if _TEXT_KEYS.intersection(map(plain_key, header)):
            yield from _rows(rows, header, file)
            return
    raise DocumentFields(source=file.source, reason="no column of its header is known to hold text", expected=EXPECTED)


def _rows(rows: Iterator[list[str]], header: list[str], file: Bytes) -> Iterator[Reading | DocumentError]:
    number = 0
    while True:
        number += 1
        source = f"{file.source}#{number}"
        try:
            row = next(rows)
            while not any(row):
                row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield DocumentDamaged(source=source, media_type=file.media_type)
            continue
        fields = dict(zip(header, row, strict=False))
        text = field_in(fields, TEXT_FIELDS)
        if isinstance(text, str):
            yield Reading((text,), title=title_in(fields), published=date_in(fields), row=number)
        else:
            yield DocumentEmpty(source=source)


def allow_fields_of(characters: int) -> None:
    """Raises the csv module's limit, which is one for the whole process, and never lowers it."""
    with _FIELD_LIMIT:
        csv.field_size_limit(max(csv.field_size_limit(), characters + 1))
