"""What a passage says to whom: the words that are found, the words that are embedded, and the part that is quoted.

A pair stands in its document as its question, on one line, and its answer below it. People ask more like the question
than like the answer, so its vector is that of the question; by words it is found in both.
"""

from __future__ import annotations

import hashlib

from kg.records import Passage, PassageKind


def embedded_text(passage: Passage, text: str) -> str:
    """What the vector of a passage is made of: its words, of a pair the question.

    Args:
        passage: The passage.
        text: The text of its document.
    """
    return text[passage.start : _question_end(passage, text)]


def told_span(passage: Passage, text: str) -> tuple[int, int]:
    """Where that stands which a passage tells and which may be quoted: all of it, of a pair the answer."""
    end = _question_end(passage, text)
    return (passage.start, passage.end) if end == passage.end else (end + 1, passage.end)


def repeat_key(text: str) -> str:
    """Equal for texts that differ in nothing but case and white space: MD5 of the normalised text, as published."""
    return hashlib.md5(" ".join(text.casefold().split()).encode("utf-8"), usedforsecurity=False).hexdigest()


def _question_end(passage: Passage, text: str) -> int:
    """Where the question of a pair ends; where the passage does, of any other."""
    if passage.kind is not PassageKind.PAIR:
        return passage.end
    end = text.find("\n", passage.start, passage.end)
    return passage.end if end < 0 else end
