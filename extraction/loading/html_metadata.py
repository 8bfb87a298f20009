"""What a page says of itself: title and date of publication, from `meta` elements, JSON-LD and `time` elements."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from extraction.loading.dates import Published, parse_date

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

DATE_NAMES: tuple[str, ...] = (
    "article:published_time",
    "og:article:published_time",
    "datepublished",
    "citation_publication_date",
    "citation_date",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.date",
    "dc.date",
    "pubdate",
    "publish_date",
    "parsely-pub-date",
    "sailthru.date",
    "date",
)
"""Names of `meta` elements that give the date of publication, most telling first.

Dates of change are not among them."""
TITLE_NAMES: tuple[str, ...] = ("og:title", "citation_title", "dc.title", "twitter:title")
"""Names of `meta` elements that give the title."""
LONGEST_JSON = 1_000_000
"""Longer JSON-LD is not looked at, in characters."""
DEEPEST = 6
"""How deep in JSON-LD a date is looked for."""


def title_of(tree: LexborHTMLParser) -> str | None:
    """The title the page declares, else its `title` element, else its first heading."""
    declared = _meta(tree)
    for name in TITLE_NAMES:
        if declared.get(name):
            return declared[name]
    for selector in ("head title", "h1"):
        node = tree.css_first(selector)
        if node is not None and node.text().strip():
            return str(node.text())
    return None


def published_of(tree: LexborHTMLParser) -> Published | None:
    """The date of publication that the page declares; none when it declares none."""
    declared = _meta(tree)
    written = [declared.get(name) for name in DATE_NAMES]
    written.extend(_linked_dates(tree))
    for node in tree.css("time[itemprop=datePublished], time[pubdate]"):
        written.append(node.attributes.get("datetime") or node.text())
    return next((date for date in map(parse_date, written) if date), None)


def _meta(tree: LexborHTMLParser) -> dict[str, str]:
    """Contents of the `meta` elements by lower-case name; the first of a name counts."""
    found: dict[str, str] = {}
    for node in tree.css("meta[content]"):
        attributes = node.attributes
        name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop")
        content = attributes.get("content")
        if name and content:
            found.setdefault(name.strip().lower(), content)
    return found


def _linked_dates(tree: LexborHTMLParser) -> Iterator[str]:
    for node in tree.css('script[type="application/ld+json"]'):
        text = node.text()
        if len(text) > LONGEST_JSON:
            continue
        try:
            data = json.loads(text, parse_int=str)
        except (ValueError, RecursionError):
            continue
        yield from _dates_in(data, DEEPEST)


def _dates_in(data: object, depth: int) -> Iterator[str]:
    if depth == 0:
        return
    if isinstance(data, dict):
        value = data.get("datePublished")
        if isinstance(value, str):
            yield value
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    for item in inner:
        yield from _dates_in(item, depth - 1)
