"""Reads a document's text into sentences with exact offsets: layout first, then sentences inside each block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from language.boundaries import sentence_ends
from language.layout import Block, read_blocks
from language.lemmas import lemma_of
from language.tokens import Sentence, Token

if TYPE_CHECKING:
    from spacy.language import Language

_VERSION: Final = "sentences-2"
_PIECE: Final = 10_000
"""Longest text given to spaCy at once, in characters; a longer block is cut at white space, else anywhere."""
_RUN: Final = re.compile(r"\S{100,}")
"""A run that no word fills; the tokeniser sees it as one word, because it is slow on such runs."""


class SentenceReader:
    """Cuts text into sentences and tokens. Safe to use again for any number of documents; not to be shared by threads.

    Args:
        parser: A spaCy pipeline that sets sentences, lemmas, parts of speech and heads. Without one, sentences come
            from rules, lemmas from a lexicon, and tokens carry no part of speech and no head: so documents are read,
            where a tree is read for the few sentences that need one (`language.trees`).
    """

    def __init__(self, parser: Language | None = None) -> None:
        self._parser = parser
        name = "rules"
        if parser is not None:
            name = f"{parser.meta.get('lang', '')}_{parser.meta.get('name', '')}-{parser.meta.get('version', '')}"
        self.fingerprint: str = f"{_VERSION}+spacy-{version('spacy')}+{name}"
        """Changes whenever the same text could be read otherwise."""

    def read(self, text: str) -> list[Sentence]:
        """The sentences of a document, in order, without overlap.

        Between them stand only white space and marks of the layout (bullets, numbers of paragraphs, fences). Headings,
        table rows, running heads and the like are sentences too, with `prose` false.
        """
        found: list[Sentence] = []
        for number, block in enumerate(read_blocks(text)):
            for piece in _pieces(block):
                parts = (
                    self._by_rules(piece, text) if self._parser is None else self._by_parser(self._parser, piece, text)
                )
                for tokens in parts:
                    start, end = tokens[0].start, tokens[-1].end
                    found.append(Sentence(text[start:end], start, end, tuple(tokens), number, block.prose))
        return found

    def _by_rules(self, piece: Block, text: str) -> Iterator[list[Token]]:
        ends = sentence_ends(piece.text) if piece.prose else iter(())
        boundary = next(ends, len(piece.text))
        tokens: list[Token] = []
        for word in _tokenizer()(_RUN.sub(_as_one_word, piece.text)):
            if word.is_space:
                continue
            if word.idx >= boundary:
                if tokens:
                    yield tokens
                tokens = []
                while word.idx >= boundary:
                    boundary = next(ends, len(piece.text))
            start = piece.start + word.idx
            form = text[start : start + len(word)]
            lower = form.lower().replace("’", "'")
            tokens.append(Token(form, start, start + len(word), lower, lemma_of(lower)))
        if tokens:
            yield tokens

    def _by_parser(self, parser: Language, piece: Block, text: str) -> Iterator[list[Token]]:
        for sentence in parser(_RUN.sub(_as_one_word, piece.text)).sents:
            words = [word for word in sentence if not word.is_space]
            place = {word.i: position for position, word in enumerate(words)}
            tokens: list[Token] = []
            for position, word in enumerate(words):
                start = piece.start + word.idx
                form = text[start : start + len(word)]
                lower = form.lower().replace("’", "'")
                lemma = word.lemma_.lower() or lemma_of(lower, word.pos_)
                head = place.get(word.head.i, position)
                tokens.append(Token(form, start, start + len(word), lower, lemma, word.pos_, word.dep_, head))
            if tokens:
                yield tokens


@cache
def _tokenizer() -> Any:
    import spacy

    return spacy.blank("en").tokenizer


def _as_one_word(run: re.Match[str]) -> str:
    return "x" * len(run.group())


def _pieces(block: Block) -> Iterator[Block]:
    start = 0
    while len(block.text) - start > _PIECE:
        cut = block.text.rfind(" ", start + _PIECE // 2, start + _PIECE)
        end = cut + 1 if cut > 0 else start + _PIECE
        yield Block(block.start + start, block.text[start:end], block.prose)
        start = end
    yield Block(block.start + start, block.text[start:], block.prose)
