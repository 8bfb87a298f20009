"""Question-answer pairs from a file: a table, JSON lines, or a Markdown page with a heading for each question.

A file is taken whole or not at all: a pair that is none is told with its place, so that a table whose columns slipped
is not taken in by half. All pairs of a file are one document, whose text holds them one after another; what is quoted
of an answer is so what the file says.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from causetrail.errors import DocumentEmpty, DocumentError, DocumentTooLarge, PairInvalid, PairsFormat
from causetrail.settings import Settings
from extraction.loading.dates import Published
from extraction.loading.decoding import decode
from extraction.loading.fields import plain_key
from extraction.loading.files import read_bytes
from extraction.loading.load import Loaded
from extraction.loading.markdown import read_markdown
from extraction.loading.normalise import NORMALISER, normalise
from extraction.loading.reading import Bytes
from extraction.loading.registry import format_of
from extraction.loading.tables import DELIMITERS, allow_fields_of
from kg.passage_texts import repeat_key
from kg.store import Source

PAIR_RULES: Final = "pairs-1"
"""Changes whenever the same file could give other pairs, or another text of them."""

_COLUMNS: Final = frozenset({"question", "answer"})
_HEADING: Final = re.compile(r"(#{1,6})[ \t]+(.+?)[ \t#]*")
_FENCE: Final = re.compile(r"[ \t]{0,3}(```+|~~~+)")


class _Row(BaseModel):
    """A line of JSON: these two keys and no others, both text."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: str
    answer: str


class _Pair(NamedTuple):
    """A pair as its file gives it, and where: `row 3`, `line 7`."""

    place: str
    question: str
    answer: str


def load_pairs(path: Path, settings: Settings, name: str, published: Published | None = None) -> Loaded | DocumentError:
    """Reads the pairs of one file; everything else as `load_pairs_bytes`."""
    try:
        data = read_bytes(path, name, settings.max_document_bytes)
    except DocumentError as error:
        return error
    return load_pairs_bytes(data, name, path.suffix, settings, published)


def load_pairs_bytes(
    data: bytes, name: str, kind: str, settings: Settings, published: Published | None = None
) -> Loaded | DocumentError:
    """Reads the pairs of an upload or of standard input.

    Args:
        data: All bytes.
        name: The source's name.
        kind: A file ending (`.csv`) or a media type.
        settings: The limits; `max_question_characters` is one for each question.
        published: The date the caller gives, which outranks the document's own.

    Returns:
        One document with the span of each pair, a repeat left out and counted; or the error, nothing is raised.
    """
    form = format_of(kind)
    read = _READERS.get(form.media_type) if form else None
    if form is None or read is None:
        return PairsFormat(source=name, reason=f"pairs are not read from {kind or 'a file without ending'}")
    if len(data) > settings.max_document_bytes:
        return DocumentTooLarge(source=name, size=len(data), unit="bytes", limit=settings.max_document_bytes)
    if not data.strip():
        return DocumentEmpty(source=name)
    file = Bytes(data, name, form.media_type)
    try:
        title, date = _head(file, settings)
        return _joined(list(read(file, settings)), file, settings, title, published or date)
    except DocumentError as error:
        return error


def _joined(
    given: list[_Pair], file: Bytes, settings: Settings, title: str | None, published: Published | None
) -> Loaded:
    """The document of the pairs: a question on one line, its answer below, an empty line between pairs."""
    if not given:
        raise DocumentEmpty(source=file.source)
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    seen: set[str] = set()
    start = 0
    for pair in given:
        text = _text_of(pair, file.source, settings.max_question_characters)
        key = repeat_key(text)
        if key in seen:
            continue
        seen.add(key)
        parts.append(text)
        spans.append((start, start + len(text)))
        start += len(text) + 2
    size, limit = start - 2, settings.max_document_characters
    if size > limit:
        raise DocumentTooLarge(source=file.source, size=size, unit="characters", limit=limit)
    source = Source(
        name=file.source,
        raw_sha256=hashlib.sha256(file.data).hexdigest(),
        origin=file.source,
        doc_title=title or PurePosixPath(file.source).name,
        published=published.start if published else None,
        published_resolution=published.resolution if published else None,
        media_type=file.media_type,
        pages=(),
        normaliser=NORMALISER,
    )
    return Loaded(source, "\n\n".join(parts), tuple(spans), len(given) - len(parts))


