"""What a text tells of one name is not told of another."""

from __future__ import annotations

import pytest

from language.named_doers import tells_another_doer


@pytest.mark.parametrize(
    ("asked", "told", "another"),
    [
        ("the Isk to flood", "The Dornau flooded", True),
        ("Hausen resign", "Vik was forced to leave and Brandt had resigned", True),
        ("Lars Vik resign", "Jan Brandt resigned", True),
        ("the Isk to flood", "The Isk flooded", False),
        ("the Isk to flood", "The Dornau flooded into the Isk", False),
        ("the Isk to flood", "The river flooded", False),
        ("the Isk to flood", "The Dornau froze", False),
        ("Anna Vik resign", "Vik resigned", False),
        ("Anna Vik resign", "Anna resigned", False),
        ("Lars Vik resign", "The Prime Minister resigned", False),
        ("the UK leave the EU", "Britain left the EU", False),
        ("the Federal Aviation Authority close", "The FAA closed", False),
        ("the FAA close", "The Federal Aviation Agentur closed", False),
    ],
)
def test_another_doer_is_another_thing(asked: str, told: str, another: bool) -> None:
    assert tells_another_doer(asked, told) is another
