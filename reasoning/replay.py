"""A stored answer, asked for again from its trace: the same question, read the same way, by the same recipe."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from causetrail.errors import TraceUnusable
from kg.records import Answer
from language.questions import Question
from reasoning.choice_report import Choice
from reasoning.replay_report import Replay
from reasoning.trace import WITH_HYPOTHESES

_QUESTION: Final = TypeAdapter(Question)
_COST: Final = {"usage"}
_GENERATION: Final = "generation"


@dataclass(frozen=True, slots=True)
class Asked:
    """What an answer was asked for.

    Attributes:
        question: As it was understood.
        strategy: Name of the recipe.
        with_hypotheses: Whether hypotheses were traversed.
        collection: Which documents were asked; none where the trace does not tell.
    """

    question: Question
    strategy: str
    with_hypotheses: bool
    collection: str | None


def asked_for(told: Answer) -> Asked:
    """What an answer was asked for.

    Raises:
        TraceUnusable: the trace does not begin with the question.
    """
    detail = _first(told)
    names = ("kind", "focus", "cause", "effect", "negated", "time")
    try:
        offered = {"options": detail.get("options", ())}
        values = {name: detail[name] for name in names} | {"text": told.question} | offered
        return Asked(
            question=_QUESTION.validate_python(values),
            strategy=str(detail["strategy"]),
            with_hypotheses=bool(detail.get(WITH_HYPOTHESES, False)),
            collection=None if "collection" not in detail else str(detail["collection"]),
        )
    except (KeyError, ValidationError):
        raise TraceUnusable(reason="its first step does not hold the question") from None


def offered_of(told: Choice) -> tuple[str, list[str], str]:
    """The event and the options of a choice, and the name of the recipe.

    Raises:
        TraceUnusable: the trace does not begin with the question.
    """
    detail = _first(told)
    if "strategy" not in detail:
        raise TraceUnusable(reason="its first step does not hold the question")
    return told.event, [option.text for option in told.options], str(detail["strategy"])


def compared(then: Answer | Choice, now: Answer | Choice, strategy: str) -> Replay:
    """How two records of one question differ, what they cost and the generations of their graphs apart."""
    before, after = _plain(then), _plain(now)
    steps = [
        f"{number} {(one or other)['step']}"
        for number, (one, other) in enumerate(zip_longest(before["trace"], after["trace"]), 1)
        if one != other
    ]
    return Replay(
        question=then.question if isinstance(then, Answer) else then.event,
        strategy=strategy,
        differences=tuple(name for name in before if before[name] != after.get(name)),
        steps=tuple(steps),
        generation_then=then.generation,
        generation_now=now.generation,
    )


def _first(told: Answer | Choice) -> Mapping[str, Any]:
    if not told.trace or told.trace[0].step != "question":
        raise TraceUnusable(reason="its trace does not begin with the question")
    return told.trace[0].detail


def _plain(told: Answer | Choice) -> dict[str, Any]:
    """As JSON has it: a record that was read from a file has lists where a fresh one has tuples."""
    values: dict[str, Any] = json.loads(told.model_dump_json(exclude=_COST | {_GENERATION}))
    for step in values["trace"][:1]:
        # A decision that was undone leaves the graph as it was, with another generation.
        step["detail"].pop(_GENERATION, None)
    return values
