"""How much work a page would make its parser, told before it is parsed.

For a start tag an HTML parser looks through all elements that are open, and for an attribute through all attributes
before it, so deep nesting and endless tags take time that grows with the square of their size. A page made to that end
is refused at once.
"""

from __future__ import annotations

import re
from collections import Counter

from extraction.loading.html_elements import UNNESTED

MOST_WORK = 500_000_000
"""Elements and attributes looked at, summed over all tags: about three seconds of parsing."""

FEW_ATTRIBUTES = 1_000
"""A tag with no more separators than this is not looked at more closely."""

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]{0,40})([^>]*)")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SEPARATOR = re.compile(r"[\s/=]")


def is_too_much_work(page: str) -> bool:
    """Whether parsing the page would look at more than `MOST_WORK` elements and attributes."""
    opened: Counter[str] = Counter()
    depth = work = 0
    for tag in _TAG.finditer(page):
        name = tag.group(2).lower()
        if name not in UNNESTED:
            if not tag.group(1):
                opened[name] += 1
                depth += 1
            elif opened[name] > 0:
                opened[name] -= 1
                depth -= 1
        work += depth + _attribute_work(tag.group(3))
        if work > MOST_WORK:
            return True
    return False


def _attribute_work(inside: str) -> int:
    if len(inside) <= FEW_ATTRIBUTES:
        return 0
    count = len(_SEPARATOR.findall(_QUOTED.sub("", inside)))
    return count * count // 2 if count > FEW_ATTRIBUTES else 0
