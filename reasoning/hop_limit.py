"""Whether a chain ends where the documents do, or where the setting `hops` ends it."""

from __future__ import annotations

from kg.records import CAUSAL_RELATIONS, Chain
from kg.store import Direction
from language.questions import Question, QuestionKind
from reasoning.findings import Findings, longest_chain
from reasoning.room import Room
from traversal.expansion import Cut
from traversal.steps import far_end


def cut_at_hops(question: Question, chain: Chain, found: Findings, room: Room) -> bool:
    """Whether an edge leads on from the first cause of a chain, of a question what followed from its last effect.

    An edge to an event that was reached would have been followed, so one counts that was not, or any where the chain
    has all the links that a chain may have.
    """
    full = len(chain.edges) >= longest_chain(room)
    if question.kind not in {QuestionKind.WHY, QuestionKind.EFFECTS} or not (full or Cut.HOPS in found.cuts):
        return False
    forward = question.kind is QuestionKind.EFFECTS
    direction = Direction.TO_EFFECTS if forward else Direction.TO_CAUSES
    along = {event.id for event in chain.events}
    edges = room.store.edges_at(
        room.collection,
        [chain.events[-1 if forward else 0].id],
        direction,
        CAUSAL_RELATIONS,
        floor=room.settings.reliability_floor,
        limit_each=room.settings.max_nodes,
    )
    known = along if full else along | found.events.keys()
    return any(far_end(edge, direction) not in known for edge in edges)
