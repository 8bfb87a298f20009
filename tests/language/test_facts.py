"""What sentences can answer questions for facts."""

import pytest

from language.facts import can_answer, points_back


@pytest.mark.parametrize(
    ("question", "told", "can"),
    [
        ("When was the mill built?", "The mill stands by the river.", False),
        ("When was the mill built?", "It was built in 1840.", True),
        ("When was the mill built?", "It was built last spring.", True),
        ("How many people died?", "Three people died.", True),
        ("How many people died?", "The mayor mourned for the dead.", False),
        ("In what year did it burn?", "A fire destroyed it.", False),
        ("What years did it burn?", "A fire destroyed it.", False),
        ("how far is it?", "It lies behind the hill.", False),
        ("However many came, who won?", "The mayor won.", True),
        ("Who built the mill?", "The mayor built it.", True),
        ("What is the time zone?", "It is that of Greenwich.", True),
    ],
)
def test_a_number_is_asked_for(question, told, can):
    assert can_answer(question, told) is can


@pytest.mark.parametrize(
    ("sentence", "back"),
    [
        ("It was built in 1840.", True),
        ("In this, they were alone.", True),
        ("The latter won.", True),
        ("Italy won.", False),
        ("The mill burned.", False),
        ("That was all.", True),
    ],
)
def test_a_subject_that_was_named_before(sentence, back):
    assert points_back(sentence) is back
