"""The draft from the graph that fits the kind of a question."""

from __future__ import annotations

from language.questions import Question, QuestionKind
from reasoning.did_draft import draft_of_link
from reasoning.draft import Draft
from reasoning.evidence import Quoter
from reasoning.findings import Findings
from reasoning.graph_draft import draft_from_chains
from reasoning.links import LinkReader
from reasoning.premise_draft import draft_from_denied_premise
from reasoning.room import Room
from reasoning.synthesize import ALL_STAGES, SynthesisStages
from traversal.deadline import Deadline


def draft_from_graph(
    asked: Question,
    found: Findings,
    room: Room,
    reader: LinkReader,
    quoter: Quoter,
    deadline: Deadline,
    stages: SynthesisStages = ALL_STAGES,
) -> Draft | None:
    """What chains and links tell; none when they tell nothing of what is asked."""
    if asked.kind is QuestionKind.WHAT_IF:
        # Only these questions need networkx, which takes longer to load than most answers take.
        from reasoning.what_if_draft import draft_of_what_if

        return draft_of_what_if(asked, room, deadline)
    if asked.kind is QuestionKind.DID:
        return draft_of_link(found, reader, quoter)
    told = draft_from_chains(asked, found, room, reader, quoter, stages)
    if told is not None:
        return told
    if asked.kind is QuestionKind.HOW:
        return draft_of_link(found, reader, quoter)
    return draft_from_denied_premise(asked, found, room, quoter)
