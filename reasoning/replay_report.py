"""What became of an answer when it was asked for again: a report, light to import."""

from __future__ import annotations

from pydantic import Field

from kg.records import Record


class Replay(Record):
    """A stored answer or choice beside the one that the same question gets now."""

    question: str
    """What was asked; of a choice the event."""
    strategy: str
    """The recipe that answered."""
    differences: tuple[str, ...]
    """The fields of the record that differ, its cost and its generation apart; none where the answer is the same."""
    steps: tuple[str, ...]
    """The steps of the trace that differ, by their places from 1 and their names."""
    generation_then: int = Field(ge=0)
    """Generation of the graph that it was made from."""
    generation_now: int = Field(ge=0)
    """Generation of the graph now: another answer of another graph proves nothing."""

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.differences
