"""Question-answer pairs of files, good and bad."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from causetrail.errors import (
    DocumentCharacters,
    DocumentEmpty,
    DocumentEncoding,
    DocumentError,
    DocumentTooLarge,
    DocumentUnreadable,
    PairInvalid,
    PairsFormat,
)
from causetrail.settings import Settings
from extraction.loading.load import Loaded
from extraction.loading.pairs import load_pairs, load_pairs_bytes

LIMITS = Settings(max_document_bytes=3_000_000, max_document_characters=1_000_000, max_question_characters=200)


def read(data: bytes | str, ending: str) -> Loaded | DocumentError:
    given = data.encode() if isinstance(data, str) else data
    return load_pairs_bytes(given, f"faq{ending}", ending, LIMITS)


def pairs(data: bytes | str, ending: str) -> list[str]:
    loaded = read(data, ending)
    assert isinstance(loaded, Loaded), loaded
    return [loaded.text[start:end] for start, end in loaded.pairs]


def test_three_formats_give_the_same_pairs() -> None:
    wanted = ["Who holds the key?\nThe warden.", "Is it open?\nYes, “daily”.\n\nNot on Sundays."]
    table = 'Answer;Question\r\nThe warden.;Who  holds\nthe key?\r\n"Yes, “daily”.\n\nNot on Sundays.";Is it open?\r\n'
    table = table.replace("Who  holds\nthe key?", '"Who  holds\nthe key?"')
    lines = [{"question": "Who holds the key?", "answer": " The warden. "}]
    lines += [{"answer": "Yes, “daily”.\n\nNot on Sundays.", "question": "Is it open?"}]
    page = (
        "---\ntitle: The weir\npublished: 2024-03-02\n---\n# Questions\n\nAll of them.\n\n## Who holds the key?\n\n"
        "The warden.\n\n# Hours\n\n## **Is it open?**\n\nYes, “daily”.\n\nNot on Sundays.\n\n# End\nText.\n"
    )
    assert pairs(table.encode("utf-8-sig"), ".csv") == wanted
    assert pairs("\n\n".join(map(json.dumps, lines)), ".jsonl") == wanted
    assert pairs(page, ".md") == wanted
    loaded = read(page, ".md")
    assert isinstance(loaded, Loaded)
    assert (loaded.source.doc_title, loaded.source.published) == ("The weir", "2024-03-02T00:00:00Z")


def test_headings_of_an_answer_and_of_its_code_are_part_of_it() -> None:
    page = "# Why?\n\nFirst.\n\n## Note\n\n```sh\n# What?\n```\n\n# Who?\nNobody.\n"
    assert pairs(page, ".md") == ["Why?\nFirst.\n\n## Note\n\n```sh\n# What?\n```", "Who?\nNobody."]


def test_repeats_are_left_out_and_counted() -> None:
    loaded = read("question,answer\nWho?,The warden.\nwho?, the  WARDEN.\nWho?,The miller.\nWho?,The warden.\n", ".csv")
    assert isinstance(loaded, Loaded)
    assert (loaded.text, loaded.repeats) == ("Who?\nThe warden.\n\nWho?\nThe miller.", 2)


@pytest.mark.parametrize(
    ("data", "ending", "kind", "told"),
    [
        (b"question,reply\nWho?,He.\n", ".csv", PairsFormat, "question, reply"),
        (b"question,answer,topic\nWho?,He.,x\n", ".csv", PairsFormat, "question, answer, topic"),
        (b"question,question\nWho?,He.\n", ".csv", PairsFormat, "question, question"),
        (b'question,answer\nWho?,He.\nWhy?,"never closed\n', ".csv", PairInvalid, "row 2"),
        (b'question,answer\nWho?,"He"x\n', ".csv", PairInvalid, "row 1"),
        (b"question,answer\nWho?,He.\n\nWhy?,Rain, hail\n", ".csv", PairInvalid, "row 2"),
        (b"question,answer\nWho?\n", ".csv", PairInvalid, "1 columns"),
        (b"question,answer\nWho?,He.\nWhy?, \n", ".csv", PairInvalid, "row 2: its answer is empty"),
        (b"question,answer\n,He.\n", ".csv", PairInvalid, "its question is empty"),
        (b"question,answer\n", ".csv", DocumentEmpty, "no text"),
        (b" \n", ".csv", DocumentEmpty, "no text"),
        ("question,answer\nWho?,café".encode("latin-1"), ".csv", DocumentEncoding, "UTF-8"),
        (b"question,answer\nWho?,He\x00.\n", ".csv", DocumentCharacters, "NUL"),
        (b"question,answer\n" + b"w" * 201 + b",He.\n", ".csv", PairInvalid, "max_question_characters is 200"),
        (b"question,answer\nWho?," + b"x" * 1_000_001, ".csv", DocumentTooLarge, "characters"),
        (b"question,answer\nWho?," + b"x" * 3_000_001, ".csv", DocumentTooLarge, "bytes"),
        (b'{"question": "Who?", "answer": "He."}\n{"question": "Why?"', ".jsonl", PairInvalid, "line 2"),
        (b'{"question": "Who?", "answer": 4}', ".jsonl", PairInvalid, "both text"),
        (b'{"question": "Who?", "answer": "He.", "by": "me"}', ".jsonl", PairInvalid, "two keys"),
        (b'["Who?", "He."]', ".jsonl", PairInvalid, "line 1"),
        (b'{"question": "Who?", "answer": "\\ud800"}', ".jsonl", DocumentError, ""),
        (b"[" * 100_000, ".jsonl", PairInvalid, "line 1"),
        (b"# Weir\n\nText.\n", ".md", PairsFormat, "question mark"),
        (b"# Who?\n\n# Why?\nRain.\n", ".md", PairInvalid, "line 1: its answer is empty"),
        (b"Who? He.", ".txt", PairsFormat, ".txt"),
        (b"Who? He.", "", PairsFormat, "without ending"),
    ],
)
def test_what_is_no_pair_is_told_with_its_place(data: bytes, ending: str, kind: type, told: str) -> None:
    error = read(data, ending)
    assert isinstance(error, kind), error
    assert told in error.message
    assert error.fix


def test_a_large_answer_within_the_limits_is_taken_whole() -> None:
    answer = "word " * 100_000
    assert pairs(f"question,answer\nWho?,{answer}\n", ".csv") == [f"Who?\n{answer.strip()}"]


def test_a_file_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "faq.csv"
    path.write_text("question,answer\nWho?,He.\n", "utf-8")
    loaded = load_pairs(path, LIMITS, "faq.csv")
    assert isinstance(loaded, Loaded)
    assert (loaded.source.name, loaded.text) == ("faq.csv", "Who?\nHe.")
    assert isinstance(load_pairs(tmp_path, LIMITS, "folder"), DocumentUnreadable)
