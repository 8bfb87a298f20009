"""Which mentions lie wholly inside which passages of a document."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from kg.records import Mention, Passage


def contained(passages: Iterable[Passage], mentions: Sequence[Mention]) -> Iterator[tuple[Passage, Mention]]:
    """Each passage with each mention that lies wholly inside it.

    Args:
        mentions: Of the same document, in the order of the text.
    """
    starts = [mention.start for mention in mentions]
    for passage in passages:
        for mention in mentions[bisect_left(starts, passage.start) : bisect_left(starts, passage.end)]:
            if mention.end <= passage.end:
                yield passage, mention
