"""What an answer cost: the time of its stages, and what its judges asked of language models."""

from __future__ import annotations

from causetrail.spending import Spending, total
from kg.records import Usage
from reasoning.room import Room
from reasoning.trace import Recorder


def usage_of(recorder: Recorder, room: Room) -> Usage:
    """Time by stage, and all that was asked of language models, by stage."""
    booked: dict[str, list[Spending]] = {}
    for judging in (room.reranker, room.bench):
        for stage, spent in (judging.spent() if judging else {}).items():
            booked.setdefault(stage, []).append(spent)
    models = {stage: total(spent) for stage, spent in booked.items() if any(one.asked for one in spent)}
    return Usage(seconds=recorder.seconds, tokens=sum(one.tokens for one in models.values()), models=models)
