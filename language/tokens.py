"""Tokens and sentences with exact offsets; what every other part of this room works on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Token(NamedTuple):
    """One token. `text == document_text[start:end]`, always.

    Attributes:
        start: First character in code points of the document's text.
        end: One past the last character.
        lower: The text in lower case, apostrophes made straight.
        lemma: Lower-case lemma; a best guess where there is no tagger.
        pos: Universal part of speech; empty where there is no tagger.
        dep: Universal or spaCy dependency label; empty where there is no parser.
        head: Index, in the sentence, of the governing token; its own index for a root and where there is no parser.
    """

    text: str
    start: int
    end: int
    lower: str
    lemma: str
    pos: str = ""
    dep: str = ""
    head: int = -1


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence. `text == document_text[start:end]`, without white space at either end.

    Attributes:
        block: Number of the layout block (paragraph, list item, heading, table row) it stands in, 0-based. Two
            sentences are adjacent for a connective only when they share a block or stand in following prose blocks.
        prose: False for headings, table rows, running heads and contents lines, from which no claim is taken.
    """

    text: str
    start: int
    end: int
    # What a sentence has been found to say is kept by the sentence, and a hash of all its tokens takes as long as that.
    tokens: tuple[Token, ...] = field(hash=False)
    block: int
    prose: bool
