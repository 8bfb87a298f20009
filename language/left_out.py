"""What a question leaves out of the answer: "did anything *other than the storm* cause it?"."""

from __future__ import annotations

import re
from typing import Final

from language.content_words import content_keys

_LEFT_OUT: Final = re.compile(
    r"\b(?:(?:(?:any|some)(?:thing|one|body)|what|who|which \w+|(?:any|some|other) \w+)(?: else)?,? "
    r"(?:other than|apart from|aside from|besides|except(?: for)?)"
    r"|(?:any|some)(?:thing|one|body) (?:but|else than)) (?P<out>\w.*)",
    re.IGNORECASE,
)


def left_out(question: str) -> str:
    """The first word of what a question leaves out, as it stands there; empty where it leaves out nothing.

    Where that ends and what is asked goes on is not read: "apart from ice did the board name ..."

    Args:
        question: In English.
    """
    match = _LEFT_OUT.search(question)
    if match is None:
        return ""
    return next((word for word in re.findall(r"[\w'-]+", match["out"]) if content_keys(word)), "")
