"""Addresses for documents: list, read, take in, remove. Only what a request carries is taken in, never a path."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import PlainTextResponse

from api.bodies import Items, Part, TextIn, Upload, Where
from api.routes.trail import Trail, problems
from extraction.ledger import IngestReport
from kg.records import Document

router = APIRouter(prefix="/v1", tags=["documents"], responses=problems(404, 413, 503))

_UPLOAD = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


async def _body(request: Request) -> bytes:
    return await request.body()


@router.get("/documents")
def documents(part: Annotated[Part, Query()], trail: Trail) -> Items[Document]:
    """Documents, by id."""
    found = islice(trail.within(part.collection).documents(), part.offset, part.offset + part.limit)
    return Items[Document](items=tuple(found), limit=part.limit, offset=part.offset)


@router.post("/documents", status_code=201, responses=problems(415))
def take_text(body: TextIn, where: Annotated[Where, Query()], trail: Trail) -> IngestReport:
    """Takes in one document that is text, and derives the graph."""
    return _taken_in(trail.within(where.collection).ingest_text(body.text, body.name, published=body.published))


@router.post("/documents/upload", status_code=201, openapi_extra=_UPLOAD)
def take_file(data: Annotated[bytes, Depends(_body)], upload: Annotated[Upload, Query()], trail: Trail) -> IngestReport:
    """Takes in the file that is the body of the request; the ending of its name tells the format."""
    within = trail.within(upload.collection)
    return _taken_in(within.ingest_bytes(data, upload.name, published=upload.published, pairs=upload.pairs))


@router.get("/documents/{document_id}")
def document(document_id: str, where: Annotated[Where, Query()], trail: Trail) -> Document:
    """One document."""
    return trail.within(where.collection).document(document_id)


@router.get("/documents/{document_id}/text", response_class=PlainTextResponse)
def text(document_id: str, where: Annotated[Where, Query()], trail: Trail) -> str:
    """The normalised text of a document; all offsets count its characters."""
    return trail.within(where.collection).text(document_id)


@router.delete("/documents/{document_id}", status_code=204)
def delete(document_id: str, where: Annotated[Where, Query()], trail: Trail) -> None:
    """Removes a document, all its sources, and everything found in it."""
    trail.within(where.collection).delete(document_id)


def _taken_in(report: IngestReport) -> IngestReport:
    """The report; raises the error of a document that could not be taken in."""
    for failure in report.failures:
        raise failure.as_error()
    return report
