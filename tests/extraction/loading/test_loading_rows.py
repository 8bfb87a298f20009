from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causetrail.errors import (
    DocumentCharacters,
    DocumentDamaged,
    DocumentEmpty,
    DocumentEncoding,
    DocumentError,
    DocumentFields,
    DocumentTooLarge,
)
from causetrail.settings import Settings
from extraction.loading.load import Loaded, load_bytes


def test_each_row_is_a_document_with_the_files_hash(items_of) -> None:
    data = b'id,Title,Text,Date Published\n1,First,"The pump, it\nfailed.",2014-03-02\n\n2,,It rained.,soon\n'
    first, second = items_of(data, ".csv")
    assert (first.source.name, first.source.origin, first.source.doc_title) == (
        "folder/file.csv#1",
        "folder/file.csv",
        "First",
    )
    assert first.text == "The pump, it\nfailed."
    assert first.source.published == "2014-03-02T00:00:00Z"
    assert (second.source.name, second.source.doc_title) == ("folder/file.csv#2", "file.csv#2")
    assert second.source.published is None
    assert first.source.raw_sha256 == second.source.raw_sha256


@pytest.mark.parametrize(
    ("ending", "delimiter"), [(".csv", ","), (".csv", ";"), (".csv", "\t"), (".csv", "|"), (".tsv", "\t")]
)
def test_delimiters(document_of, ending: str, delimiter: str) -> None:
    item = document_of(f"title{delimiter}narrative\r\nT{delimiter}It rained.\r\n".encode("utf-8-sig"), ending)
    assert (item.source.doc_title, item.text) == ("T", "It rained.")


def test_a_bad_row_does_not_stop_the_others(items_of) -> None:
    data = b'id,text\n1,good\n2,"bad"x\n3,\n4,nul\x00here\n5,good too\n6,"never closed\n7,lost\n'
    kinds = [type(item) for item in items_of(data, ".csv")]
    assert kinds == [Loaded, DocumentDamaged, DocumentEmpty, DocumentCharacters, Loaded, DocumentDamaged]
    names = [str(item.details["source"]) for item in items_of(data, ".csv") if isinstance(item, DocumentError)]
    assert names == [f"folder/file.csv#{row}" for row in (2, 3, 4, 6)]


def test_a_table_without_a_text_column(error_of) -> None:
    error = error_of(b"id,amount\n1,2\n", ".csv")
    assert isinstance(error, DocumentFields)
    assert "description" in str(error)


def test_a_table_in_another_encoding(error_of) -> None:
    assert isinstance(error_of("id,text\n1,café".encode("latin-1"), ".csv"), DocumentEncoding)


def test_a_field_longer_than_the_csv_module_allows_by_itself(document_of) -> None:
    assert len(document_of(b"text\n" + b"word " * 100_000, ".csv").text) == 500_000


def test_a_field_longer_than_a_document_may_be() -> None:
    items = list(
        load_bytes(b"text\n" + b"x" * 600_000 + b"\nshort\n", "a.csv", ".csv", Settings(max_document_characters=1000))
    )
    assert [type(item) for item in items] == [DocumentTooLarge, Loaded]


@given(
    st.lists(
        st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).filter(str.strip), min_size=1
    )
)
def test_texts_come_out_of_a_table_as_they_went_in(texts: list[str]) -> None:
    quoted = "\n".join('"' + text.replace('"', '""') + '"' for text in texts)
    items = list(load_bytes(f"text\n{quoted}\n".encode(), "a.csv", ".csv", Settings()))
    assert [item.text for item in items if isinstance(item, Loaded)] == [text.removeprefix("\ufeff") for text in texts]


def test_json_objects_lists_and_lines(items_of, document_of) -> None:
    one = {"headline": "T", "body": "It rained.", "date": "March 2014", "id": 7}
    item = document_of(json.dumps(one).encode(), ".json")
    assert (item.source.name, item.source.doc_title, item.text) == ("folder/file.json", "T", "It rained.")
    assert item.source.published_resolution == "month"
    rows = items_of(json.dumps([one, "plain text", {"content": ["one", "two"]}]).encode(), ".json")
    assert [row.text for row in rows] == ["It rained.", "plain text", "one\n\ntwo"]
    assert [row.source.name for row in rows] == [f"folder/file.json#{n}" for n in (1, 2, 3)]
    assert [row.text for row in items_of(json.dumps({"documents": [one]}).encode(), ".json")] == ["It rained."]
    lines = items_of(b'{"text":"a"}\r\n\r\n{"text":"c"}\n', ".jsonl")
    assert [(line.source.name, line.text) for line in lines] == [
        ("folder/file.jsonl#1", "a"),
        ("folder/file.jsonl#3", "c"),
    ]


def test_bad_rows_of_json_lines(items_of) -> None:
    data = b"\n".join(
        (
            b'{"text":"good"}',
            b"{bad",
            b'{"other":1}',
            b'{"text":""}',
            b'{"text":"\\ud800"}',
            b'{"text":"\\u0000"}',
            b"7",
            b'{"text":7}',
            b"null",
            b'{"text":"\\ud83c\\udf0a"}',
            b"[" * 100_000,
            b'{"text":"x","n":' + b"9" * 10_000 + b"}",
        )
    )
    kinds = [type(item) for item in items_of(data, ".jsonl")]
    assert kinds == [
        Loaded,
        DocumentDamaged,
        DocumentFields,
        DocumentEmpty,
        DocumentCharacters,
        DocumentCharacters,
        DocumentFields,
        DocumentEmpty,
        DocumentFields,
        Loaded,
        DocumentDamaged,
        Loaded,
    ]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b'{"text": "cut', DocumentDamaged),
        (b"[" * 100_000, DocumentDamaged),
        (b'{"a":' * 100_000, DocumentDamaged),
        (b"[]", DocumentEmpty),
        (b"{}", DocumentFields),
        (b"3", DocumentFields),
    ],
)
def test_json_that_gives_nothing(error_of, data: bytes, kind: type) -> None:
    assert isinstance(error_of(data, ".json"), kind)


def test_json_of_too_many_values() -> None:
    (error,) = load_bytes(b"[" + b"[]," * 1_000 + b"[]]", "a.json", ".json", Settings(max_document_values=1_000))
    assert isinstance(error, DocumentTooLarge)
    assert "max_document_values" in str(error)
