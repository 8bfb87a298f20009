"""What repeats a text that was given, and what says something new."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from models.restatements import common_words, restates, words_of

CAUSE = "There was a light rain this morning."
EFFECT = "The roots of many plants were not moistened."
WORDS = st.sampled_from(["pump", "failed", "river", "rose", "valve", "gauge", "night", "cracks", "iron", "of", "in"])
TEXTS = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)


@pytest.mark.parametrize(
    "statement",
    [
        CAUSE,
        EFFECT,
        "there was light rain this morning",
        "Light rains this morning!",
        f"Because {CAUSE.lower()[:-1]}, the roots of many plants were not moistened.",
        f"{CAUSE} So it was.",
        "The roots of plants were not moistened.",
    ],
)
def test_what_repeats_a_text_is_told(statement: str) -> None:
    assert restates(statement, (CAUSE, EFFECT))


@pytest.mark.parametrize(
    "statement",
    [
        "Precipitation reaches soil surfaces.",
        "Light rain does not reach the roots of plants.",
        "Roots are moistened by heavy rain.",
        "",
        "...",
    ],
)
def test_what_links_both_texts_or_says_nothing_repeats_neither(statement: str) -> None:
    assert not restates(statement, (CAUSE, EFFECT))


@given(
    TEXTS, st.lists(TEXTS, max_size=3), st.sampled_from([str.upper, str.title, str.lower]), st.sampled_from(" \n\t,;")
)
def test_case_marks_and_spaces_hide_no_repetition(text: str, others: list[str], case: object, mark: str) -> None:
    changed = f"{mark} ".join(case(text).split()) + "."  # type: ignore[operator]
    assert restates(changed, [*others, text])
    assert restates(text, [*others, changed])


@given(TEXTS, TEXTS, st.sampled_from(["Because {}, {}.", "{}. So {}.", "{} since {}"]))
def test_a_text_inside_a_longer_statement_is_repeated(first: str, second: str, joined: str) -> None:
    assert restates(joined.format(first, second), [first])
    assert restates(joined.format(first, second), [second])


@given(st.text(), st.lists(st.text(), max_size=3))
def test_what_shares_no_word_repeats_nothing(statement: str, texts: list[str]) -> None:
    shared = set(words_of(statement)) & set(itertools.chain.from_iterable(map(words_of, texts)))
    assume(not shared)
    assert not restates(statement, texts)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), TEXTS)
def test_more_texts_never_make_a_repetition_new(statement: str, texts: list[str], more: str) -> None:
    if restates(statement, texts):
        assert restates(statement, [*texts, more])


@given(st.lists(WORDS, max_size=7), st.lists(WORDS, max_size=7))
def test_the_longest_common_sequence_is_the_longest_that_both_have(first: list[str], second: list[str]) -> None:
    def within(part: tuple[str, ...], whole: list[str]) -> bool:
        rest = iter(whole)
        return all(word in rest for word in part)

    parts = (part for size in range(len(first) + 1) for part in itertools.combinations(first, size))
    assert common_words(first, second) == max(len(part) for part in parts if within(part, second))
    assert common_words(first, second) == common_words(second, first)
