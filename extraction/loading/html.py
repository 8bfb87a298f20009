"""HTML: the text a reader of the page sees, in its order, with the title and date that the page declares.

selectolax parses like a browser does and is fast; the walk over its tree is a loop, so that no depth of nesting can
exhaust the stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from causetrail.errors import DocumentDamaged
from causetrail.settings import Settings
from extraction.loading.decoding import decode
from extraction.loading.html_elements import BLOCKS, CELLS, LINES, UNSEEN
from extraction.loading.html_metadata import published_of, title_of
from extraction.loading.html_work import is_too_much_work
from extraction.loading.reading import Bytes, Reading

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|em|rem|pt|%)?\s*(?:;|!|$)", re.IGNORECASE
)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_PRELUDE = 1_024


def read_html(file: Bytes, settings: Settings) -> Iterator[Reading]:
    """The visible text; paragraphs are set off by empty lines, cells by tabs."""
    from selectolax.lexbor import LexborHTMLParser

    declared = _DECLARED.search(file.data, 0, _PRELUDE)
    page = decode(file.data, file.source, declared.group(1).decode("ascii") if declared else None)
    if is_too_much_work(page):
        raise DocumentDamaged(source=file.source, media_type=file.media_type)
    tree = LexborHTMLParser(page)
    text = _visible_text(tree.body) if tree.body is not None else ""
    yield Reading((text,), title=title_of(tree), published=published_of(tree))


def _visible_text(body: LexborNode) -> str:
    out = _Text()
    node: LexborNode | None = body
    while node is not None:
        child = _enter(node, out)
        if child is not None:
            node = child
            continue
        node = _leave_until_next(node, body, out)
    return out.finish()


def _enter(node: LexborNode, out: _Text) -> LexborNode | None:
    """Writes what the node itself shows; gives its first child when its content shows."""
    tag = node.tag or ""
    if tag == "-text":
        out.words(node.text_content or "")
        return None
    if tag == "br":
        out.line()
        return None
    if tag in UNSEEN or not node.is_element_node or _is_hidden(node):
        return None
    out.open(tag)
    first = node.child
    if first is None:
        out.close(tag)
    return first


def _leave_until_next(node: LexborNode, body: LexborNode, out: _Text) -> LexborNode | None:
    """The next node in document order that is not inside `node`; closes the elements that end before it."""
    current: LexborNode | None = node
    while current is not None and current.mem_id != body.mem_id:
        following = current.next
        if following is not None:
            return following
        current = current.parent
        if current is not None:
            out.close(current.tag or "")
    return None


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    if "hidden" in attributes:
        return True
    style = attributes.get("style")
    return bool(style and _HIDDEN_STYLE.search(style))


class _Text:
    """Gathers words and breaks: spaces and line ends of the source are one space, except inside `pre`."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._break = ""
        self._preformatted = 0

    def words(self, text: str) -> None:
        if not self._preformatted:
            text = _SPACES.sub(" ", text)
            if self._break or not self._parts or self._parts[-1][-1:] in {" ", "\n", "\t"}:
                text = text.lstrip(" ")
        if not text:
            return
        if self._break and self._parts:
            self._parts[-1] = self._parts[-1].rstrip(" ")
            self._parts.append(self._break)
        self._break = ""
        self._parts.append(text)

    def line(self) -> None:
        self._set_off("\n" if self._break != "\n" else "\n\n")

    def open(self, tag: str) -> None:
        if tag == "pre":
            self._preformatted += 1
        self._around(tag)
        if tag in CELLS:
            self._set_off("\t")

    def close(self, tag: str) -> None:
        if tag == "pre":
            self._preformatted -= 1
        self._around(tag)

    def finish(self) -> str:
        return "".join(self._parts).rstrip()

    def _around(self, tag: str) -> None:
        if tag in LINES:
            self._set_off("\n")
        elif tag in BLOCKS:
            self._set_off("\n\n")

    def _set_off(self, separator: str) -> None:
        """Keeps the strongest separator that waits for the next words."""
        if _STRENGTH[separator] > _STRENGTH[self._break]:
            self._break = separator


_STRENGTH = {"": 0, "\t": 1, "\n": 2, "\n\n": 3}
