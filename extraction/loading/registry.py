"""Which file ending is which format, and who reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from extraction.loading.docx import read_docx
from extraction.loading.html import read_html
from extraction.loading.json_records import read_json, read_json_lines
from extraction.loading.markdown import read_markdown
from extraction.loading.pdf import read_pdf
from extraction.loading.plain import read_plain
from extraction.loading.pptx import read_pptx
from extraction.loading.reading import Reader
from extraction.loading.tables import read_csv, read_tsv


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    Attributes:
        media_type: Its IANA media type.
        endings: The file endings that name it, lower case.
        aliases: Other media types that uploads give it.
    """

    media_type: str
    endings: tuple[str, ...]
    read: Reader
    aliases: tuple[str, ...] = ()


FORMATS: tuple[Format, ...] = (
    Format("text/plain", (".txt", ".text", ".log"), read_plain),
    Format("text/markdown", (".md", ".markdown"), read_markdown, ("text/x-markdown",)),
    Format("text/html", (".html", ".htm", ".xhtml"), read_html, ("application/xhtml+xml",)),
    Format("application/pdf", (".pdf",), read_pdf, ("application/x-pdf",)),
    Format("application/vnd.openxmlformats-officedocument.wordprocessingml.document", (".docx",), read_docx),
    Format("application/vnd.openxmlformats-officedocument.presentationml.presentation", (".pptx",), read_pptx),
    Format("text/csv", (".csv",), read_csv, ("application/csv",)),
    Format("text/tab-separated-values", (".tsv", ".tab"), read_tsv),
    Format("application/json", (".json",), read_json),
    Format(
        "application/x-ndjson", (".jsonl", ".ndjson"), read_json_lines, ("application/jsonl", "application/jsonlines")
    ),
)
"""All formats that can be read."""

BY_ENDING: Mapping[str, Format] = {ending: form for form in FORMATS for ending in form.endings}
"""The format of a file ending: `.md`, with its dot, lower case."""

_BY_MEDIA_TYPE: Mapping[str, Format] = {name: form for form in FORMATS for name in (form.media_type, *form.aliases)}


def format_of(kind: str) -> Format | None:
    """The format of a file ending (`.md`) or of a media type (`text/markdown; charset=utf-8`); none when unknown."""
    kind = kind.partition(";")[0].strip().lower()
    return BY_ENDING.get(kind) or _BY_MEDIA_TYPE.get(kind)