def _text_of(pair: _Pair, source: str, longest: int) -> str:
    question = " ".join(normalise(pair.question, source).split())
    answer = normalise(pair.answer, source).strip()
    if not question or not answer:
        raise PairInvalid(
            source=source, place=pair.place, reason=f"its {'answer' if question else 'question'} is empty"
        )
    if len(question) > longest:
        raise PairInvalid(
            source=source,
            place=pair.place,
            reason=f"its question has {len(question)} characters, and the setting max_question_characters is {longest}",
        )
    return f"{question}\n{answer}"


def _head(file: Bytes, settings: Settings) -> tuple[str | None, Published | None]:
    """Title and date that the file gives itself: only a Markdown page does."""
    if file.media_type != "text/markdown":
        return None, None
    (reading,) = read_markdown(file, settings)
    return reading.title, reading.published


def _from_csv(file: Bytes, settings: Settings) -> Iterator[_Pair]:
    text = decode(file.data, file.source)
    allow_fields_of(len(text))
    shown = ""
    for delimiter in DELIMITERS:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            header = [plain_key(name) for name in next((row for row in rows if any(row)), [])]
        except csv.Error:
            continue
        if len(header) == len(_COLUMNS) and _COLUMNS.issuperset(header) and _COLUMNS.issubset(header):
            yield from _from_rows(rows, header, file)
            return
        shown = shown or ", ".join(header)[:200]
    raise PairsFormat(source=file.source, reason=f"its columns are not question and answer but: {shown}")


def _from_rows(rows: Iterator[list[str]], header: list[str], file: Bytes) -> Iterator[_Pair]:
    number = 0
    while True:
        number += 1
        try:
            row = next(rows, None)
            while row is not None and not any(row):
                row = next(rows, None)
        except csv.Error:
            raise PairInvalid(
                source=file.source, place=f"row {number}", reason="its quotation marks do not close"
            ) from None
        if row is None:
            return
        if len(row) != len(header):
            reason = f"it has {len(row)} columns and not {len(header)}"
            raise PairInvalid(source=file.source, place=f"row {number}", reason=reason)
        fields = dict(zip(header, row, strict=True))
        yield _Pair(f"row {number}", fields["question"], fields["answer"])


def _from_json_lines(file: Bytes, settings: Settings) -> Iterator[_Pair]:
    for number, line in enumerate(decode(file.data, file.source).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = _Row.model_validate_json(line)
        except (ValidationError, ValueError):
            reason = "it is no JSON object with the two keys question and answer, both text"
            raise PairInvalid(source=file.source, place=f"line {number}", reason=reason) from None
        yield _Pair(f"line {number}", row.question, row.answer)


def _from_markdown(file: Bytes, settings: Settings) -> Iterator[_Pair]:
    """A heading that ends with a question mark is a question; a deeper one that does not is part of its answer."""
    (reading,) = read_markdown(file, settings)
    question: tuple[int, int, str] | None = None
    answer: list[str] = []
    found, fence = False, ""
    for number, line in enumerate(reading.pages[0].splitlines(), start=1):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        heading = None if fence else _HEADING.fullmatch(line.rstrip())
        asks = heading is not None and heading[2].rstrip("*_ ").endswith("?")
        if heading is not None and (asks or (question is not None and len(heading[1]) <= question[1])):
            if question is not None:
                yield _Pair(f"line {question[0]}", question[2], "\n".join(answer))
            question = (number, len(heading[1]), heading[2].strip("*_ ")) if asks else None
            answer, found = [], found or asks
        elif question is not None:
            answer.append(line)
    if question is not None:
        yield _Pair(f"line {question[0]}", question[2], "\n".join(answer))
    if not found:
        raise PairsFormat(source=file.source, reason="no heading of it ends with a question mark")


_READERS: Final[Mapping[str, Callable[[Bytes, Settings], Iterator[_Pair]]]] = {
    "text/csv": _from_csv,
    "application/x-ndjson": _from_json_lines,
    "text/markdown": _from_markdown,
}
"""Who reads the pairs of each media type."""
