"""Words broken at the end of a line: whether their hyphen belongs to the word or to the line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from language.lexicon import readings

HYPHEN = "\ufffe"
"""What PDFium writes for a hyphen at the end of a line, in place of the hyphen and the line end."""

_BROKEN = re.compile(rf"(\w+){HYPHEN}(\w+)")
_WORD = re.compile(rf"(?<![\w{HYPHEN}-])[^\W\d_]+(?:-[^\W\d_]+)*(?![\w{HYPHEN}-])")


def mend_hyphens(pages: Sequence[str]) -> list[str]:
    """The pages with every `HYPHEN` replaced.

    A word that the document writes elsewhere without a hyphen is joined, one that it writes with a hyphen keeps it. Of
    the others a word of the English lexicon is joined (`bear-ing`), two words of it keep their hyphen (`well-known`),
    and a break at a digit or a capital keeps it too.
    """
    if not any(HYPHEN in page for page in pages):
        return list(pages)
    known = {word.casefold() for page in pages for word in _WORD.findall(page)}
    lexicon = readings().keys()

    def mend(broken: re.Match[str]) -> str:
        first, second = broken.groups()
        joined, hyphened = first + second, f"{first}-{second}"
        if joined.casefold() in known:
            return joined
        if hyphened.casefold() in known or not (first[-1].islower() and second[0].islower()):
            return hyphened
        if joined.casefold() in lexicon or not {first.casefold(), second.casefold()} <= lexicon:
            return joined
        return hyphened

    return [_BROKEN.sub(mend, page).replace(HYPHEN, "-") for page in pages]
