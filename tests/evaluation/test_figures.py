"""The arithmetic of the figures."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.answer_match import exact, holds, word_f1
from evaluation.intervals import mean_of, paired_p
from evaluation.risk import risk_at, risk_curve
from evaluation.scores import score_choice

SHARES = st.sampled_from([0.0, 0.25, 0.5, 1.0])
WORDS = st.lists(st.sampled_from(["pump", "grease", "P-12", "4.5", "the", "Frozen"]), max_size=6).map(" ".join)


@given(st.lists(SHARES, min_size=1, max_size=30))
@settings(max_examples=25, deadline=None)
def test_a_mean_lies_in_its_interval_and_its_interval_among_the_values(values):
    found = mean_of(values)
    assert found.value == pytest.approx(sum(values) / len(values))
    assert min(values) <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= max(values)
    assert mean_of(values) == found


def test_an_interval_is_as_wide_as_theory_says():
    values = [1.0] * 200 + [0.0] * 200
    found = mean_of(values)
    # 1.96 standard errors of a share of one half of 400.
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.5 / 20, rel=0.08)


def test_the_mean_of_nothing_is_refused():
    with pytest.raises(ValueError, match="nothing"):
        mean_of([])


def test_p_is_that_of_all_signs():
    differences = [1.0, 1.0, 1.0, 1.0, 1.0, -0.5, 0.0, 0.0]
    told = [value for value in differences if value]
    signed = [abs(np.dot(signs, told)) for signs in itertools.product((-1, 1), repeat=len(told))]
    exactly = sum(value >= abs(sum(told)) - 1e-9 for value in signed) / len(signed)
    assert paired_p(differences) == pytest.approx(exactly, abs=0.02)
    assert paired_p([-value for value in differences]) == pytest.approx(exactly, abs=0.02)


def test_nothing_differs_where_all_are_equal():
    assert paired_p([0.0] * 10) == 1.0
    assert paired_p([1.0] * 40) < 0.001


@given(st.lists(st.tuples(SHARES, SHARES), min_size=1, max_size=20), st.randoms())
def test_a_risk_curve_does_not_depend_on_order_and_ends_at_the_mean_loss(answers, chance):
    curve = risk_curve(answers)
    shuffled = list(answers)
    chance.shuffle(shuffled)
    again = risk_curve(shuffled)
    assert [point.coverage for point in again] == [point.coverage for point in curve]
    assert [point.risk for point in again] == pytest.approx([point.risk for point in curve])
    assert risk_at(curve, 1.0) == pytest.approx(1 - sum(score for _, score in answers) / len(answers))
    assert [point.coverage for point in curve] == sorted({point.coverage for point in curve})


def test_the_most_confident_come_first_and_equals_together():
    curve = risk_curve([(0.9, 1.0), (0.5, 0.0), (0.5, 1.0), (0.1, 0.0)])
    assert [(point.coverage, point.risk, point.confidence) for point in curve] == [
        (0.25, 0.0, 0.9),
        (0.75, pytest.approx(1 / 3), 0.5),
        (1.0, 0.5, 0.1),
    ]
    assert risk_at(curve, 0.5) == pytest.approx(0.25)
    assert risk_at(curve, 0.1) == 0.0


@pytest.mark.parametrize("coverage", [0.0, 1.1, -1.0])
def test_a_coverage_is_a_share(coverage):
    with pytest.raises(ValueError, match="coverage"):
        risk_at(risk_curve([(0.5, 1.0)]), coverage)


@pytest.mark.parametrize(
    ("told", "right", "found"),
    [
        ("It was installed without grease.", "Without grease", True),
        ("The pump P-12 failed", "pump P-12", True),
        ("The pump P-12 failed", "pump P", True),
        ("greased bearings", "grease", False),
        ("rose by 4.5 m", "4", False),
        ("failed pump", "pump failed", False),
        ("anything", "the", False),
    ],
)
def test_an_answer_holds_whole_words_side_by_side(told, right, found):
    assert holds(told, right) is found


@given(WORDS, WORDS)
def test_word_f1_is_symmetric_and_one_for_the_same_words(one, other):
    assert word_f1(one, other) == word_f1(other, one)
    assert 0 <= word_f1(one, other) <= 1
    assert word_f1(one, one.upper()) == 1
    if exact(one, other):
        assert word_f1(one, other) == 1


def test_word_f1_counts_words():
    assert word_f1("the frozen pump failed", "frozen pump") == pytest.approx(0.8)
    assert word_f1("pump pump", "pump") == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("right", "chosen", "score"),
    [({0, 2}, {0, 2}, 1.0), ({0, 2}, {2}, 0.5), ({0, 2}, set(), 0.0), ({0, 2}, {0, 1}, 0.0), ({0}, {0, 1}, 0.0)],
)
def test_a_choice_scores_as_the_task_says(right, chosen, score):
    assert score_choice(frozenset(right), frozenset(chosen)) == {"choice": score, "exact": float(score == 1)}
