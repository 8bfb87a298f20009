"""What is said of a collection without documents, whose name may be misspelt."""

from __future__ import annotations

from reasoning.room import Room
from reasoning.wording import say


def empty_told(room: Room) -> str | None:
    """That the collection holds no documents, with the names of those that do; none where it holds some."""
    names = room.store.collections()
    if room.store.generation(room.collection) and room.collection in names:
        return None
    others = [name for name in names if name != room.collection]
    if not others:
        return say("missing", "empty", collection=room.collection)
    return say("missing", "empty_among", collection=room.collection, names=", ".join(others))
