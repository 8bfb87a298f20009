from __future__ import annotations

import pytest


def test_front_matter_gives_title_and_date_and_leaves_the_lines_of_the_file(document_of) -> None:
    data = b"---\ntitle: 'Pump: report'\ndate: 2014-03-02T23:59:00-08:00\n---\n# Heading\n\nThe pump failed.\n"
    item = document_of(data, ".md")
    assert item.source.doc_title == "Pump: report"
    assert item.source.published == "2014-03-02T00:00:00Z"
    assert item.source.published_resolution == "day"
    lines = data.decode().split("\n")
    assert item.text.split("\n")[4:] == lines[4:]
    assert item.text.startswith("\n\n\n\n# Heading")


def test_windows_line_ends_in_front_matter(document_of) -> None:
    item = document_of(b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\nText.", ".md")
    assert (item.source.doc_title, item.text) == ("T", "\n\n\nText.")


@pytest.mark.parametrize(
    ("data", "title"),
    [
        (b"Intro.\n\n## The dam ##\n", "The dam"),
        (b"The dam\n=======\n\nText.", "The dam"),
        (b"No heading here.", "file.md"),
    ],
)
def test_without_front_matter_the_first_heading_is_the_title(document_of, data: bytes, title: str) -> None:
    item = document_of(data, ".md")
    assert item.source.doc_title == title
    assert item.text == data.decode()


@pytest.mark.parametrize(
    "data",
    [
        b"---\nA rule, then prose: it goes on\nand on: here [\n---\nText.",
        b"---\njust words\n---\nText.",
        b"---\n!!python/object/apply:os.system ['true']\n---\nText.",
        b"---\n" + b"[" * 5000 + b"\n---\nText.",
        b"---\n- a\n- b\n---\nText.",
        b"---\nno end\nText.",
    ],
)
def test_what_is_no_mapping_is_text(document_of, data: bytes) -> None:
    assert document_of(data, ".md").text == data.decode()


def test_a_date_that_is_none_is_none(document_of) -> None:
    item = document_of(b"---\ntitle: T\ndate: 2014-13-45\n---\nText.", ".md")
    assert item.source.published is None
    assert item.source.doc_title == "T"


def test_yaml_aliases_do_not_multiply(document_of) -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{b}: &{b} [{','.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert document_of(f"---\n{bomb}title: T\n---\nText.".encode(), ".md").source.doc_title == "T"
