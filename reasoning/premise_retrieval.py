"""How near the documents come to a premise that they do not state."""

from __future__ import annotations

from causetrail.errors import PassageTooLong
from reasoning.knowledge import knowledge_of, search_bases
from reasoning.material import Material
from reasoning.passages import UNDECIDED
from reasoning.unjudged import UNJUDGED


def retrieved(premise: str, material: Material) -> float:
    """How much the nearest passage of each base helps to tell of a premise, of the best one, 0 to 1: Retrieve(p).

    A premise that is longer than the encoder reads counts as undecided.
    """
    room = material.room
    bases = knowledge_of(room).first
    try:
        hits = search_bases(room, premise, len(bases), bases, material.quoter)
    except PassageTooLong:
        return UNDECIDED
    passages = room.store.passages(room.collection, [hit.id for hit in hits])
    best = 0.0
    for passage in passages.values():
        text = material.quoter.passage(passage)
        try:
            (told,) = material.bench.judges.relevance.relevance(premise, [text])
        except UNJUDGED:
            told = UNDECIDED
        best = max(best, told)
    return round(best, 6)
