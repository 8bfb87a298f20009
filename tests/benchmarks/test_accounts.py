"""Questions made from linked events: what is taken as right and wrong, and how guesses are counted."""

import random

import pytest

from benchmarks.accounts import _first, _made
from training.event_sets import EventDocument

SENTENCES = tuple(f"This sentence number {place} tells of something that happened." for place in range(7))


def document(*links, sentences=SENTENCES):
    triggers = tuple((place, (0, 4)) for place in range(len(sentences)))
    return EventDocument(
        "eventstoryline",
        "1",
        sentences,
        triggers,
        frozenset(range(len(sentences))),
        frozenset((triggers[cause], triggers[effect]) for cause, effect in links),
    )


def test_the_right_option_is_linked_to_the_event_and_no_wrong_one_is():
    made = list(_made("1", [document((0, 1), (1, 2), (3, 3))], random.Random(0)))
    assert [(one.event, one.options[0]) for one in made] == [((0, 1), (0, 0)), ((0, 2), (0, 1))]
    for one in made:
        places = {place for _, place in one.options[1:]}
        assert len(places) == 3 and one.event not in one.options
    assert not {0, 1, 2} & {place for _, place in made[0].options[1:]}


def test_wrong_options_are_told_in_other_documents_of_the_topic_too():
    made = list(_made("1", [document((0, 1), sentences=SENTENCES[:2]), document()], random.Random(0)))
    assert {number for number, _ in made[0].options[1:]} == {1}


def test_what_is_no_sentence_is_not_asked():
    short = ("Yes.", *SENTENCES[1:])
    address = ("http://example.org/a-page-of-news-with-a-long-name", *SENTENCES[1:])
    for sentences in (short, address):
        assert not list(_made("1", [document((0, 1), sentences=sentences)], random.Random(0)))


@pytest.mark.parametrize(
    ("values", "right"), [((0.9, 0.1, 0.2, 0.3), 1_000), ((0.5, 0.5, 0.2, 0.1), 500), ((0.1, 0.5, 0.5, 0.2), 0)]
)
def test_of_equal_guesses_each_counts_a_share(values, right):
    assert _first(values) == {"right": right, "all": 1_000}
