"""Sentences that say that something happens without a cause."""

import pytest

from language.choices import is_announced, is_intended
from language.independence import happens_anyway, without_what


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("Even without the barge, the regatta would have been cancelled.", "the barge"),
        ("The regatta was cancelled regardless of the barge.", "the barge."),
        ("Even if no barge had sunk, it would have been cancelled.", "barge had sunk"),
        ("Even if the barge hadn’t sunk, it would have been cancelled.", "Even if the barge hadn’t sunk"),
        ("Without the barge, it would not have been cancelled.", ""),
        ("Even if the club had paid, it would not have been held.", ""),
        ("The regatta was cancelled because a barge sank.", ""),
    ],
)
def test_the_words_for_what_something_happens_without(sentence, cause):
    found, rest = without_what(sentence)
    assert found.strip() == cause
    assert cause == "" or cause not in rest


@pytest.mark.parametrize(
    ("sentence", "anyway"),
    [
        ("It would have been cancelled anyway.", True),
        ("The club would still have cancelled it.", True),
        ("It would probably have been cancelled in any case.", True),
        ("It would have been held.", False),
        ("They cancelled it anyway.", False),
    ],
)
def test_what_would_have_happened_all_the_same(sentence, anyway):
    assert happens_anyway(sentence) is anyway


@pytest.mark.parametrize(
    ("text", "intended", "announced"),
    [
        ("The club plans to dredge the basin.", True, True),
        ("The club has announced plans to dredge the basin.", True, True),
        ("The regatta will be held in May.", False, True),
        ("It was cancelled due to a storm.", False, False),
        ("The club dredged the basin.", False, False),
    ],
)
def test_what_was_meant_and_what_was_to_come(text, intended, announced):
    assert (is_intended(text), is_announced(text)) == (intended, announced)
