"""What only says which drill, fears of what, or is what was attempted, is not told of."""

from __future__ import annotations

import pytest

from language.clauses import Clauses
from language.only_named import names_none, only_names
from language.quick_sentences import quick_sentences


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("a fire", "The fire drill on Friday caused long queues."),
        ("Was there a bomb?", "A bomb threat led to the evacuation of the station."),
        ("Was there a meltdown?", "The risk of a meltdown had been underestimated."),
        ("a shortage", "Fears of a shortage caused a run on petrol stations."),
        ("Did a shooting happen?", "A false report of a shooting triggered a stampede."),
        ("rain", "Lack of rain caused the fields to dry out."),
        ("Was there a hijacking?", "The attempted hijacking led to new rules."),
    ],
)
def test_what_is_only_named_is_not_told_of(asked: str, told: str) -> None:
    assert only_names(asked, told)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("a fire drill", "The fire drill on Friday caused long queues."),
        ("fears of a shortage", "Fears of a shortage caused a run on petrol stations."),
        ("Was there a fire?", "The fire damage cost millions."),
        ("Was there a fire?", "The fire alarm rang, and the fire reached the roof."),
        ("Was there an explosion?", "The risk was known before the explosion."),
        ("the bridge collapse", "The bridge collapsed."),
    ],
)
def test_what_is_told_of_is_not_only_named(asked: str, told: str) -> None:
    assert not only_names(asked, told)


@pytest.mark.parametrize(
    ("question", "told", "none"),
    [
        ("Was a bomb found?", "Police searched the building and found no bomb.", True),
        ("Was a bomb found?", "Police searched the building and found a bomb.", False),
        ("Did police search the building?", "Police searched the building and found no bomb.", False),
    ],
)
def test_what_stands_behind_no_is_denied(question: str, told: str, none: bool) -> None:
    assert names_none(question, Clauses(quick_sentences(told)[0])) is none
