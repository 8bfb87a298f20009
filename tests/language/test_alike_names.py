"""Names that differ in a letter are of different things; forms and spellings of one name are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as drawn

from language.alike_names import tells_alike_name
from language.named_things import names_and_beside, tell_apart, tells_another_thing


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Tower Rowe collapse", "Tower Bowe collapsed"),
        ("tower rowe collapse", "Tower Bowe collapsed"),
        ("TOWER ROWE COLLAPSE", "Tower Bowe collapsed"),
        ("the river Isk flood", "The Usk flooded"),
        ("Berg resign", "Bergh resigned"),
        ("Bergh resign", "Berg resigned"),
        ("Marin resign", "Martin resigned"),
        ("Brian resign", "Brain, the mayor, resigned"),
        ("Anna resign", "Annan resigned"),
        ("Iraq attack", "Iran attacked"),
        ("the NBC strike", "the BBC strike"),
        ("the US leave", "the UK left"),
        ("the G7 gauge fail", "the G8 gauge failed"),
    ],
)
def test_a_letter_makes_another_name(asked: str, told: str) -> None:
    assert tells_alike_name(asked, told)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Tower Rowe collapse", "Tower Rowe collapsed beside Tower Bowe"),
        ("Berg resign", "Berg's resignation"),
        ("Berg's resignation", "Berg resigned"),
        ("Berg resign", "the Bergs resigned"),
        ("James resign", "James' resignation"),
        ("Zürich flood", "Zurich flooded"),
        ("Müller resign", "Mueller resigned"),
        ("Orléans burn", "ORLEANS burned"),
        ("Cuba send missiles", "the Cuban missiles"),
        ("the US leave", "the USA left"),
        ("the U.S. army leave", "the US army left"),
        ("Kiev burn", "Kyiv burned"),
        ("the Harbour Bridge close", "the Harbor Bridge closed"),
        ("the train stop", "Drain water stopped"),
        ("Rain fall", "Drain water fell"),
        ("the dam leak in Jan", "the dam leaked in Jun"),
        ("Mr Berg resign", "Ms Berg resigned"),
        ("Kirchberg burn", "Oslo burned"),
    ],
)
def test_forms_and_spellings_make_none(asked: str, told: str) -> None:
    assert not tells_alike_name(asked, told)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("the collapse of Tower Bowe", "Tower Rowe collapsed", True),
        ("the Mill Lane bridge collapsed", "the Mill Street bridge collapsed", True),
        ("the collapse of Orm Tower", "the collapse of Elb Tower", True),
        ("Tower Rowe collapsed", "the collapse of the tower", False),
        ("Tower Rowe collapsed", "the collapse of Rowe", False),
        ("Tower Rowe and Tower Bowe collapsed", "the collapse of Tower Rowe", False),
    ],
)
def test_two_tellings_are_apart_where_each_names_another_thing(one: str, other: str, apart: bool) -> None:
    assert tell_apart(one, other) is apart
    assert tell_apart(other, one) is apart


def test_names_stand_with_the_words_beside_them() -> None:
    text = "in the end the river Isk flooded the town, and long after that it reached the mill of Orm"
    assert names_and_beside(text) == "end the river Isk flooded the … the mill of Orm"
    assert names_and_beside("the tower collapsed") == ""


WORDS = ["Tower", "Rowe", "bowe", "fell", "7:40", "May", "3", "the", "’s", "-", "U.S.", ""]
TEXTS = drawn.one_of(drawn.text(max_size=40), drawn.lists(drawn.sampled_from(WORDS)).map(" ".join))


@given(TEXTS, TEXTS)
def test_any_two_texts_can_be_held_against_each_other(asked: str, told: str) -> None:
    assert tell_apart(asked, told) is tell_apart(told, asked)
    assert tells_another_thing(asked, told) in {True, False}
    assert not tells_another_thing(told, told)
