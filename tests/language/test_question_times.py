from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.calendar_marks import calendar_marks
from language.intervals import TimeInterval, month_interval, year_interval
from language.question_times import QuestionTime, fits_mark, matches, question_time
from language.times import TimeInterval as SameInterval


def asked(text: str) -> QuestionTime:
    found = question_time(text)
    assert found is not None
    return found


def day(text: str) -> TimeInterval:
    return TimeInterval(f"{text}T00:00:00Z", f"{text}T23:59:59Z", "day")


def rest(text: str) -> str:
    for start, end in sorted(asked(text).spans, reverse=True):
        text = text[:start] + text[end:]
    return " ".join(text.split())


def test_a_month_of_any_year() -> None:
    time = asked("why did checkout fail in march?")
    assert (time.month, time.day, time.interval) == (3, None, None)
    assert matches(time, day("2014-03-05")) and matches(time, day("1999-03-31"))
    assert not matches(time, day("2014-04-05"))
    assert month_interval(2015, 3) in time.intervals
    year = year_interval(2014)
    assert year is not None and not matches(asked("What failed in January?"), year)


def test_a_day_of_any_year() -> None:
    time = asked("What failed on 5 February?")
    assert (time.month, time.day) == (2, 5)
    assert matches(time, day("2014-02-05"))
    assert not matches(time, day("2014-02-06"))
    assert not matches(time, TimeInterval("2014-02-01T00:00:00Z", "2014-03-01T00:00:00Z", "month"))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("What failed in 2014?", "2014-01-01", "2015-01-01"),
        ("What failed on 2 March 2014?", "2014-03-02", "2014-03-03"),
        ("Why did sales fall in Q3 2014?", "2014-07-01", "2014-10-01"),
        ("What failed in the 1990s?", "1990-01-01", "2000-01-01"),
        ("What failed between 2 and 5 March 2014?", "2014-03-02", "2014-03-06"),
    ],
)
def test_a_stretch_of_the_calendar(text: str, start: str, end: str) -> None:
    interval = asked(text).interval
    assert interval is not None
    assert (interval.start[:10], interval.end[:10]) == (start, end)
    assert matches(asked(text), day(start))
    assert not matches(asked(text), day(end))


def test_order() -> None:
    latest = asked("Why did the latest outage happen?")
    assert (latest.latest, latest.first, latest.interval) == (True, False, None)
    assert matches(latest, day("2014-03-02"))
    first = asked("What caused the first derailment in March 2014?")
    assert (first.latest, first.first) == (False, True)
    assert first.interval == month_interval(2014, 3)
    assert question_time("Why did it fail last year?") is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Why did checkout fail in March?", "Why did checkout fail ?"),
        ("What caused the first derailment in March 2014?", "What caused derailment ?"),
        ("On 2 March 2014 at 18:40 what happened", "what happened"),
        ("Why did the latest outage happen?", "Why did outage happen?"),
    ],
)
def test_what_is_left_of_the_question(text: str, left: str) -> None:
    assert rest(text) == left


@pytest.mark.parametrize(
    "text", ["Why did the pump fail?", "Why may it fail?", "Why did they march?", "", "Why 2014 passengers?"]
)
def test_no_time(text: str) -> None:
    assert question_time(text) is None


@given(st.text(max_size=200))
def test_spans_lie_in_the_question(text: str) -> None:
    time = question_time(text)
    if time is not None:
        assert all(0 <= start < end <= len(text) for start, end in time.spans)


def test_questions_do_not_wait_for_heavy_libraries() -> None:
    program = (
        "import sys; from language.question_times import question_time; question_time('What failed in March 2014?'); "
        "print([name for name in ('spacy', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_interval_for_documents_and_questions() -> None:
    assert SameInterval is TimeInterval


def test_a_question_in_capitals_names_the_same_time():
    for text in ("Why did the pump fail in March?", "Why did the pump fail on 3 May 2021?", "What burst in 2019?"):
        told, shouted = question_time(text), question_time(text.upper())
        assert told is not None
        assert shouted == told
    # Without small letters a word that begins like a month stays what it is.
    assert question_time("MARCH OF THE MINERS") is None


@pytest.mark.parametrize(
    ("question", "told", "fits"),
    [
        ("Why did the dam leak in May?", "in March the dam leaked", False),
        ("Why did the dam leak in May 2020?", "in March the dam leaked", False),
        ("Why did the dam leak in May?", "in May the dam leaked", True),
        ("Why did the dam leak on 3 May?", "on 4 May the dam leaked", False),
        ("Why did the dam leak on 3 May?", "in May the dam leaked", None),
        ("Why did the dam leak in 2020?", "in March the dam leaked", None),
        ("Why did the dam leak on 4 May 2020?", "on Tuesday the dam leaked", False),
        ("Why did the dam leak on 4 May 2020?", "on Monday the dam leaked", None),
    ],
)
def test_a_month_without_a_year_can_speak_against_a_time(question: str, told: str, fits: bool | None) -> None:
    time = question_time(question)
    assert time is not None
    assert [fits_mark(time, mark) for mark in calendar_marks(told)] == [fits]
