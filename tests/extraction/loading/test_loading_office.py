from __future__ import annotations

import io
import zipfile
from datetime import datetime

import docx
import pptx
import pytest
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls
from pptx.util import Inches

from causetrail.errors import DocumentDamaged, DocumentEmpty, DocumentEncrypted, DocumentExpands, DocumentFormat
from causetrail.settings import Settings
from extraction.loading.load import load_bytes
from kg.pages import page_at


def saved(document) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def report() -> bytes:
    document = docx.Document()
    document.add_heading("The dam", 0)
    document.add_paragraph("The dam failed because the gate jammed.")
    table = document.add_table(2, 2)
    for row, column, text in ((0, 0, "Hour"), (0, 1, "Level"), (1, 0, "1"), (1, 1, "4 m")):
        table.cell(row, column).text = text
    document.add_paragraph("After the table.")
    return saved(document)


def with_parts(package: bytes, parts: dict[str, bytes]) -> bytes:
    """The package with parts replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, parts.get(name) or old.read(name))
        for name in parts.keys() - set(old.namelist()):
            new.writestr(name, parts[name])
    return out.getvalue()


def part(package: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(package)) as opened:
        return opened.read(name)


def test_paragraphs_and_tables_in_order(document_of) -> None:
    item = document_of(report(), ".docx")
    assert item.text == (
        "The dam\n\nThe dam failed because the gate jammed.\n\nHour\tLevel\n1\t4 m\n\nAfter the table."
    )
    assert item.source.doc_title == "The dam"
    assert item.source.published is None
    assert item.source.pages == ()


def test_core_properties(document_of) -> None:
    document = docx.Document()
    document.add_paragraph("Text.")
    document.core_properties.title = "Loss of the Arlen"
    document.core_properties.created = datetime(2014, 3, 2, 23, 50)
    item = document_of(saved(document), ".docx")
    assert item.source.doc_title == "Loss of the Arlen"
    assert item.source.published == "2014-03-02T00:00:00Z"


def test_insertions_and_controls_are_read_deletions_and_hidden_text_are_not(document_of) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("The gate ")
    paragraph._p.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t>never </w:t></w:r></w:ins>"))
    paragraph._p.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>always </w:delText></w:r></w:del>"))
    hidden = paragraph.add_run("secretly ")
    hidden.font.hidden = True
    paragraph.add_run("closed.")
    control = parse_xml(
        f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>In a control.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    document.element.body.insert(1, control)
    tab = document.add_paragraph("a")
    tab.add_run()._r.append(OxmlElement("w:tab"))
    tab.add_run("b")
    assert document_of(saved(document), ".docx").text == "The gate never closed.\n\nIn a control.\n\na\tb"


def test_a_table_inside_a_table_is_read_once(document_of) -> None:
    document = docx.Document()
    cell = document.add_table(1, 1).cell(0, 0)
    cell.text = "outer"
    cell.add_table(1, 1).cell(0, 0).text = "inner"
    assert document_of(saved(document), ".docx").text == "outer inner"


def test_slides_are_pages(document_of) -> None:
    presentation = pptx.Presentation()
    for number in range(1, 6):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = f"Slide {number}"
        slide.placeholders[1].text = f"Pump {number} failed because of rust."
        if number == 3:
            slide.notes_slide.notes_text_frame.text = "Say that it was a note."
            table = slide.shapes.add_table(1, 2, 0, 0, Inches(1), Inches(1)).table
            table.cell(0, 0).text, table.cell(0, 1).text = "left", "right"
            box = slide.shapes.add_group_shape().shapes.add_textbox(0, 0, Inches(1), Inches(1))
            box.text_frame.text = "In a group."
    item = document_of(saved(presentation), ".pptx")
    assert item.source.doc_title == "Slide 1"
    for number in range(1, 6):
        assert page_at(item.source.pages, item.text.index(f"Slide {number}")) == number
        assert page_at(item.source.pages, item.text.index(f"Pump {number} failed")) == number
    for text in ("Say that it was a note.", "left\tright", "In a group."):
        assert page_at(item.source.pages, item.text.index(text)) == 3


def test_empty_documents(error_of) -> None:
    assert isinstance(error_of(saved(docx.Document()), ".docx"), DocumentEmpty)
    assert isinstance(error_of(saved(pptx.Presentation()), ".pptx"), DocumentEmpty)


def test_a_bomb_is_refused_whatever_it_says_of_its_size(error_of, settings: Settings) -> None:
    bomb = with_parts(report(), {"word/media/image1.bin": bytes(settings.max_unpacked_bytes + 1)})
    assert len(bomb) < 200_000
    assert isinstance(error_of(bomb, ".docx"), DocumentExpands)
    honest = (settings.max_unpacked_bytes + 1).to_bytes(4, "little")
    assert bomb.count(honest) >= 2
    lying = bomb.replace(honest, (1000).to_bytes(4, "little"))
    assert isinstance(error_of(lying, ".docx"), DocumentExpands | DocumentDamaged)


def test_xml_far_larger_than_any_text_is_refused() -> None:
    document = docx.Document()
    document.add_paragraph("x")
    data = saved(document)
    xml = part(data, "word/document.xml").replace(b"<w:body>", b"<w:body>" + b"<w:p/>" * 100_000)
    (error,) = load_bytes(
        with_parts(data, {"word/document.xml": xml}), "a.docx", ".docx", Settings(max_document_characters=10_000)
    )
    assert isinstance(error, DocumentExpands)


def test_many_entries_are_refused(error_of) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for number in range(25_000):
            package.writestr(str(number), b"")
    assert isinstance(error_of(out.getvalue(), ".docx"), DocumentExpands)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_entities_are_refused(error_of, tmp_path, codec: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret", encoding="utf-8")
    declarations = (
        '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">',
        f'<!ENTITY c SYSTEM "file://{secret}">',
    )
    data = report()
    xml = part(data, "word/document.xml").decode("utf-8").partition("?>")[2]
    for declaration in declarations:
        attack = f"<?xml version='1.0' encoding='{codec}'?><!DOCTYPE d [{declaration}]>" + xml.replace("gate", "&c;")
        error = error_of(with_parts(data, {"word/document.xml": attack.encode(codec)}), ".docx")
        assert isinstance(error, DocumentDamaged)
        assert "secret" not in str(error)


def test_nested_xml(error_of) -> None:
    data = report()
    deep = b"<w:sdt><w:sdtContent>" * 50_000
    xml = part(data, "word/document.xml").replace(b"<w:body>", b"<w:body>" + deep)
    assert isinstance(error_of(with_parts(data, {"word/document.xml": xml}), ".docx"), DocumentDamaged)


def test_encrypted_and_old_files(error_of) -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)
    assert isinstance(error_of(ole + "EncryptedPackage".encode("utf-16-le"), ".docx"), DocumentEncrypted)
    assert isinstance(error_of(ole, ".docx"), DocumentFormat)
    assert isinstance(error_of(ole, ".pptx"), DocumentFormat)


def test_truncated_mixed_up_and_incomplete_packages(error_of) -> None:
    data = report()
    for share in (0.01, 0.5, 0.99):
        assert isinstance(error_of(data[: int(len(data) * share)], ".docx"), DocumentDamaged)
    assert isinstance(error_of(data, ".pptx"), DocumentDamaged)
    assert isinstance(error_of(saved(pptx.Presentation()), ".docx"), DocumentDamaged)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("a.txt", "not a document")
    assert isinstance(error_of(out.getvalue(), ".docx"), DocumentDamaged)


def test_a_flipped_byte_inside_a_part_is_noticed(error_of) -> None:
    data = bytearray(report())
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as package:
        start = package.getinfo("word/document.xml").header_offset + 30 + len("word/document.xml") + 40
    data[start] ^= 0xFF
    assert isinstance(error_of(bytes(data), ".docx"), DocumentDamaged)
