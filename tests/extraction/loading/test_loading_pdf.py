from __future__ import annotations

import io
from collections.abc import Callable, Iterable

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

from causetrail.errors import DocumentDamaged, DocumentEmpty, DocumentEncrypted, DocumentScanned, DocumentTooLarge
from causetrail.settings import Settings
from extraction.loading.hyphens import HYPHEN, mend_hyphens
from extraction.loading.load import load_bytes
from kg.pages import page_at


def drawn(pages: Iterable[Iterable[str]], prepare: Callable[[Canvas], None] = lambda canvas: None, **options) -> bytes:
    """A PDF whose pages hold these lines, 14 points apart; an empty line leaves a gap."""
    out = io.BytesIO()
    canvas = Canvas(out, **options)
    prepare(canvas)
    for lines in pages:
        text = canvas.beginText(72, 780)
        for line in lines:
            text.textLine(line)
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_every_sentence_is_on_its_page(document_of) -> None:
    count = 40
    item = document_of(
        drawn([[f"Sentence {n}a opens the page.", "", f"Pump {n} failed."] for n in range(1, count + 1)]), ".pdf"
    )
    assert len(item.source.pages) == count
    for number in range(1, count + 1):
        for sentence in (f"Sentence {number}a opens the page.", f"Pump {number} failed."):
            assert page_at(item.source.pages, item.text.index(sentence)) == number
            assert page_at(item.source.pages, item.text.index(sentence) + len(sentence) - 1) == number


def test_empty_pages_between_count(document_of) -> None:
    item = document_of(drawn([["First page."], [], [], ["Fourth page."]]), ".pdf")
    assert page_at(item.source.pages, item.text.index("First page.")) == 1
    assert page_at(item.source.pages, item.text.index("Fourth page.")) == 4


def test_two_columns_over_pages_are_read_one_after_the_other(document_of) -> None:
    out = io.BytesIO()
    document = BaseDocTemplate(out, pagesize=A4)
    frames = [Frame(50, 50, 230, 700, id="left"), Frame(300, 50, 230, 700, id="right")]
    document.addPageTemplates(PageTemplate(frames=frames))
    style = getSampleStyleSheet()["Normal"]
    on_page: dict[int, int] = {}

    class Marked(Paragraph):
        def __init__(self, number: int) -> None:
            self.number = number
            words = f"Account {number} says that valve {number} stuck because corrosion had eaten seat {number} away."
            super().__init__(words, style)

        def draw(self) -> None:
            on_page.setdefault(self.number, self.canv.getPageNumber())
            super().draw()

        def split(self, width: float, height: float) -> list[Paragraph]:
            return []

    document.build([Marked(number) for number in range(1, 151)])
    item = document_of(out.getvalue(), ".pdf")
    flat = " ".join(item.text.split())
    assert len(on_page) == 150
    assert len(set(on_page.values())) > 2
    for number, page in on_page.items():
        sentence = f"Account {number} says that valve {number} stuck because corrosion had eaten seat {number} away."
        assert sentence in flat
        assert page_at(item.source.pages, item.text.index(f"Account {number} says")) == page
        assert page_at(item.source.pages, item.text.index(f"seat {number} away.")) == page


def test_words_broken_at_line_ends_are_mended(document_of) -> None:
    lines = ["The pump failed because the bear-", "ing seized. It was a well-", "known fault."]
    item = document_of(drawn([lines]), ".pdf")
    assert " ".join(item.text.split()) == ("The pump failed because the bearing seized. It was a well-known fault.")


def test_the_document_decides_about_a_hyphen_before_the_lexicon_does() -> None:
    pages = [
        f"The re{HYPHEN}port told of a bulk{HYPHEN}head.",
        "A bulk-head, a zog-frim.",
        f"One zog{HYPHEN}frim, {HYPHEN} x.",
    ]
    assert mend_hyphens(pages) == ["The report told of a bulk-head.", "A bulk-head, a zog-frim.", "One zog-frim, - x."]


