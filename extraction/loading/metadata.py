"""What the metadata of packed formats are worth: titles and dates that programs fill in by themselves are left out."""

from __future__ import annotations

import re

from extraction.loading.dates import Published, parse_date

PLACEHOLDER_TITLES = re.compile(
    r"""
    \(?(anonymous|unspecified|untitled|unknown|none|null|title|document|presentation)\)?[ \d]*
    | (word|powerpoint)\ (document|presentation) | powerpoint-pr\S+ | slide\ \d+
    | microsoft\ (word|powerpoint|excel)\b.*
    | \S+\.(docx?|pptx?|xlsx?|indd|pdf|txt|tex|dvi|html?|qxp|pmd|rtf|odt)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Titles that a program wrote and no person: names of files, names of programs, empty words."""

PLACEHOLDER_DATES: frozenset[str] = frozenset(
    f"{day}T00:00:00Z"
    for day in (
        "1601-01-01",
        "1900-01-01",
        "1904-01-01",
        "1970-01-01",
        "1980-01-01",
        "2000-01-01",
        "2013-12-23",
        "2013-01-27",
    )
)
"""Zero days of clocks and file systems, and the days the templates of python-docx and python-pptx were made."""

FIRST_METADATA = "1990"
"""No format with metadata is older; an earlier year is a fault of a clock."""


def own_title(value: object) -> str | None:
    """The title when a person seems to have written it."""
    if not isinstance(value, str):
        return None
    title = " ".join(value.split())
    return None if not title or PLACEHOLDER_TITLES.fullmatch(title) else title


def own_date(value: object) -> Published | None:
    """The date of creation when it is neither a placeholder nor older than the format."""
    date = parse_date(value)
    if date is None or date.start in PLACEHOLDER_DATES or date.start < FIRST_METADATA:
        return None
    return date
