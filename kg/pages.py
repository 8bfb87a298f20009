"""From an offset in a document's text to its page."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def page_at(pages: Sequence[int], offset: int) -> int | None:
    """The page that the character at `offset` stands on, 1-based; none for a format without pages.

    Args:
        pages: Start offset of each page in ascending order, first page first: `Document.pages`.
        offset: Character of the document's text, 0-based. What stands before the first page counts as page 1.
    """
    if not pages:
        return None
    return max(1, bisect_right(pages, offset))
