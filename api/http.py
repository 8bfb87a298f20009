"""The HTTP door: an application over one facade."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from api.guard import Guard
from api.problems import answer_problems
from api.routes import collections, documents, graph, health, questions
from causetrail import __version__
from causetrail.facade import Causetrail

WORKERS = 8
"""Requests that are worked on side by side; the others wait for their turn."""


def create_app(trail: Causetrail) -> FastAPI:
    """An application that answers from `trail`, whose settings give the key and the largest request.

    The caller closes the facade.
    """
    app = FastAPI(
        title="Causetrail",
        summary="Ask documents why something happened, and get the sentences that prove it.",
        version=__version__,
        lifespan=_bounded,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.trail = trail
    for family in (questions, graph, documents, collections, health):
        app.include_router(family.router)
    answer_problems(app)
    app.add_middleware(Guard, key=trail.settings.api_key, limit=trail.settings.max_request_bytes)
    return app


@asynccontextmanager
async def _bounded(_: FastAPI) -> AsyncIterator[None]:
    """Everything below the doors is synchronous and runs in worker threads; this many at once."""
    from anyio.to_thread import current_default_thread_limiter

    current_default_thread_limiter().total_tokens = WORKERS
    yield
