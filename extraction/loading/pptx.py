"""Presentations: the text of each slide, with its tables and notes; a slide is a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from causetrail.settings import Settings
from extraction.loading.metadata import own_title
from extraction.loading.packages import check_package, created_on, translated
from extraction.loading.reading import Bytes, Reading

if TYPE_CHECKING:
    from pptx.shapes.base import BaseShape
    from pptx.slide import Slide
    from pptx.table import Table


def read_pptx(file: Bytes, settings: Settings) -> Iterator[Reading]:
    """The text of all slides, in order."""
    import pptx

    package = check_package(file, settings)
    with translated(file):
        presentation = pptx.Presentation(package)
        properties = presentation.core_properties
        slides = list(presentation.slides)
        # A slide is complete in itself: the line end makes an empty line of the page break.
        pages = tuple("\n\n".join(_blocks(slide)) + "\n" for slide in slides)
        title = own_title(properties.title) or _first_title(slides)
        reading = Reading(pages, paged=True, title=title, published=created_on(properties))
    yield reading


def _blocks(slide: Slide) -> Iterator[str]:
    for shape in slide.shapes:
        yield from _shape(shape)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        yield from _nonblank(slide.notes_slide.notes_text_frame.text)


def _shape(shape: BaseShape) -> Iterator[str]:
    from pptx.shapes.autoshape import Shape
    from pptx.shapes.graphfrm import GraphicFrame
    from pptx.shapes.group import GroupShape

    if isinstance(shape, GroupShape):
        for inner in shape.shapes:
            yield from _shape(inner)
    elif isinstance(shape, Shape):
        yield from _nonblank(shape.text_frame.text)
    elif isinstance(shape, GraphicFrame) and shape.has_table:
        yield from _nonblank(_table(shape.table))


def _table(table: Table) -> str:
    rows = ("\t".join(" ".join(cell.text.split()) for cell in row.cells).rstrip() for row in table.rows)
    return "\n".join(row for row in rows if row)


def _nonblank(text: str) -> Iterator[str]:
    if text.strip():
        yield text


def _first_title(slides: list[Slide]) -> str | None:
    for slide in slides:
        title = slide.shapes.title
        if title is not None and title.text_frame.text.strip():
            return str(title.text_frame.text)
    return None
