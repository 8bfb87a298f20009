from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.pages import page_at


@pytest.mark.parametrize(("offset", "page"), [(0, 1), (9, 1), (10, 2), (19, 2), (20, 3), (10_000, 3)])
def test_page_of_an_offset(offset: int, page: int) -> None:
    assert page_at((0, 10, 20), offset) == page


def test_a_format_without_pages_has_none() -> None:
    assert page_at((), 5) is None


def test_an_empty_page_holds_no_character() -> None:
    assert page_at((0, 10, 10), 10) == 3


@given(st.lists(st.integers(1, 50), min_size=1, max_size=20), st.integers(0, 1_000))
def test_the_page_starts_at_or_before_the_offset(lengths: list[int], offset: int) -> None:
    starts = [sum(lengths[:i]) for i in range(len(lengths))]
    page = page_at(starts, offset)
    assert page is not None
    assert starts[page - 1] <= offset
    assert page == len(starts) or offset < starts[page]
