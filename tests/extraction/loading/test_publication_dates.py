from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.loading.dates import parse_date
from extraction.loading.metadata import own_date, own_title


@pytest.mark.parametrize(
    ("text", "start", "resolution"),
    [
        ("2014-03-02", "2014-03-02", "day"),
        (" 2014/3/2 ", "2014-03-02", "day"),
        ("2014-03-02T10:00:00Z", "2014-03-02", "day"),
        ("2014-03-02 23:10:00.123+05:30", "2014-03-02", "day"),
        ("2014-03", "2014-03-01", "month"),
        ("2014", "2014-01-01", "year"),
        ("20140302", "2014-03-02", "day"),
        ("D:20140302101112+01'00'", "2014-03-02", "day"),
        ("2 March 2014", "2014-03-02", "day"),
        ("2nd Mar. 2014", "2014-03-02", "day"),
        ("March 2, 2014", "2014-03-02", "day"),
        ("Sept 30th, 2014", "2014-09-30", "day"),
        ("March 2014", "2014-03-01", "month"),
        ("Sun, 02 Mar 2014 10:00:00 GMT", "2014-03-02", "day"),
        ("Sunday, 2 March 2014, 10:00 AM", "2014-03-02", "day"),
        ("29 February 2012", "2012-02-29", "day"),
    ],
)
def test_dates_that_leave_no_doubt(text: str, start: str, resolution: str) -> None:
    found = parse_date(text)
    assert found is not None
    assert (found.start, found.resolution) == (f"{start}T00:00:00Z", resolution)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "03/04/2014",
        "2014-13-01",
        "2014-02-30",
        "29 February 2013",
        "yesterday",
        "soon 2014",
        "12",
        "1234567890",
        "0001-01-01",
        "9999",
        "2 Foo 2014",
        "2014-03-02 or so",
        "x" * 500,
        None,
        2014,
        ["2014"],
        "２０１４-x",
    ],
)
def test_anything_else_is_no_date(value: object) -> None:
    assert parse_date(value) is None


@given(st.dates(date(1500, 1, 1), date(2199, 12, 31)))
def test_every_day_in_its_usual_forms(day: date) -> None:
    for form in ("%Y-%m-%d", "%d %B %Y", "%b %d, %Y", "%Y%m%d"):
        found = parse_date(day.strftime(form).replace(day.strftime("%Y"), f"{day.year:04d}"))
        assert found is not None
        assert found.start == f"{day.isoformat()}T00:00:00Z"


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    parse_date(text)


@pytest.mark.parametrize(
    "title",
    ["Microsoft Word - final.doc", "untitled", "report_v2.pdf", "  ", "PowerPoint Presentation", "(anonymous)", None],
)
def test_titles_of_programs_are_none(title: object) -> None:
    assert own_title(title) is None


def test_titles_of_people_stay() -> None:
    assert own_title(" Loss of the\nMV Arlen ") == "Loss of the MV Arlen"
    assert own_title("Document control at the plant") == "Document control at the plant"


def test_zero_days_of_clocks_are_no_dates() -> None:
    assert own_date("D:19700101000000Z") is None
    assert own_date("2013-12-23") is None
    assert own_date("1904-01-01") is None
    assert own_date("2014-03-02") is not None
