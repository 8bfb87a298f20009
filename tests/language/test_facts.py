"""What sentences can answer questions for facts."""

import pytest

from language.facts import (
    asks_once_more,
    can_answer,
    leaves_open,
    opens_no_cause,
    points_back,
    supposes,
    tells_opposite,
)


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


@pytest.mark.parametrize(
    ("question", "told", "is_open"),
    [
        ("Who cut the wire?", "It is not known who cut the wire.", True),
        ("Did the mayor lie?", "The court denied that the mayor had lied.", True),
        ("Was the singer ill?", "It was cancelled, allegedly because the singer was ill.", True),
        ("Who cut the wire?", "The guard cut the wire.", False),
        ("the school was evacuated", "Nobody has said why the school was evacuated.", True),
        ("the leak", "What caused the leak was never found.", True),
        ("the fire", "The cause of the fire has never been established.", True),
        ("the crash", "The crash remains a mystery.", True),
        ("Was the body found?", "The body was never found.", False),
        ("Why did it fail?", "No one told the crew that the valve was shut.", False),
        ("the fire", "Nobody was hurt when the fire broke out.", False),
        (
            "Did the export worsen the famine?",
            "Historians disagree about how far the export worsened the famine.",
            True,
        ),
        ("What did the court deny?", "The court could deny that the mayor had lied.", False),
    ],
)
def test_what_is_left_open_is_no_fact(question, told, is_open):
    assert leaves_open(question, told) is is_open


@pytest.mark.parametrize(
    ("question", "told", "opposite"),
    [
        ("Was the lamp switched off?", "The lamp was switched on.", True),
        ("Was the lamp switched on?", "The lamp was switched on.", False),
        ("Was it built with grease?", "It was built without grease.", True),
        ("Was the lamp off?", "The lamp was switched on and off.", False),
    ],
)
def test_an_opposite_word_is_no_proof(question, told, opposite):
    assert tells_opposite(question, told) is opposite


def test_what_is_supposed_or_conceded():
    assert supposes("If the levee had broken, the town would have flooded.")
    assert not supposes("The levee broke.")
    assert asks_once_more("Was there another fire?")
    assert opens_no_cause("The tunnel stayed open despite the ")
    assert opens_no_cause("If ")
    assert not opens_no_cause("The tunnel closed after the ")
