"""Errors: stable codes, complete sentences, a way through worker processes, and a page that tells the same."""

from __future__ import annotations

import pickle
import re
import runpy
import string
from collections import Counter
from pathlib import Path

import pytest

from causetrail.errors import CausetrailError, DocumentTooLarge, StoreMissing, error_table

DOCS = Path(__file__).parents[2] / "docs"
TABLE = error_table()


def fields(kind: type[CausetrailError]) -> dict[str, object]:
    """A value for every field of the templates of an error."""
    names = [name for text in (kind.summary, kind.mend) for _, name, _, _ in string.Formatter().parse(text) if name]
    return {name: f"<{name}>" for name in names}


def test_no_code_is_used_twice() -> None:
    kinds: list[type[CausetrailError]] = [CausetrailError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    codes = Counter(kind.code for kind in kinds if "code" in vars(kind))
    assert [code for code, times in codes.items() if times > 1] == []


@pytest.mark.parametrize("kind", TABLE, ids=lambda kind: kind.code)
def test_every_error_tells_what_happened_and_what_to_do(kind: type[CausetrailError]) -> None:
    error = kind(**fields(kind))
    assert re.fullmatch(r"CT-[ACDEMQSX]\d{3}", error.code)
    assert error.message
    assert error.fix
    assert not re.search(r"\{\w*\}", error.message + error.fix)
    assert error.exit_code in {1, 2, 3, 4, 5, 6, 7}
    assert 400 <= error.http_status <= 599


@pytest.mark.parametrize("kind", TABLE, ids=lambda kind: kind.code)
def test_every_error_crosses_the_border_of_a_process(kind: type[CausetrailError]) -> None:
    error = kind(**fields(kind))
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.message, copy.fix, copy.details) == (kind, error.message, error.fix, error.details)


def test_details_are_kept_for_programs() -> None:
    error = DocumentTooLarge(source="a.txt", size=12, unit="bytes", limit=10)
    assert error.details == {"source": "a.txt", "size": 12, "unit": "bytes", "limit": 10}
    assert str(error).startswith("CT-D004: a.txt holds 12 bytes; the limit is 10.")
    assert "max_document_bytes" in error.fix


def test_a_missing_detail_is_a_fault_of_the_program() -> None:
    with pytest.raises(KeyError):
        StoreMissing(path="trail.db")


def test_the_pages_made_from_the_code_are_current() -> None:
    pages = runpy.run_path(str(DOCS / "write_reference.py"))["pages"]()
    for name, text in pages.items():
        assert (DOCS / name).read_text(encoding="utf-8") == text, f"{name} is out of date: make docs"


def test_the_page_of_measurements_is_current() -> None:
    page = runpy.run_path(str(DOCS / "write_measurements.py"))["measurements_page"]()
    assert (DOCS / "measurements.md").read_text(encoding="utf-8") == page, "measurements.md is out of date: make docs"


def test_every_row_of_a_table_stands_on_one_line() -> None:
    for page in ("settings.md", "errors.md", "addresses.md"):
        lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
        table = [line for line in lines if line.startswith("|")]
        assert table
        assert all(line.endswith("|") for line in table), page