def test_gaps_between_lines_set_off_paragraphs(document_of) -> None:
    lines = ["The first paragraph goes on", "over three lines of text and", "ends here.", "", "The second one begins."]
    text = document_of(drawn([lines]), ".pdf").text
    assert text == "\n".join(lines)


def test_a_sentence_may_go_on_over_the_page(document_of) -> None:
    item = document_of(drawn([["The dam failed because the"], ["gate was stuck."], ["A new page."]]), ".pdf")
    assert item.text == "The dam failed because the\ngate was stuck.\n\nA new page."


def test_title_and_date_come_from_the_metadata(document_of) -> None:
    def name(canvas: Canvas) -> None:
        canvas.setTitle("Loss of the Arlen")

    data = drawn([["Text."]], name, invariant=1)
    item = document_of(data, ".pdf")
    assert item.source.doc_title == "Loss of the Arlen"
    assert item.source.published is None
    dated = data.replace(b"D:20000101000000", b"D:20140302101112")
    assert dated != data
    assert document_of(dated, ".pdf").source.published == "2014-03-02T00:00:00Z"


def test_an_encrypted_file(error_of) -> None:
    assert isinstance(
        error_of(drawn([["Secret."]], encrypt=StandardEncryption("user", "owner")), ".pdf"), DocumentEncrypted
    )


def test_a_file_that_only_forbids_printing_is_read(document_of) -> None:
    assert document_of(drawn([["Open."]], encrypt=StandardEncryption("", "owner", canPrint=0)), ".pdf").text == "Open."


def test_a_scanned_file(error_of) -> None:
    def scan(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(Image.new("RGB", (60, 80), "gray")), 0, 0, 500, 700)

    error = error_of(drawn([[], []], scan), ".pdf")
    assert isinstance(error, DocumentScanned)
    assert error.details["pages"] == 2


def test_a_file_of_empty_pages_is_empty(error_of) -> None:
    assert isinstance(error_of(drawn([[], [], []]), ".pdf"), DocumentEmpty)


def test_a_truncated_file_is_damaged_wherever_it_is_cut(items_of) -> None:
    data = drawn([[f"Page {n}."] for n in range(20)])
    for share in (0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99):
        (error,) = items_of(data[: int(len(data) * share)], ".pdf")
        assert isinstance(error, DocumentDamaged), share
        assert "PDFium" not in str(error)


def test_an_update_that_was_cut_off_is_damaged(items_of) -> None:
    """PDFium would mend it, and give the text from before the update."""
    update = b"\n99 0 obj\n<< /Length 9000 >>\nstream\n" + b"x" * 5_000
    (error,) = items_of(drawn([["The first version."]]) + update, ".pdf")
    assert isinstance(error, DocumentDamaged)


def test_what_is_no_pdf_is_damaged(error_of) -> None:
    for data in (b"plain words", b"%PDF-1.7\n%%EOF", bytes(5_000) + b"%%EOF"):
        assert isinstance(error_of(data, ".pdf"), DocumentDamaged)


def test_more_pages_or_characters_than_allowed() -> None:
    data = drawn([["Many words on this page."]] * 12)
    (error,) = load_bytes(data, "a.pdf", ".pdf", Settings(max_document_pages=10))
    assert isinstance(error, DocumentTooLarge)
    assert "max_document_pages" in str(error)
    (error,) = load_bytes(data, "a.pdf", ".pdf", Settings(max_document_characters=50))
    assert isinstance(error, DocumentTooLarge)


def test_a_page_count_that_lies(items_of) -> None:
    data = drawn([["One."]])
    for count in (b"/Count 2147483647", b"/Count 99999", b"/Count -1", b"/Count 7"):
        changed = data.replace(b"/Count 1", count)
        assert changed != data
        for item in items_of(changed, ".pdf"):
            assert item is not None


@pytest.mark.parametrize("text", ["Ärger über Öl", "naïve café"])
def test_letters_with_accents(document_of, text: str) -> None:
    assert document_of(drawn([[text]]), ".pdf").text == text
