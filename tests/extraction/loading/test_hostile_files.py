"""Whatever the bytes are: documents and coded errors come out, nothing else, and no word of a library in a message."""

from __future__ import annotations

import io
import re
import zlib
from functools import cache

import docx
import pptx
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from causetrail.errors import DocumentDamaged, DocumentError, DocumentSlow
from causetrail.settings import Settings
from extraction.loading.load import Loaded, load_bytes
from extraction.loading.pdf_process import READER
from extraction.loading.registry import BY_ENDING
from kg.pages import page_at

ENDINGS = sorted(BY_ENDING)
SETTINGS = Settings(
    max_document_characters=200_000, max_unpacked_bytes=5_000_000, max_document_pages=100, max_document_seconds=3.0
)
LIBRARY_WORDS = re.compile(
    r"pdfium|lxml|zipfile|zip file|docx\.|pptx\.|yaml|codec|errno|traceback|recursion|json\.|expecting|xml",
    re.IGNORECASE,
)


@cache
def valid(ending: str) -> bytes:
    """A valid file of this ending."""
    if ending == ".pdf":
        out = io.BytesIO()
        canvas = Canvas(out, invariant=1)
        for page in range(3):
            canvas.drawString(72, 700, f"Page {page}: the pump failed because of rust.")
            canvas.showPage()
        canvas.save()
        return out.getvalue()
    if ending in {".docx", ".pptx"}:
        out = io.BytesIO()
        if ending == ".docx":
            document = docx.Document()
            document.add_paragraph("The pump failed because of rust.")
            document.add_table(2, 2).cell(0, 0).text = "cell"
            document.save(out)
        else:
            presentation = pptx.Presentation()
            presentation.slides.add_slide(presentation.slide_layouts[0]).shapes.title.text = "The pump failed."
            presentation.save(out)
        return out.getvalue()
    samples = {
        "text/markdown": b"---\ntitle: T\ndate: 2014-03-02\n---\n# Head\n\nThe pump failed.\n",
        "text/html": b"<html><head><title>T</title></head><body><p>The <b>pump</b> failed.</p></body></html>",
        "text/csv": b'title,text\nT,"The pump, it failed."\nU,It rained.\n',
        "text/tab-separated-values": b"title\ttext\nT\tThe pump failed.\n",
        "application/json": b'[{"title":"T","text":"The pump failed.","date":"2014"}]',
        "application/x-ndjson": b'{"text":"The pump failed."}\n{"text":"It rained."}\n',
    }
    return samples.get(BY_ENDING[ending].media_type, "The pump failed — it rained. 🌊\n".encode())


def check(data: bytes, ending: str) -> list[Loaded | DocumentError]:
    """Loads and holds what comes out to what is promised."""
    items = list(load_bytes(data, "source", ending, SETTINGS))
    for item in items:
        if isinstance(item, DocumentError):
            assert str(item.details["source"]).startswith("source")
            assert not LIBRARY_WORDS.search(str(item).replace("openxmlformats", "")), str(item)
            continue
        assert isinstance(item, Loaded)
        assert item.text.strip()
        assert not re.search("[\x00\r\ud800-\udfff]", item.text)
        item.text.encode("utf-8")
        item.source.doc_title.encode("utf-8")
        assert item.source.doc_title.strip()
        pages = item.source.pages
        assert list(pages) == sorted(pages)
        assert not pages or (pages[0] == 0 and pages[-1] <= len(item.text))
        assert (page_at(pages, 0) is None) == (not pages)
    return items


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_valid_samples_are_valid(ending: str) -> None:
    assert all(isinstance(item, Loaded) for item in check(valid(ending), ending))


@pytest.mark.parametrize("ending", ENDINGS)
@given(data=st.binary(max_size=2_000))
def test_random_bytes(ending: str, data: bytes) -> None:
    assert len(check(data, ending)) >= 1 or not data.strip() or ending in {".csv", ".tsv", ".tab", ".jsonl", ".ndjson"}


@pytest.mark.parametrize("ending", ENDINGS)
@given(text=st.text(alphabet="ab,;\t\n\r\"<>/={}[]():-#'\\|&!é\ud800\x00\u2028%", max_size=300))
def test_random_markup(ending: str, text: str) -> None:
    check(text.encode("utf-8", "surrogatepass"), ending)


@pytest.mark.parametrize("ending", ENDINGS)
@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_valid_files_cut_and_changed(ending: str, data: st.DataObject) -> None:
    content = bytearray(valid(ending))
    for _ in range(data.draw(st.integers(0, 8))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    check(bytes(content[: data.draw(st.integers(0, len(content)))]), ending)
    check(bytes(content), ending)


@pytest.mark.parametrize("ending", [".docx", ".pptx"])
@hypothesis_settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_packages_whose_xml_is_changed(ending: str, data: st.DataObject) -> None:
    """The zip file is sound, so the change reaches the libraries behind it."""
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(valid(ending))) as old, zipfile.ZipFile(out, "w") as new:
        names = [name for name in old.namelist() if name.endswith((".xml", ".rels"))]
        chosen = data.draw(st.sampled_from(names))
        for name in old.namelist():
            content = bytearray(old.read(name))
            if name == chosen:
                for _ in range(data.draw(st.integers(1, 4))):
                    place = data.draw(st.integers(0, len(content) - 1))
                    content[place : place + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=4))
            if name != chosen or data.draw(st.booleans()):
                new.writestr(name, bytes(content))
    check(out.getvalue(), ending)


