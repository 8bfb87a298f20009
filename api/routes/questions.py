"""Addresses that answer questions: ask, why, effects, chains, whatif, choose."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from api.bodies import ChoiceIn, EventIn, PairIn, QuestionIn, WhatIfIn, Where
from api.routes.trail import Trail, problems
from kg.records import Answer
from reasoning.choice_report import Choice
from reasoning.what_if_report import WhatIf

router = APIRouter(prefix="/v1", tags=["questions"], responses=problems(404, 415, 503, 504))


@router.post("/ask")
def ask(body: QuestionIn, where: Annotated[Where, Query()], trail: Trail) -> Answer:
    """Answers a question, with the sentences that prove the answer."""
    asked = trail.within(where.collection)
    return asked.ask(body.question, strategy=body.strategy, with_hypotheses=body.with_hypotheses)


@router.post("/why")
def why(body: EventIn, where: Annotated[Where, Query()], trail: Trail) -> Answer:
    """Says why something happened."""
    return trail.within(where.collection).why(body.event, strategy=body.strategy)


@router.post("/effects")
def effects(body: EventIn, where: Annotated[Where, Query()], trail: Trail) -> Answer:
    """Says what followed from something."""
    return trail.within(where.collection).effects(body.event, strategy=body.strategy)


@router.post("/chains")
def chains(body: PairIn, where: Annotated[Where, Query()], trail: Trail) -> Answer:
    """Says how one thing led to another."""
    return trail.within(where.collection).chain(body.cause, body.effect, strategy=body.strategy)


@router.post("/whatif")
def whatif(body: WhatIfIn, where: Annotated[Where, Query()], trail: Trail) -> WhatIf:
    """Says what in the graph would fall without an event, and what other causes hold; nothing is changed."""
    return trail.within(where.collection).what_if(body.event, body.effect, links_only=body.links_only)


@router.post("/choose")
def choose(body: ChoiceIn, where: Annotated[Where, Query()], trail: Trail) -> Choice:
    """Which of several causes that are offered led to an event."""
    return trail.within(where.collection).choose(body.event, body.options, body.strategy)
