"""Addresses for the collections of the store: list them, drop one."""

from __future__ import annotations

from fastapi import APIRouter

from api.routes.trail import Trail, problems
from kg.store import CollectionSize

router = APIRouter(prefix="/v1", tags=["collections"], responses=problems(404, 503))


@router.get("/collections")
def collections(trail: Trail) -> tuple[CollectionSize, ...]:
    """All collections that hold documents or decisions, by name."""
    return tuple(trail.collections())


@router.delete("/collections/{name}", status_code=204)
def drop(name: str, trail: Trail) -> None:
    """Removes a collection with its documents, its graph and its decisions, for good."""
    trail.drop(name)
