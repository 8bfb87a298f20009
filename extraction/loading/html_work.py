"""How much work a page would make its parser, told before it is parsed.

For a start tag an HTML parser looks through all elements that are open, so pages of deep nesting take time that grows
with the square of their size. A page made to that end is refused at once.
"""

from __future__ import annotations

import re
from collections import Counter

from extraction.loading.html_elements import UNNESTED

MOST_WORK = 500_000_000
"""Open elements looked at, summed over all tags: about three seconds, 30,000 elements one inside the other."""

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]{0,40})")


def is_too_much_work(page: str) -> bool:
    """Whether parsing the page would look at more than `MOST_WORK` open elements."""
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
        work += depth
        if work > MOST_WORK:
            return True
    return False
