"""Addresses that look into the graph: events, claims, queries in Cypher."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from api.bodies import ClaimsPart, CypherIn, EventsPart, Items, Where
from api.routes.trail import Trail, problems
from kg.cypher import CypherResult
from kg.records import Event, JudgedClaim

router = APIRouter(prefix="/v1", tags=["graph"], responses=problems(404, 503))


@router.get("/events")
def events(part: Annotated[EventsPart, Query()], trail: Trail) -> Items[Event]:
    """Events that resemble a text, best first, or all of them by id."""
    found = trail.within(part.collection).events(part.text, limit=part.limit, offset=part.offset)
    return Items[Event](items=tuple(found), limit=part.limit, offset=part.offset)


@router.get("/events/{event_id}")
def event(event_id: str, where: Annotated[Where, Query()], trail: Trail) -> Event:
    """One event; an old id finds the event that now holds its mention."""
    return trail.within(where.collection).event(event_id)


@router.get("/claims")
def claims(part: Annotated[ClaimsPart, Query()], trail: Trail) -> Items[JudgedClaim]:
    """Claims, by document and place in the text."""
    found = trail.within(part.collection).claims(
        document=part.document,
        event=part.event,
        relation=part.relation,
        polarity=part.polarity,
        limit=part.limit,
        offset=part.offset,
    )
    return Items[JudgedClaim](items=tuple(found), limit=part.limit, offset=part.offset)


@router.get("/claims/{claim_id}")
def claim(claim_id: str, where: Annotated[Where, Query()], trail: Trail) -> JudgedClaim:
    """One claim."""
    return trail.within(where.collection).claim(claim_id)


@router.post("/cypher", responses=problems(403, 415, 504))
def cypher(body: CypherIn, where: Annotated[Where, Query()], trail: Trail) -> CypherResult:
    """The rows of a query in Cypher; it can read, and change nothing."""
    return trail.within(where.collection).cypher(body.query, body.params, body.limit, body.timeout)
