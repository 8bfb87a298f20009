"""Markdown: the text as it is written, title and date from its front matter.

The lines of the front matter are left as empty lines, so that a line number of the text is one of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from causetrail.settings import Settings
from extraction.loading.decoding import decode
from extraction.loading.fields import date_in, title_in
from extraction.loading.reading import Bytes, Reading

LONGEST_FRONT_MATTER = 20_000
"""A block between two rules that is longer than this is text, in characters."""

_BLOCK = re.compile(r"\ufeff?---[ \t]*\r?\n.*?^---[ \t\r]*$", re.DOTALL | re.MULTILINE)
_KEY = re.compile(r"[\w-]+(?: [\w-]+)?")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$|^(\S.*)\r?\n=+[ \t]*$", re.MULTILINE)


def read_markdown(file: Bytes, settings: Settings) -> Iterator[Reading]:
    """The Markdown source without its front matter."""
    text = decode(file.data, file.source)
    fields, text = _split(text)
    title = title_in(fields) or _first_heading(text)
    yield Reading((text,), title=title, published=date_in(fields))


def _split(text: str) -> tuple[Mapping[str, object], str]:
    """The fields of the front matter and the text with empty lines in its place."""
    block = _BLOCK.match(text, 0, LONGEST_FRONT_MATTER)
    if block is None:
        return {}, text
    fields = _fields_of(block.group())
    if not fields:
        return {}, text
    return fields, "\n" * block.group().count("\n") + text[block.end() :]


def _fields_of(block: str) -> Mapping[str, object]:
    """The mapping that the block holds; empty when it is no YAML mapping, and so no front matter."""
    import yaml

    # BaseLoader builds no objects and leaves every scalar as text, so that a date is read by `dates` and nowhere else.
    try:
        fields = yaml.load("\n".join(block.splitlines()[1:-1]), Loader=yaml.BaseLoader)  # noqa: S506
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    if not isinstance(fields, dict):
        return {}
    return fields if all(isinstance(key, str) and _KEY.fullmatch(key) for key in fields) else {}


def _first_heading(text: str) -> str | None:
    found = _HEADING.search(text, 0, LONGEST_FRONT_MATTER)
    return (found.group(1) or found.group(2)) if found else None
