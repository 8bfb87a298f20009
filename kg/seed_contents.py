"""What the seed index takes from the store: the texts of passages and events in words, and their vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

from kg.encoding import Vectors
from kg.records import Event, PassageKind
from kg.store import GraphStore
from kg.word_index import Entry, EntryKind

PAIR_STAMP: Final = "pair"
"""Stamp of the passages that are pairs."""

Reader = Callable[[GraphStore, str, Sequence[str]], tuple[list[Entry], Vectors]]
"""From store, collection and ids to the entries in the same order and their vectors, shape (len(ids), dimension)."""


def passage_entries(store: GraphStore, collection: str, ids: Sequence[str]) -> tuple[list[Entry], Vectors]:
    """Passages: their text, word for word. A passage's id fixes its text; the stamp of a pair tells that it is one."""
    passages = store.passages(collection, ids)
    texts: dict[str, str] = {}
    entries: list[Entry] = []
    for passage_id in ids:
        passage = passages[passage_id]
        if passage.document_id not in texts:
            texts[passage.document_id] = store.document_text(collection, passage.document_id)
        text = texts[passage.document_id][passage.start : passage.end]
        stamp = PAIR_STAMP if passage.kind is PassageKind.PAIR else ""
        entries.append(Entry(id=passage_id, stamp=stamp, text=text))
    return entries, store.passage_vectors(collection, ids)


def event_entries(store: GraphStore, collection: str, ids: Sequence[str]) -> tuple[list[Entry], Vectors]:
    """Events: description, kind, and participants and place of the least mention; stamped with words and vector."""
    events = store.events(collection, ids)
    least = {event_id: Event.mention_id_of(event_id) for event_id in ids}
    mentions = store.mentions(collection, list(least.values()))
    vectors = store.event_vectors(collection, ids)
    entries: list[Entry] = []
    for row, event_id in enumerate(ids):
        event, mention = events[event_id], mentions[least[event_id]]
        text = event_words(event.description, event.kind, mention.participants, mention.place)
        stamp = hashlib.sha256(text.encode("utf-8") + b"\x00" + vectors[row].tobytes()).hexdigest()[:24]
        entries.append(Entry(id=event_id, stamp=stamp, text=text))
    return entries, vectors


def event_words(description: str, kind: str, participants: Sequence[str], place: str | None) -> str:
    """The words by which an event is found, a part on each line; participants and place are of its least mention."""
    parts = [description, kind, *participants]
    return "\n".join(parts if place is None else [*parts, place])


READERS: dict[EntryKind, Reader] = {EntryKind.PASSAGE: passage_entries, EntryKind.EVENT: event_entries}
