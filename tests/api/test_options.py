"""Options that stand before or behind a command."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from api.options import to_front


def test_options_behind_the_command_come_to_the_front() -> None:
    assert to_front(["ask", "why?", "--json", "--store", "sqlite:///a.db", "--trace"]) == [
        *("--json", "--store", "sqlite:///a.db"),
        *("ask", "why?", "--trace"),
    ]


def test_an_option_with_an_equals_sign_comes_along() -> None:
    assert to_front(["ask", "--collection=plant", "why?"]) == ["--collection=plant", "ask", "why?"]


def test_what_stands_behind_two_dashes_stays() -> None:
    assert to_front(["ask", "--", "--json"]) == ["ask", "--", "--json"]


def test_a_value_that_is_missing_is_left_to_the_parser() -> None:
    assert to_front(["ask", "--store"]) == ["--store", "ask"]


@given(st.lists(st.sampled_from(["ask", "--json", "--store", "x", "--", "--collection=a", "--trace"]), max_size=8))
def test_nothing_is_lost_and_nothing_added(arguments: list[str]) -> None:
    assert sorted(to_front(arguments)) == sorted(arguments)
    assert to_front(to_front(arguments)) == to_front(arguments)
