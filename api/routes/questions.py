"""Addresses that answer questions: ask, why, effects, chains."""

from __future__ import annotations

from fastapi import APIRouter

from api.bodies import Collection, EventIn, PairIn, QuestionIn
from api.routes.trail import Trail, problems
from kg.records import Answer

router = APIRouter(prefix="/v1", tags=["questions"], responses=problems(404, 503, 504))


@router.post("/ask")
def ask(body: QuestionIn, trail: Trail, collection: Collection = None) -> Answer:
    """Answers a question, with the sentences that prove the answer."""
    return trail.within(collection).ask(body.question, strategy=body.strategy)


@router.post("/why")
def why(body: EventIn, trail: Trail, collection: Collection = None) -> Answer:
    """Says why something happened."""
    return trail.within(collection).why(body.event, strategy=body.strategy)


@router.post("/effects")
def effects(body: EventIn, trail: Trail, collection: Collection = None) -> Answer:
    """Says what followed from something."""
    return trail.within(collection).effects(body.event, strategy=body.strategy)


@router.post("/chains")
def chains(body: PairIn, trail: Trail, collection: Collection = None) -> Answer:
    """Says how one thing led to another."""
    return trail.within(collection).chain(body.cause, body.effect, strategy=body.strategy)
