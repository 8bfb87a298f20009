"""Cuts a document into passages: windows aligned with sentences, never longer than the encoder reads."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kg.encoding import Encoder
from kg.pages import page_at
from kg.records import Passage, PassageKind
from language.tokens import Sentence

_LEAST: Final = 120
"""Tokens from which on a passage ends where its paragraph ends."""
_MOST: Final = 180
"""Most tokens of a passage of several sentences; a longer sentence is a passage of its own."""
_HEADING: Final = 30
"""Most tokens of the headings that are carried over to the passage they stand above."""
PASSAGE_RULES: Final = f"passages-1:{_LEAST}-{_MOST}-{_HEADING}"
"""Changes whenever the same sentences could be cut otherwise."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence with the layout marks before it, or a piece of one that is too long.

    Attributes:
        tokens: Number of tokens without the special ones.
    """

    start: int
    end: int
    block: int
    prose: bool
    tokens: int


class PassageCutter:
    """Cuts documents for one encoder.

    Passages follow each other without overlap, and together they hold every character that is not white space.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._special = encoder.count_tokens([""])[0]
        self._room = encoder.max_tokens - self._special

    def cut(
        self, collection: str, document_id: str, text: str, sentences: Sequence[Sentence], pages: Sequence[int]
    ) -> tuple[Passage, ...]:
        """The passages of a document, in the order of the text.

        Args:
            collection: Collection of the document.
            document_id: Its id.
            text: Its normalised text.
            sentences: Its sentences, in order, without overlap.
            pages: Start offset of each page; empty for a format without pages.
        """
        spans = [piece for window in self._windows(self._units(text, sentences)) for piece in self._fit(text, *window)]
        kind = PassageKind.PROSE
        return tuple(
            Passage(
                id=Passage.id_of(document_id, ordinal, start, end, kind),
                collection=collection,
                document_id=document_id,
                start=start,
                end=end,
                ordinal=ordinal,
                page=page_at(pages, start),
                kind=kind,
            )
            for ordinal, (start, end) in enumerate(spans)
        )

    def _units(self, text: str, sentences: Sequence[Sentence]) -> list[_Unit]:
        """The whole text, as sentences with what stands before them; what is too long in pieces."""
        spans: list[tuple[int, int, int, bool]] = []
        done = 0
        for sentence in sentences:
            spans.append((_skip_space(text, done, sentence.end), sentence.end, sentence.block, sentence.prose))
            done = sentence.end
        rest = _skip_space(text, done, len(text))
        if rest < len(text):
            end = rest + len(text[rest:].rstrip())
            spans.append((rest, end, sentences[-1].block if sentences else 0, False))
        counts = self._count([text[start:end] for start, end, _, _ in spans])
        units: list[_Unit] = []
        for (start, end, block, prose), tokens in zip(spans, counts, strict=True):
            if tokens <= self._room:
                units.append(_Unit(start, end, block, prose, tokens))
                continue
            pieces = list(self._pieces(text, start, end))
            for (first, last), size in zip(pieces, self._count([text[a:b] for a, b in pieces]), strict=True):
                units.append(_Unit(first, last, block, prose, size))
        return units

    def _windows(self, units: Sequence[_Unit]) -> Iterator[tuple[int, int]]:
        """Spans of following units, filled up to the aimed size."""
        open_: list[_Unit] = []
        size = 0
        for unit in units:
            new_block = bool(open_) and unit.block != open_[-1].block
            if open_ and (size + unit.tokens > _MOST or (size >= _LEAST and new_block)):
                keep = _headings_behind(open_) if unit.prose else 0
                closed, open_ = open_[: len(open_) - keep], open_[len(open_) - keep :]
                size = sum(one.tokens for one in open_)
                if size + unit.tokens > self._room:
                    closed, open_, size = closed + open_, [], 0
                yield closed[0].start, closed[-1].end
            open_.append(unit)
            size += unit.tokens
        if open_:
            yield open_[0].start, open_[-1].end

    def _fit(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The window, or pieces of it where its sentences together have more tokens than one by one."""
        if self._count([text[start:end]])[0] <= self._room:
            yield start, end
        else:
            yield from self._pieces(text, start, end)

    def _pieces(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Cuts at white space where there is some, else between any two characters; nothing but white space is lost."""
        while start < end:
            cut = start + self._longest(text[start:end])
            if cut < end and not text[cut].isspace():
                # A word is not cut unless it alone fills the piece.
                space = max((at for at in range(start, cut) if text[at].isspace()), default=start)
                cut = space if space > start else cut
            piece = text[start:cut].rstrip()
            yield start, start + len(piece)
            start = _skip_space(text, cut, end)

    def _longest(self, text: str) -> int:
        """Length of the longest beginning that the encoder can read, at least 1."""
        most = min(len(text), self._most_characters(text))
        found = bisect_left(range(1, most + 1), True, key=lambda size: self._count([text[:size]])[0] > self._room)
        return max(1, found)

    def _most_characters(self, text: str) -> int:
        """A length that is certainly too much, or all: found by doubling, so that long texts are not read in vain."""
        size = self._room
        while size < len(text) and self._count([text[:size]])[0] <= self._room:
            size *= 2
        return size

    def _count(self, texts: Sequence[str]) -> list[int]:
        return [count - self._special for count in self._encoder.count_tokens(texts)] if texts else []


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _headings_behind(units: Sequence[_Unit]) -> int:
    """How many units at the end are headings, short together, that belong to what follows; never all of them."""
    count, tokens = 0, 0
    while count < len(units) - 1 and not units[-1 - count].prose:
        tokens += units[-1 - count].tokens
        if tokens > _HEADING:
            return 0
        count += 1
    return count
