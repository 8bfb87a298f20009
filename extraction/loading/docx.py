"""Word documents: paragraphs and tables in the order of the body, without what is deleted or hidden.

python-docx opens the package and its properties; the walk over the body is ours, because the library leaves out
content controls and tracked insertions, and with them sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from causetrail.settings import Settings
from extraction.loading.metadata import own_title
from extraction.loading.packages import check_package, created_on, translated
from extraction.loading.reading import Bytes, Reading

if TYPE_CHECKING:
    from lxml.etree import _Element

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PARAGRAPH, _TABLE, _ROW, _CELL, _RUN = f"{_W}p", f"{_W}tbl", f"{_W}tr", f"{_W}tc", f"{_W}r"

UNSEEN = frozenset(f"{_W}{name}" for name in ("del", "moveFrom", "pict", "object", "instrText", "txbxContent"))
"""Elements whose text a reader of the document does not see, or sees elsewhere."""
CHARACTERS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}
"""Elements that stand for a character."""


def read_docx(file: Bytes, settings: Settings) -> Iterator[Reading]:
    """The body's text: paragraphs set off by empty lines, rows of tables on lines, cells by tabs."""
    import docx

    package = check_package(file, settings)
    with translated(file):
        document = docx.Document(package)
        properties = document.core_properties
        text = "\n\n".join(_blocks(document.element.body))
        title = own_title(properties.title) or _styled_title(document.element.body)
        reading = Reading((text,), title=title, published=created_on(properties))
    yield reading


def _blocks(parent: _Element) -> Iterator[str]:
    """The paragraphs and tables below `parent`, in order, those in content controls and insertions too."""
    for child in parent:
        if child.tag == _PARAGRAPH:
            text = _paragraph(child)
            if text.strip():
                yield text
        elif child.tag == _TABLE:
            text = _table(child)
            if text.strip():
                yield text
        elif child.tag not in UNSEEN:
            yield from _blocks(child)


def _table(table: _Element) -> str:
    rows = []
    for row in _nearest(table, _ROW):
        cells = [" ".join(" ".join(_blocks(cell)).split()) for cell in _nearest(row, _CELL)]
        rows.append("\t".join(cells).rstrip())
    return "\n".join(row for row in rows if row)


def _nearest(parent: _Element, tag: str) -> Iterator[_Element]:
    """The elements of this tag below `parent`, not those of a table inside."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag != _TABLE and child.tag not in UNSEEN:
            yield from _nearest(child, tag)


def _paragraph(paragraph: _Element) -> str:
    return "".join(_characters(paragraph))


def _characters(element: _Element) -> Iterator[str]:
    for child in element:
        if child.tag == f"{_W}t":
            yield child.text or ""
        elif child.tag in CHARACTERS:
            yield CHARACTERS[child.tag]
        elif child.tag not in UNSEEN and not _is_hidden(child):
            yield from _characters(child)


def _is_hidden(element: _Element) -> bool:
    if element.tag != _RUN:
        return False
    vanish = element.find(f"{_W}rPr/{_W}vanish")
    return vanish is not None and vanish.get(f"{_W}val") not in {"0", "false", "off"}


def _styled_title(body: _Element) -> str | None:
    """The first paragraph in the style of a title."""
    for style in body.iter(f"{_W}pStyle"):
        if style.get(f"{_W}val") == "Title":
            return _paragraph(style.getparent().getparent()) or None
    return None
