"""Which file ending is which format, and who reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from extraction.loading.html import read_html
from extraction.loading.markdown import read_markdown
from extraction.loading.plain import read_plain
from extraction.loading.reading import Reader


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
)
"""All formats that can be read."""

BY_ENDING: Mapping[str, Format] = {ending: form for form in FORMATS for ending in form.endings}
"""The format of a file ending: `.md`, with its dot, lower case."""

_BY_MEDIA_TYPE: Mapping[str, Format] = {name: form for form in FORMATS for name in (form.media_type, *form.aliases)}


def format_of(kind: str) -> Format | None:
    """The format of a file ending (`.md`) or of a media type (`text/markdown; charset=utf-8`); none when unknown."""
    kind = kind.partition(";")[0].strip().lower()
    return BY_ENDING.get(kind) or _BY_MEDIA_TYPE.get(kind)
