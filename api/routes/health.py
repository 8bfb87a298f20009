"""Addresses that say whether the server works; they need no key and tell nothing of the documents."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from api.bodies import Health, Ready
from api.problems import problem
from api.routes.trail import Trail, problems
from causetrail.errors import CausetrailError, StoreMissing

router = APIRouter(tags=["health"])


@router.get("/healthz")
def healthz() -> Health:
    """Whether the process answers."""
    return Health(status="ok")


@router.get("/readyz", response_model=Ready, responses=problems(503))
def readyz(trail: Trail) -> Response:
    """Whether the store can be read, and how far it is; one that is not there yet is made by the first upload."""
    try:
        generation, pending = trail.health()
    except StoreMissing:
        return JSONResponse(Ready(status="empty", generation=0, pending=0).model_dump())
    except CausetrailError as error:
        return problem(error, status=503)
    return JSONResponse(Ready(status="ok", generation=generation, pending=pending).model_dump())
