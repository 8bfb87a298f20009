"""How far the sides of a cue go."""

from __future__ import annotations

import pytest

from language.quick_sentences import quick_sentences
from language.side_bounds import clauses_beside
from language.stated_causes import denies_reason, stated_causes


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        (
            "The harbour froze, and the ferry stopped because its engine failed.",
            "its engine failed.",
            "the ferry stopped",
        ),
        ("The lamp broke, the crew left and the bank closed owing to a strike.", "a strike.", "the bank closed"),
        ("When the pump failed, the light went off because of a fuse.", "a fuse.", "the light went off"),
        (
            "The report said that the pump failed and that the crew left because of smoke.",
            "smoke.",
            "that the crew left",
        ),
        ("The storm caused a flood, and the mayor resigned.", "The storm", "a flood"),
        ("The mayor resigned and the storm caused a flood.", "the storm", "a flood."),
        ("The factory was closed following an explosion caused by dust.", "dust.", "an explosion"),
        # With the same subject, or what takes it up, it is one side.
        ("The crew left and went home because of the smoke.", "the smoke.", "The crew left and went home"),
        ("The dam was old and it burst because of rain.", "rain.", "The dam was old and it burst"),
        (
            "The man who fell, the nurse and the cook died because of gas.",
            "gas.",
            "The man who fell, the nurse and the cook died",
        ),
        (
            "The lamp, the mirror and the bed broke because of the fall.",
            "the fall.",
            "The lamp, the mirror and the bed broke",
        ),
        ("The crew left, but it was because of the cold.", "the cold.", "The crew left, but it"),
        # A fronted reason is one of all that follows, and a reason may be two.
        (
            "Because the engine failed, the ferry stopped and the bus was late.",
            "the engine failed",
            ", the ferry stopped and the bus was late.",
        ),
        (
            "The ferry stopped because the engine failed and the wind rose.",
            "the engine failed and the wind rose.",
            "The ferry stopped",
        ),
    ],
)
def test_a_clause_with_a_subject_of_its_own_is_no_part_of_a_side(text: str, cause: str, effect: str) -> None:
    (stated,) = stated_causes(quick_sentences(text)[0])
    assert (stated.cause, stated.effect) == (cause, effect)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The storm did no harm; a barge did.", ["The storm did no harm", "a barge did."]),
        ("The pump did not fail, but the valve leaked.", ["The pump did not fail,", "the valve leaked."]),
        ("The dam failed, and it killed ten.", ["The dam failed, and it killed ten."]),
        ("The crew left and went home.", ["The crew left and went home."]),
    ],
)
def test_clauses_that_stand_beside_each_other(text: str, parts: list[str]) -> None:
    assert [part.text for part in clauses_beside(quick_sentences(text)[0])] == parts


def test_a_reason_that_is_denied_is_one_only_where_nothing_else_tells_it() -> None:
    denied = quick_sentences("Trains stopped because of snow, not because of the strike.")[0]
    assert denies_reason(denied, "did the strike stop the trains?")
    assert not denies_reason(denied, "did snow stop the trains?")
