from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.sentence_claims import Judged, SentenceClaim, SentenceClaims, judged
from training.relation_sets import Example, SpanRelation
from training.word_overlap import iou, word_positions

TEXT = "The old road flooded because a rusty bolt sheared ."
EFFECT, CAUSE = (0, 20), (29, 49)


def claim(cause: tuple[int, int], effect: tuple[int, int]) -> SentenceClaim:
    return SentenceClaim(cause, effect, "because", 0.8)


def example(cause: tuple[int, int], effect: tuple[int, int]) -> Example:
    return Example(TEXT, "cnc", True, (SpanRelation(cause, effect, ()),))


def test_the_rules_take_a_claim_from_one_sentence() -> None:
    (found,) = SentenceClaims("rules").read(TEXT)
    assert (TEXT[slice(*found.cause)], TEXT[slice(*found.effect)]) == ("a rusty bolt sheared", "The old road flooded")
    assert found.cue == "because"


def test_an_order_in_time_is_no_claim() -> None:
    assert SentenceClaims("rules").read("The road flooded after the bolt sheared .") == []


@pytest.mark.parametrize(
    ("cause", "effect", "expected"),
    [
        (CAUSE, EFFECT, Judged(placed=True, stated=True)),
        ((42, 49), EFFECT, Judged(placed=False, stated=True)),
        (EFFECT, CAUSE, Judged(placed=False, stated=False)),
        ((29, 30), EFFECT, Judged(placed=False, stated=False)),
    ],
)
def test_bounds_and_direction_are_judged(cause: tuple[int, int], effect: tuple[int, int], expected: Judged) -> None:
    assert judged(claim(cause, effect), example(CAUSE, EFFECT)) == expected


def test_where_nothing_is_annotated_no_claim_is_right() -> None:
    assert judged(claim(CAUSE, EFFECT), Example(TEXT, "cnc", False, ())) == Judged(placed=False, stated=False)


def test_words_are_those_between_white_space() -> None:
    assert word_positions("a bolt, sheared", (3, 9)) == {1, 2}
    assert word_positions("a bolt", (1, 2)) == frozenset()


@given(st.frozensets(st.integers(0, 9)), st.frozensets(st.integers(0, 9)))
def test_overlap_is_symmetric_and_one_for_equal_sets_alone(one: frozenset[int], other: frozenset[int]) -> None:
    assert iou(one, other) == iou(other, one)
    assert 0 <= iou(one, other) <= 1
    assert (iou(one, other) == 1) == (one == other and bool(one))