def pdf(*objects: bytes) -> bytes:
    """A PDF of these objects, the catalogue first, with a table of their places."""
    out = io.BytesIO(b"%PDF-1.7\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n" % number + content + b"\nendobj\n")
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.writelines(b"%010d 00000 n \n" % place for place in places)
    out.write(b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start))
    return out.getvalue()


CATALOGUE = b"<< /Type /Catalog /Pages 2 0 R >>"


def test_very_many_pages_are_counted_before_they_are_read() -> None:
    kids = b" ".join(b"3 0 R" for _ in range(100_000))
    data = pdf(CATALOGUE, b"<< /Type /Pages /Count 100000 /Kids [" + kids + b"] >>", b"<< /Type /Page /Parent 2 0 R >>")
    (item,) = check(data, ".pdf")
    assert isinstance(item, DocumentError)
    assert item.code in {"CT-D004", "CT-D006"}


def test_pages_that_hold_themselves() -> None:
    check(pdf(CATALOGUE, b"<< /Type /Pages /Count 2 /Kids [2 0 R 2 0 R] >>"), ".pdf")
    check(
        pdf(CATALOGUE, b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>", b"<< /Type /Pages /Count 1 /Kids [2 0 R] >>"),
        ".pdf",
    )


def test_a_page_that_unpacks_to_very_much() -> None:
    stream = zlib.compress(b" " * 50_000_000, 9)
    content = b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(stream) + stream + b"\nendstream"
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>"
    check(pdf(CATALOGUE, b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>", page, content), ".pdf")


def test_a_form_that_draws_itself() -> None:
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R"
        b" /Resources << /XObject << /F 5 0 R >> >> >>"
    )
    draw = b"<< /Length 5 >>\nstream\n/F Do\nendstream"
    form = (
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 11"
        b" /Resources << /XObject << /F 5 0 R >> >> >>\nstream\n/F Do /F Do\nendstream"
    )
    (item,) = check(pdf(CATALOGUE, b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>", page, draw, form), ".pdf")
    assert isinstance(item, DocumentSlow)
    assert isinstance(check(valid(".pdf"), ".pdf")[0], Loaded)


def test_a_reader_that_was_killed_is_replaced() -> None:
    check(valid(".pdf"), ".pdf")
    process = READER._process
    assert process is not None
    process.kill()
    process.wait()
    assert isinstance(check(valid(".pdf"), ".pdf")[0], DocumentDamaged)
    assert isinstance(check(valid(".pdf"), ".pdf")[0], Loaded)


def test_the_reader_serves_threads_and_forked_processes() -> None:
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
    from multiprocessing import get_context

    data = valid(".pdf")
    (expected,) = check(data, ".pdf")
    with ThreadPoolExecutor(4) as threads, ProcessPoolExecutor(2, mp_context=get_context("fork")) as processes:
        for pool in (threads, processes):
            assert all(found == [expected] for found in pool.map(check, [data] * 6, [".pdf"] * 6))


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_tables_made_to_be_slow(ending: str) -> None:
    check(b"text\n" + b'"' * 200_000, ending)
    check(b"text" + b",text" * 50_000 + b"\n" + b"x," * 50_000, ending)
    check(b"text\n" + b"\n" * 500_000, ending)
    check(b'"' + b"x\n" * 200_000, ending)


def test_texts_made_to_be_slow() -> None:
    for data in (
        b"---\n" * 100_000,
        b"---\n" + b"-" * 200_000,
        b"# " * 100_000,
        b"#" * 150_000 + b"\n",
        b"\n=" * 90_000,
    ):
        check(data, ".md")
    for data in (
        b"&" * 150_000,
        b"<" * 150_000,
        b"<!--" * 40_000,
        b"<a b='" * 30_000,
        b"<meta " * 30_000,
        b"&#xD800;" * 9_000,
    ):
        check(data, ".html")
    for data in (b"\x1b[" * 90_000, b"\xef\xbb\xbf" * 60_000, b"\r" * 190_000):
        check(data, ".txt")


def test_one_long_line_of_json(settings: Settings) -> None:
    (item,) = load_bytes(b'{"text":"' + b"x" * 15_000_000 + b'"}\n', "long.jsonl", ".jsonl", settings)
    assert isinstance(item, DocumentError)
    assert item.code == "CT-D004"


def test_memory_that_runs_out_is_a_coded_error(monkeypatch: pytest.MonkeyPatch) -> None:
    import extraction.loading.json_records as reader

    def exhausted(*_: object, **__: object) -> object:
        raise MemoryError

    monkeypatch.setattr(reader.json, "loads", exhausted)
    (item,) = load_bytes(b"{}", "a.json", ".json", SETTINGS)
    assert isinstance(item, DocumentDamaged)
