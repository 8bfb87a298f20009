"""How a route gets at the facade."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from api.problems import MEDIA_TYPE, Problem
from causetrail.facade import Causetrail

if TYPE_CHECKING:
    from typing import Any


def _trail(request: Request) -> Causetrail:
    trail: Causetrail = request.app.state.trail
    return trail


Trail = Annotated[Causetrail, Depends(_trail)]
"""The facade that the application was made with."""


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The statuses with which a route answers when it fails, for OpenAPI."""
    schema = {"schema": Problem.model_json_schema()}
    return {
        status: {"description": "A problem", "content": {MEDIA_TYPE: schema}} for status in sorted({*statuses, 422})
    }
