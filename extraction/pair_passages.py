"""The passages of a document of question-answer pairs: each pair is one."""

from __future__ import annotations

from collections.abc import Sequence

from kg.records import Passage, PassageKind


def pair_passages(collection: str, document_id: str, spans: Sequence[tuple[int, int]]) -> tuple[Passage, ...]:
    """A passage for each pair, in the order of the text.

    Args:
        collection: Collection of the document.
        document_id: Its id.
        spans: Start and end of each pair.
    """
    kind = PassageKind.PAIR
    return tuple(
        Passage(
            id=Passage.id_of(document_id, ordinal, start, end, kind),
            collection=collection,
            document_id=document_id,
            start=start,
            end=end,
            ordinal=ordinal,
            page=None,
            kind=kind,
        )
        for ordinal, (start, end) in enumerate(spans)
    )
