import pytest

from language.kinds import kind_of
from language.phrases import as_happening, as_opening, as_part, is_clause, is_predicate


@pytest.mark.parametrize(
    "text", ["the river rose by four metres", "its gauge had failed", "the pump failed", "it was dark"]
)
def test_clauses(text):
    assert is_clause(text)


@pytest.mark.parametrize(
    "text",
    ["the release of water from the Arlen dam", "heavy rain", "a fault in gauge G7", "Lightning", "cutting the cable"],
)
def test_noun_phrases(text):
    assert not is_clause(text)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("The  river\nrose.", "the river rose"),
        ("Gauge G7 failed,", "Gauge G7 failed"),
        ("Water rose", "water rose"),
        ("Mill Street was flooded", "Mill Street was flooded"),
        ("the team , including the pilot ,", "the team, including the pilot"),
        ("The fault was very", "the fault"),
        ("the valve (V-2", "the valve (V-2)"),
    ],
)
def test_phrases_in_the_middle_of_a_sentence(text, part):
    assert as_part(text, opened_sentence=True) == part


def test_a_capital_that_is_not_of_the_sentence_stays():
    assert as_part("Lightning", opened_sentence=False) == "Lightning"
    assert as_opening("the river") == "The river"
    assert as_opening("") == ""


def test_predicates_without_a_subject():
    assert is_predicate("destroyed much of the fuselage")
    assert is_predicate("killed 3 workers")
    assert is_predicate("injured several people")
    assert not is_predicate("damaged wagons")
    assert not is_predicate("the fire destroyed the roof")
    assert not is_predicate("")


@pytest.mark.parametrize(
    ("words", "head", "told"),
    [
        ("the council to close the footbridge", "close", "the council closing the footbridge"),
        ("commuters to walk round by the mill", "walk", "commuters walking round by the mill"),
        ("the road to be closed", "close", "the road being closed"),
        ("the decision to close the mill", "decision", "the decision to close the mill"),
        ("the council decided to close the mill", "close", "the council decided to close the mill"),
        ("the rise of the river", "rise", "the rise of the river"),
    ],
)
def test_what_somebody_was_made_to_do_is_told_as_a_happening(words, head, told):
    assert as_happening(words, kind_of(head)) == told
