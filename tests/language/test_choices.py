"""Offered answers: which are one, which only deny the others, and which tell what was meant to be done."""

import pytest

from language.choices import choice_key, is_none_of_the_others, is_prospective


@pytest.mark.parametrize(
    "text",
    [
        "None of the others",
        "none of the above.",
        "None of the others are correct causes.",
        "None of the other options is correct",
        "None of these causes, said the mayor",
        "None of the crew slept.",
    ],
)
def test_what_denies_the_others_is_told_from_causes(text):
    assert is_none_of_the_others(text) is ("these" not in text and "crew" not in text)


def test_the_same_words_are_one_option():
    assert choice_key(" “The  River\nrose.” ") == choice_key("the river rose")
    assert choice_key("the river rose 4 m") != choice_key("the river rose 5 m")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("The ministry plans to close the bridge.", True),
        ("The council will vote on Monday.", True),
        ("The bridge is set to reopen.", True),
        ("The council closed the bridge.", False),
        ("A plan of the bridge was found.", False),
        ("Goodwill was lost.", False),
    ],
)
def test_what_was_meant_is_told_from_what_was_done(text, meant):
    assert is_prospective(text) is meant
