import pytest

from language.clauses import Clauses
from language.pointed_happenings import pointed_happening
from language.quick_sentences import quick_sentences
from language.stated_causes import stated_causes


def pointed(text):
    sentence = quick_sentences(text)[0]
    span = pointed_happening(Clauses(sentence))
    return None if span is None else " ".join(token.text for token in sentence.tokens[span[0] : span[1]])


@pytest.mark.parametrize(
    ("text", "happening"),
    [
        ("The crash was not caused by ice.", "The crash"),
        ("Heavy rain did not cause the landslide.", "the landslide"),
        ("The outage on Monday lasted two hours.", "The outage on Monday"),
        ("There was an explosion at the mill.", "an explosion at the mill"),
        ("Police reported an accident on the A4.", "an accident on the A4"),
        ("A fire destroyed the town hall.", "A fire"),
    ],
)
def test_the_happening_that_a_sentence_is_about(text, happening):
    assert pointed(text) == happening


@pytest.mark.parametrize(
    "text",
    [
        "Ten people died in a fire at the mill.",
        "The fire broke out during the storm.",
        "The fire caused an explosion.",
        "The fire chief resigned.",
        "The bridge closed.",
        "The crash left a gap in the wall.",
        "The report said that the dam failed.",
        "The engine stopped and a fire broke out.",
        "Was there an explosion?",
    ],
)
def test_where_there_is_none_or_one_of_several(text):
    assert pointed(text) is None


def test_the_sides_of_it_was_caused_by():
    before, sentence = quick_sentences("The explosion happened at 3 o'clock. It was caused by a gas leak.")
    (stated,) = stated_causes(sentence)
    assert (stated.of_it, stated.reaches_back) == (True, True)
    assert stated.sides(before) == ("a gas leak.", "The explosion")


def test_the_sides_of_a_sentence_with_a_subject_of_its_own():
    before, sentence = quick_sentences("The explosion happened at 3 o'clock. The fire was caused by a gas leak.")
    (stated,) = stated_causes(sentence)
    assert (stated.of_it, stated.sides(before)[1]) == (False, "The fire was")
