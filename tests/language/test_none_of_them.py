"""Which causes a sentence tells to be none, and which it corrects or limits."""

import pytest

from language.quick_sentences import quick_sentences
from language.stated_causes import stated_causes


def told(text):
    sentence = quick_sentences(text)[-1]
    return {(one.cause.strip(" .,"), one.affirmed, one.modality) for one in stated_causes(sentence)}


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The crash was caused by neither ice nor speed.", {"ice", "speed"}),
        ("The crash was caused neither by ice nor by speed.", {"ice", "speed"}),
        ("The crash was due neither to ice nor to speed.", {"ice", "speed"}),
        ("The crash was caused by no technical fault.", {"technical fault"}),
        ("The crash was caused by none of these faults.", {"these faults"}),
    ],
)
def test_each_cause_that_is_none_is_denied_by_itself(text, denied):
    assert told(text) == {(cause, False, "actual") for cause in denied}


@pytest.mark.parametrize(
    "text",
    [
        "The crash was caused by no fewer than three faults.",
        "The crash was caused by none other than the driver.",
        "The crash was caused by nothing less than sabotage.",
        "The crop failed because of no rain.",
        "The crash was caused not only by ice.",
    ],
)
def test_what_only_looks_like_none_is_affirmed(text):
    assert {affirmed for _, affirmed, _ in told(text)} == {True}


@pytest.mark.parametrize(
    "text",
    [
        "The crash was not due to ice but to speed.",
        "The crash was not due to ice, but due to speed.",
        "The crash was due not to ice but to speed.",
        "The crash was not caused by ice but by speed.",
        "The crash was not because of ice but because of speed.",
        "The crash did not result from ice but from speed.",
    ],
)
def test_the_first_is_denied_and_the_second_affirmed(text):
    assert told(text) == {("speed", True, "actual"), ("ice", False, "actual")}


@pytest.mark.parametrize(
    "text",
    [
        "The crash was not due to ice alone.",
        "The crash was not solely due to ice.",
        "The crash was not caused just by ice.",
    ],
)
def test_what_is_not_the_only_cause_is_possible(text):
    assert {(affirmed, modality) for _, affirmed, modality in told(text)} == {(True, "possible")}
    assert told("The crash was not due to ice.") == {("ice", False, "actual")}
