"""Errors as problem+json (RFC 9457): our code and our words, no stack trace, no message of a library."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException

from api.terminal import shown
from causetrail.errors import CausetrailError, MediaTypeRefused, MethodRefused, RequestInvalid, RouteUnknown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.types import Receive, Scope, Send

MEDIA_TYPE = "application/problem+json"
_log = logging.getLogger(__name__)

_REASONS: dict[str, str] = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_type": "must be a text",
    "string_too_short": "is too short",
    "string_too_long": "is too long",
    "string_pattern_mismatch": "has a form that is not allowed",
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "greater_than_equal": "is too small",
    "less_than_equal": "is too large",
    "enum": "is none of the known values",
    "literal_error": "is none of the known values",
    "model_attributes_type": "must be a JSON object",
    "model_type": "must be a JSON object",
}
"""What is wrong with a field, by the kind of fault that validation reports."""


class Problem(BaseModel):
    """Body of every answer that is not a success."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    type: str
    """Names the kind of problem: `urn:causetrail:` and the code."""
    title: str
    """The kind of problem in words."""
    status: int
    """Status of the answer."""
    detail: str
    """What happened."""
    code: str
    """Stable code; docs/errors.md explains it."""
    fix: str
    """What can be done about it."""


class ProblemResponse(JSONResponse):
    """The answer that carries a problem; it logs which request failed and how, and nothing that the request carried."""

    def __init__(self, body: Problem, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(body.model_dump(), body.status, headers, MEDIA_TYPE)
        self._code = body.code

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Logs and answers."""
        _log.warning("%s %s: %d %s", scope["method"], shown(scope["path"]), self.status_code, self._code)
        await super().__call__(scope, receive, send)


def problem(
    error: CausetrailError, status: int | None = None, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """The answer that carries an error; `status` overrides the error's own."""
    status = status or error.http_status
    body = Problem(
        type=f"urn:causetrail:{error.code}",
        title=title_of(type(error)),
        status=status,
        detail=error.message,
        code=error.code,
        fix=error.fix,
    )
    return ProblemResponse(body, headers)


def title_of(kind: type[CausetrailError]) -> str:
    """The name of an error's class in words: `Store locked`."""
    if kind is CausetrailError:
        return "Unexpected"
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind.__name__).capitalize()


def answer_problems(app: FastAPI) -> None:
    """Makes every error that reaches the application a problem."""
    app.add_exception_handler(CausetrailError, _coded)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(Exception, _unexpected)


def unexpected(error: Exception) -> CausetrailError:
    """The coded form of an error that nobody foresaw: its kind, never its message."""
    return CausetrailError(reason=f"Something happened that should not have: {type(error).__name__}.")


async def _coded(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, CausetrailError):
        raise error
    return problem(error)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RequestValidationError):
        raise error
    faults = error.errors()
    sent_as = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if any(fault["loc"] == ("body",) for fault in faults) and sent_as != "application/json":
        return problem(MediaTypeRefused(path=request.url.path, media_type=sent_as or "no media type"))
    return problem(RequestInvalid(reason=_reason(faults)))


async def _refused(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise error
    path = request.url.path
    if error.status_code == 404:
        return problem(RouteUnknown(path=path), headers=error.headers)
    if error.status_code == 405:
        return problem(MethodRefused(path=path, method=request.method), headers=error.headers)
    return problem(RequestInvalid(reason="it cannot be read"), error.status_code, error.headers)


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return problem(unexpected(error))


def _reason(faults: Sequence[Mapping[str, object]]) -> str:
    """The first fault in our words, with the place of the field."""
    if not faults:
        return "it cannot be read"
    kind, place = str(faults[0].get("type")), faults[0].get("loc")
    if kind == "json_invalid":
        return "the body is not JSON"
    name = ".".join(str(part) for part in place) if isinstance(place, (tuple, list)) else "the request"
    return f"{name} {_REASONS.get(kind, 'has a value that is not allowed')}"
