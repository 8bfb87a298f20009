"""Names that share a word and are of different things."""

from __future__ import annotations

import pytest

from language.named_things import tells_another_thing


@pytest.mark.parametrize(
    ("asked", "told", "another"),
    [
        ("Mill Lane flood", "Mill Street flooded", True),
        ("Mill Lane flood", "Mill Street and Mill Lane flooded", False),
        ("Mill Lane flood", "Mill Lane flooded", False),
        ("Dr. Hanna Meyer resign", "Dr. Anna Meyer resigned", True),
        ("Hanna Meyer resign", "Dr. Anna Meyer resigned", True),
        ("Hanna Smith resign", "Anna Smith resigned", True),
        ("Dr. Meyer resign", "Dr. Anna Meyer resigned", False),
        ("Anna Meyer resign", "Meyer resigned", False),
        ("Anna Meyer resign", "Mr. Meyer resigned", False),
        ("Anna Meyer resign", "Captain Meyer resigned", False),
        ("Anna Meyer resign", "Anna Maria Meyer resigned", False),
        ("Anna Meyer resign", "Anna Meyer's resignation", False),
        ("the Alberta Wildfire spread", "the Fort McMurray Wildfire spread", False),
        ("Prime Minister Tony Blair resign", "the British Prime Minister resigned", False),
    ],
)
def test_a_name_that_differs_in_a_word_is_of_another_thing(asked: str, told: str, another: bool) -> None:
    assert tells_another_thing(asked, told) is another
