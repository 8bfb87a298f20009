"""Suggestions of merges with the sentences that a person decides by."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from extraction.suggestions import suggest
from kg.records import Evidence, Mention, Stance, Suggestion
from kg.store import GraphStore
from reasoning.evidence import Quoter

if TYPE_CHECKING:
    from models.event_coreference import EventCoreference


def suggestions(
    store: GraphStore, collection: str, head: Callable[[], EventCoreference], limit: int, least: float
) -> list[Suggestion]:
    """What `extraction.suggestions.suggest` finds, with quotes; arguments as there.

    Raises:
        StoreDamaged: a document does not hold the words of a mention.
        SnapshotLost: the graph changed while it was read.
    """
    quoter = Quoter(store, collection)

    def quoted(mention: Mention) -> Evidence:
        told = quoter.mention(mention)
        return quoter.span(told.document_id, told.sentence_start, told.sentence_end, Stance.CONTEXT)

    with store.snapshot():
        return [
            Suggestion(
                collection=collection,
                events=found.events,
                mentions=(found.mentions[0].id, found.mentions[1].id),
                words=(found.mentions[0].text, found.mentions[1].text),
                evidence=(quoted(found.mentions[0]), quoted(found.mentions[1])),
                score=found.score,
                reason=found.reason,
            )
            for found in suggest(store, collection, head, limit, least)
        ]
