"""Statements apart from their conditions and exceptions."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.conditions import conditions

PIECES = st.sampled_from(
    ["the pump stops", "if", "unless", "it rains", ",", ".", " ", "except for", "provided that", "—"]
)


def parts(sentence):
    found = conditions(sentence)
    cut = [None if part is None else sentence[slice(*part)] for part in (found.condition, found.exception)]
    return found.claim, *cut


@pytest.mark.parametrize(
    ("sentence", "claim", "condition", "exception"),
    [
        ("The pump stops if its water freezes.", "The pump stops.", "if its water freezes", None),
        ("If its water freezes, the pump stops.", "the pump stops.", "If its water freezes", None),
        ("The valve opens unless the fuse has blown.", "The valve opens.", None, "unless the fuse has blown"),
        (
            "The valve opens, except in winter, if the tank is full.",
            "The valve opens.",
            "if the tank is full",
            "except in winter",
        ),
        ("It fails unless it is dry if it is hot.", "It fails.", "if it is hot", "unless it is dry"),
        (
            "All lines were cut, with the exception of line 4.",
            "All lines were cut.",
            None,
            "with the exception of line 4",
        ),
        ("He fell when the ladder broke.", "He fell when the ladder broke.", None, None),
        ("It looked as if it had rained.", "It looked as if it had rained.", None, None),
        ("The exceptional rain fell.", "The exceptional rain fell.", None, None),
        ("Trains run (if at all) slowly.", "Trains run slowly.", "if at all", None),
    ],
)
def test_the_parts_are_cut_word_for_word(sentence, claim, condition, exception):
    assert parts(sentence) == (claim, condition, exception)


@given(st.lists(PIECES, max_size=12).map(" ".join))
def test_parts_lie_in_the_sentence_and_apart(sentence):
    found = conditions(sentence)
    spans = sorted(part for part in (found.condition, found.exception) if part is not None)
    assert all(0 <= start < end <= len(sentence) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    letters = iter("".join(sentence.split()))
    assert all(letter in letters for letter in "".join(found.claim.split()))
