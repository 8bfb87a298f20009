import pytest

from language.content_words import content_keys, content_words, key_of, names_nothing, question_words


@pytest.mark.parametrize(
    ("noun", "verb"),
    [("failure", "failed"), ("seizure", "seized"), ("exhaustion", "exhausted"), ("derailment", "derailed"),
     ("evacuation", "evacuated"), ("ignition", "ignited"), ("expulsion", "expelled"),
     ("ascent", "ascended"), ("pumps", "pump"), ("Arlen’s", "arlen")],
)  # fmt: skip
def test_a_happening_has_one_key_as_noun_and_as_verb(noun, verb):
    assert key_of(noun) == key_of(verb)


@pytest.mark.parametrize(
    ("one", "other"), [("station", "stated"), ("pump", "valve"), ("P-12", "P-13"), ("2019", "2020")]
)
def test_different_things_have_different_keys(one, other):
    assert key_of(one) != key_of(other)


def test_words_of_form_are_left_out_and_the_order_is_that_of_the_text():
    assert list(content_words("The cooling pump P-12 did not fail in the hall").values()) == [
        "cooling", "pump", "P-12", "fail", "hall",
    ]  # fmt: skip
    assert content_keys("it was not there") == frozenset()


def test_words_of_asking_count_only_when_nothing_else_is_there():
    assert list(question_words("what led to the fire").values()) == ["fire"]
    assert list(question_words("the effects").values()) == ["effects"]


@pytest.mark.parametrize(
    ("verb", "noun"),
    [("The tanker ran aground", "The grounding of the tanker"), ("The barn caught fire", "The fire of the barn")],
)
def test_a_verb_of_two_words_has_the_key_of_its_noun(verb, noun):
    assert content_keys(verb) == content_keys(noun)


def test_a_question_of_form_and_courtesy_names_nothing():
    assert all(
        map(names_nothing, ["hello", "WHY", "What happened then?", "Good morning, please explain.", "Who was it?"])
    )
    named = ["What is IT?", "Why did it fail?", "What happened in 2019?", "Who said hello in Orm?", "café"]
    assert not any(map(names_nothing, named))
