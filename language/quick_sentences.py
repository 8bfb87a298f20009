"""Sentences and tokens in a few milliseconds, for the short texts that are read while a question waits.

The layout and the sentence rules are those of `SentenceReader`; the words are cut by a pattern instead of spaCy's
tokeniser, whose import alone takes longer than a question may. No claim is made of what comes from here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from language.boundaries import sentence_ends
from language.layout import read_blocks
from language.lemmas import lemma_of
from language.tokens import Sentence, Token

_TOKEN = re.compile(
    r"[^\W_]+(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b|[^\W_]+(?:[-.,/:&][^\W_]+)*|[^\s]", re.IGNORECASE
)


def quick_sentences(text: str, offset: int = 0) -> list[Sentence]:
    """The sentences of a stretch of a document, in order, without tags and heads.

    Args:
        text: The stretch.
        offset: Where it starts in its document; sentences and tokens carry the document's offsets.
    """
    return list(_sentences(text, offset))


# One question reads the same passages for several of its steps.
@lru_cache(maxsize=256)
def _sentences(text: str, offset: int) -> tuple[Sentence, ...]:
    found: list[Sentence] = []
    for number, block in enumerate(read_blocks(text)):
        for start, end in _stretches(block.text, prose=block.prose):
            tokens = tuple(_tokens(block.text[start:end], offset + block.start + start))
            if tokens:
                first, last = tokens[0].start, tokens[-1].end
                words = text[first - offset : last - offset]
                found.append(Sentence(words, first, last, tokens, number, block.prose))
    return tuple(found)


def _stretches(text: str, *, prose: bool) -> Iterator[tuple[int, int]]:
    start = 0
    for end in sentence_ends(text) if prose else ():
        yield start, end
        start = end
    yield start, len(text)


def _tokens(text: str, offset: int) -> Iterator[Token]:
    for match in _TOKEN.finditer(text):
        lower = match.group().lower().replace("’", "'")
        yield Token(match.group(), offset + match.start(), offset + match.end(), lower, lemma_of(lower))
