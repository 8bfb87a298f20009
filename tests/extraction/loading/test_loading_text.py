from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causetrail.errors import (
    DocumentBinary,
    DocumentCharacters,
    DocumentEmpty,
    DocumentEncoding,
    DocumentFormat,
    DocumentTooLarge,
    DocumentUnreadable,
)
from causetrail.settings import Settings
from extraction.loading.dates import parse_date
from extraction.loading.files import raw_sha256
from extraction.loading.load import Loaded, load, load_bytes
from extraction.loading.normalise import normalise


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_that_are_told(document_of, codec: str) -> None:
    text = "Die Brücke fiel – “heute” 🌊 עברית e\u0301"
    assert document_of(text.encode(codec), ".txt").text == text


def test_big_endian_utf16_with_its_mark(document_of) -> None:
    assert document_of(codecs.BOM_UTF16_BE + "The dam failed.".encode("utf-16-be"), ".txt").text == "The dam failed."


def test_latin_1_is_refused_with_the_position_of_its_first_bad_byte(error_of) -> None:
    error = error_of("It was a caf\xe9 in Lyon.".encode("latin-1"), ".txt")
    assert isinstance(error, DocumentEncoding)
    assert error.details["position"] == 12
    assert "UTF-8" in str(error)


def test_utf16_without_a_mark_is_an_encoding_not_binary_data(error_of) -> None:
    assert isinstance(
        error_of("The dam failed in March because it rained.".encode("utf-16-le"), ".txt"), DocumentEncoding
    )


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(100),
        b"PK\x03\x04" + bytes(range(256)),
        bytes(range(256)) * 40,
        b"%PDF-1.4\n1 0 obj",
        b"\x7fELF" + bytes(64),
        bytes(1000),
        b"\x00\x01\x02\x03" * 100,
    ],
)
def test_binary_named_as_text(error_of, data: bytes) -> None:
    assert isinstance(error_of(data, ".txt"), DocumentBinary)
    assert isinstance(error_of(data, ".md"), DocumentBinary)


def test_one_nul_in_a_text_is_named_with_its_position(error_of) -> None:
    error = error_of(b"The pump failed\x00 because of rust.", ".txt")
    assert isinstance(error, DocumentCharacters)
    assert "position 15" in str(error)


def test_a_lone_surrogate_is_named_with_its_position(error_of) -> None:
    for data in ("ab\ud800cd".encode("utf-8", "surrogatepass"), "ab\udc00cd".encode("utf-16", "surrogatepass")):
        error = error_of(data, ".txt")
        assert isinstance(error, DocumentCharacters)
        assert "position 2" in str(error)


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", codecs.BOM_UTF8, "\u00a0\u2003\n".encode()])
def test_nothing_but_white_space_is_empty(error_of, data: bytes) -> None:
    for ending in (".txt", ".md", ".html"):
        assert isinstance(error_of(data, ending), DocumentEmpty)


def test_line_ends_become_one_kind_and_all_else_stays() -> None:
    assert normalise("a\r\nb\rc\fd\x0be\u2028f\u2029g  \n", "s") == "a\nb\nc\nd\ne\nf\ng  \n"
    assert normalise("\ufeffx\ufeffy", "s") == "x\ufeffy"
    assert normalise("e\u0301 \u00e9 ﬁ \u202eabc", "s") == "e\u0301 \u00e9 ﬁ \u202eabc"
    assert normalise("\x1b[31mred\x1b[0m\x07!", "s") == "red !"
    assert normalise("the \x93Mako\x92s\x94 track \x96 lost\x85\x81", "s") == "the “Mako’s” track – lost… "


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",), exclude_characters="\x00")))
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = normalise(text, "s").lstrip("\ufeff")
    assert normalise(once, "s") == once


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1))
def test_text_without_controls_is_kept_word_for_word(text: str) -> None:
    assert normalise(text, "s") == text.removeprefix("\ufeff")


def test_too_many_characters_and_too_many_bytes(settings: Settings) -> None:
    (error,) = load_bytes(b"x" * 3_000_000, "long.txt", ".txt", settings)
    assert isinstance(error, DocumentTooLarge)
    assert error.details["unit"] == "characters"
    (error,) = load_bytes(b"x" * 30_000_000, "long.txt", ".txt", settings)
    assert isinstance(error, DocumentTooLarge)
    assert error.details["unit"] == "bytes"


def test_a_file_too_large_is_not_read(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "sparse.txt"
    with path.open("wb") as file:
        file.truncate(1 << 33)
    (error,) = load(path, settings, "sparse.txt")
    assert isinstance(error, DocumentTooLarge)
    with pytest.raises(DocumentTooLarge):
        raw_sha256(path, limit=settings.max_document_bytes)


def test_unknown_formats_are_named(settings: Settings) -> None:
    (error,) = load_bytes(b"x", "a.xyz", ".xyz", settings)
    assert isinstance(error, DocumentFormat)
    assert "a.xyz" in str(error)


def test_media_types_of_uploads(settings: Settings) -> None:
    (item,) = load_bytes(b"# Head\nBody.", "upload", "Text/Markdown; charset=utf-8", settings)
    assert isinstance(item, Loaded)
    assert item.source.media_type == "text/markdown"
    assert item.source.doc_title == "Head"


def test_a_file_and_its_bytes_give_the_same(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "note.txt"
    path.write_bytes(b"The pump failed.\r\n")
    (item,) = load(path, settings, "note.txt")
    assert list(load_bytes(path.read_bytes(), "note.txt", ".txt", settings)) == [item]
    assert isinstance(item, Loaded)
    assert item.source.raw_sha256 == raw_sha256(path)
    assert (item.source.name, item.source.origin, item.source.doc_title) == ("note.txt",) * 3
    assert item.source.published is None
    assert item.source.pages == ()


def test_the_callers_date_outranks_the_documents(settings: Settings) -> None:
    data = b"---\ndate: 2014-03-02\n---\nText."
    (item,) = load_bytes(data, "a.md", ".md", settings, parse_date("2015-04"))
    assert isinstance(item, Loaded)
    assert item.source.published == "2015-04-01T00:00:00Z"
    assert item.source.published_resolution == "month"


def test_a_missing_file_is_unreadable(tmp_path: Path, settings: Settings) -> None:
    (error,) = load(tmp_path / "no.txt", settings, "no.txt")
    assert isinstance(error, DocumentUnreadable)
    assert "does not exist" in str(error)
    assert "Errno" not in str(error)
