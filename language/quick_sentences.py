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

_WORD = r"['’](?:s|re|ve|ll|d|m)\b|[^\W_]+(?:[-.,/:&][^\W_]+)*|[^\s]"
_TOKEN = re.compile(_WORD, re.IGNORECASE)
_CONTRACTED = re.compile(rf"[^\W_]+(?=n['’]t\b)|n['’]t\b|{_WORD}", re.IGNORECASE)
"""The same for a text that has a contraction: to look for its end behind every letter takes as long as all the rest."""
_CONTRACTION = re.compile(r"n['’]t\b", re.IGNORECASE)


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
    pattern = _TOKEN if _CONTRACTION.search(text) is None else _CONTRACTED
    for match in pattern.finditer(text):
        word, (start, end) = match.group(), match.span()
        yield Token(word, offset + start, offset + end, *_forms(word))


@lru_cache(maxsize=65_536)
def _forms(word: str) -> tuple[str, str]:
    """A word in lower case, and its lemma."""
    lower = word.lower().replace("’", "'")
    return lower, lemma_of(lower)
