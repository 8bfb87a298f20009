"""The page of every quote, from generated PDFs of known pages to the evidence of an answer."""

from __future__ import annotations

import pytest
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas

from causetrail import Causetrail
from kg.pages import page_at

THINGS = ("pump", "valve", "boiler", "crane", "turbine", "winch", "conveyor", "compressor", "generator", "furnace")
FILLER = "The team walked round the hall and wrote down what it saw. Nothing else was found there."


def sentence_of(page: int) -> str:
    thing = THINGS[page % len(THINGS)]
    return f"The {thing} of line {page} failed because the hose of line {page} had burst."


@pytest.fixture(scope="module")
def trail(tmp_path_factory: pytest.TempPathFactory) -> Causetrail:
    folder = tmp_path_factory.mktemp("pages")
    canvas = Canvas(str(folder / "pages.pdf"), pagesize=A5)
    for page in range(1, 31):
        canvas.setFont("Helvetica", 8)
        for line, text in enumerate((FILLER, sentence_of(page), FILLER)):
            canvas.drawString(30, 500 - 40 * line, text)
        canvas.showPage()
    canvas.save()
    opened = Causetrail(f"sqlite:///{folder}/pages.db")
    opened.ingest(folder / "pages.pdf")
    return opened


def test_every_claim_stands_on_its_page(trail: Causetrail) -> None:
    (document,) = trail.documents()
    text = trail.text(document.id)
    pages: dict[str, int | None] = {}
    for claim in trail.claims():
        assert text[claim.start : claim.end] == claim.quote
        pages[" ".join(claim.quote.split())] = page_at(document.pages, claim.start)

    assert len(document.pages) == 30
    assert pages == {sentence_of(page): page for page in range(1, 31)}


@pytest.mark.parametrize("page", [1, 2, 17, 30])
def test_an_answer_names_the_page_of_its_quote(page: int, trail: Causetrail) -> None:
    answer = trail.ask(f"Why did the {THINGS[page % len(THINGS)]} of line {page} fail?")

    assert [(" ".join(e.quote.split()), e.page) for e in answer.evidence] == [(sentence_of(page), page)]
