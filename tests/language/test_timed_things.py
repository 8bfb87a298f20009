"""Times that things go by, and months and days without a year."""

from __future__ import annotations

import pytest

from language.calendar_marks import calendar_marks
from language.timed_things import tells_another_time


@pytest.mark.parametrize(
    ("asked", "told", "another"),
    [
        ("the 7:40 train derail", "The 7:50 train derailed", True),
        ("the 7:40 train derail", "The 7:50 express train derailed", True),
        ("the 7:40 train derail", "The 7:40 and the 7:50 trains derailed", False),
        ("the 7:40 train derail", "The train derailed at 7:50", False),
        ("the 7:40 train derail", "The train derailed", False),
        ("the train derail", "The 7:50 train derailed", False),
        ("the 7:40 pm train derail", "The 19:40 train derailed", False),
        ("the 7:40 train derail", "The 19:40 train derailed", False),
        ("the 7:40 am train derail", "The 19:40 train derailed", True),
        ("the 9 o'clock ferry sink", "The 10 o’clock ferry sank", True),
        ("the nine o'clock ferry sink", "The 9 o'clock ferry sank", False),
        ("the noon ferry sink", "The midnight ferry sank", True),
        ("the 7:40 train derail", "The 7:50 ferry sank", False),
        ("Tuesday's meeting fail", "Monday's meeting failed", True),
        ("the dam leak on Tuesday", "On Monday the dam leaked", True),
        ("the dam leak on Tuesday", "The dam leaked from Monday to Friday", False),
        ("the May leak", "the March leak", True),
        ("the May leak", "the May leak was found in March", False),
    ],
)
def test_another_time_is_another_thing(asked: str, told: str, another: bool) -> None:
    assert tells_another_time(asked, told) is another


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("In March the dam leaked", [(3, None, None)]),
        ("the dam leaked on 3 May", [(5, 3, None)]),
        ("the May leak", [(5, None, None)]),
        ("On Monday the dam leaked", [(None, None, 0)]),
        ("the dam had leaked since March", []),
        ("the seal was worn until 3 May", []),
        ("the crash of Black Monday", []),
        ("the dam may leak", []),
        ("the dam leaked in March 2020", []),
    ],
)
def test_marks_of_the_calendar(text: str, marks: list[tuple[int | None, int | None, int | None]]) -> None:
    assert [(mark.month, mark.day, mark.weekday) for mark in calendar_marks(text)] == marks
    assert all(text[mark.start : mark.end].strip() for mark in calendar_marks(text))
