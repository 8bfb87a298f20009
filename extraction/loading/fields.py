"""Which field of a record is its text, its title and its date: rows of tables, JSON objects, front matter."""

from __future__ import annotations

from collections.abc import Mapping

from extraction.loading.dates import Published, parse_date

TEXT_FIELDS: tuple[str, ...] = (
    "text",
    "body",
    "content",
    "description",
    "narrative",
    "report",
    "message",
    "details",
    "summary",
    "notes",
    "comment",
)
"""Names of the field that holds the text; the first one present is taken."""
TITLE_FIELDS: tuple[str, ...] = ("title", "doc_title", "headline", "heading", "subject")
"""Names of the field that holds the title."""
DATE_FIELDS: tuple[str, ...] = (
    "published",
    "date_published",
    "datepublished",
    "published_at",
    "publication_date",
    "pubdate",
    "date",
    "issued",
    "created",
    "created_at",
    "timestamp",
)
"""Names of the field that holds the date of publication. Dates of change are not among them."""

EXPECTED = ", ".join(TEXT_FIELDS)
"""What a user is told to name the text field."""


def plain_key(name: str) -> str:
    """A field name as these tables write it: `Date Published` and `date-published` are `date_published`."""
    return "_".join(name.strip().lstrip("\ufeff").casefold().replace("-", " ").replace("_", " ").split())


def field_in(fields: Mapping[str, object], names: tuple[str, ...]) -> object | None:
    """The value of the first of `names` that the record has and that is not empty."""
    known: dict[str, object] = {}
    for key, value in fields.items():
        known.setdefault(plain_key(key), value)
    for name in names:
        value = known.get(name)
        if value not in (None, "", [], {}):
            return value
    return None


def title_in(fields: Mapping[str, object]) -> str | None:
    """The title of the record."""
    value = field_in(fields, TITLE_FIELDS)
    return value if isinstance(value, str) else None


def date_in(fields: Mapping[str, object]) -> Published | None:
    """The date of publication of the record: the first of its date fields that holds a date."""
    for name in DATE_FIELDS:
        published = parse_date(field_in(fields, (name,)))
        if published:
            return published
    return None
