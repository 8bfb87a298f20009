"""What one question is answered from, gathered once and handed from step to step."""

from __future__ import annotations

from dataclasses import dataclass

from kg.records import Evidence
from language.questions import Question
from reasoning.evidence import Quoter
from reasoning.findings import Findings
from reasoning.links import LinkReader
from reasoning.passages import ChosenPassages
from reasoning.room import Bench, Room
from reasoning.trace import Recorder
from traversal.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Material:
    """The state of a question after the search.

    Attributes:
        found: What the graph holds for it.
        read: The passages that are read for it.
        context: The sentence that tells best of the focus without answering; none when none comes near.
        reader: Reads the claims behind edges.
        recorder: Takes the steps for the trace, as plain JSON values, and the time they take.
    """

    asked: Question
    room: Room
    found: Findings
    read: ChosenPassages
    context: Evidence | None
    quoter: Quoter
    reader: LinkReader
    deadline: Deadline
    recorder: Recorder

    @property
    def bench(self) -> Bench:
        """The judges.

        Raises:
            ArgumentInvalid: the room was made without them.
        """
        return self.room.judges
