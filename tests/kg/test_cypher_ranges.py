"""Ranges that no database can walk in time are refused by their words."""

from __future__ import annotations

import time
from typing import Any

import pytest

from causetrail.errors import CypherTooMuch
from kg.cypher_ranges import MOST_NUMBERS, refuse_ranges
from kg.cypher_tokens import tokens_of

SECONDS = 5.0
"""Far more than it takes, and far less than a look at every pair of values."""


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ("RETURN reduce(a=0, x IN range(0, 10000000000) | a+x)", {}),
        ("RETURN reduce(a=0, x IN range(-10000000000, 0) | a+x)", {}),
        ("RETURN range(0, -10000000000, -1)", {}),
        ("RETURN range(0, $n)", {"n": 10**10}),
        ("RETURN range($n, 0)", {"n": -(10**10)}),
        ("RETURN range(0, 10^10)", {}),
        ("RETURN range(0, 1000 * (1000 + 1) * 1000)", {}),
        ("RETURN range(0, toInteger('10000000000'))", {}),
        ("RETURN range(0, 0xFFFFFFFFFF)", {}),
        ("WITH 10000000000 AS n RETURN range(0, n + 1)", {}),
        ("WITH $n AS n, 1 AS m RETURN range(m, n)", {"n": 10**10}),
        ("RETURN reduce(a=0, x IN range(0, 9999) | reduce(b=0, y IN range(0, 9999) | b+y))", {}),
        ("RETURN [x IN [y IN range(0, 9999) | y] | [z IN range(0, 9999) WHERE z > x | z]]", {}),
        ("RETURN any(x IN range(0, 9999) WHERE any(y IN range(0, 9999) WHERE x = y))", {}),
        ("RETURN range(0, toInteger('1e400'))", {}),
        ("RETURN range(0, 1e300 * 1e300)", {}),
        ("RETURN `range`(0, 10000000000)", {}),
        ("RETURN RANGE (0, 10000000000)", {}),
    ],
)
def test_a_huge_range_is_refused(query: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(CypherTooMuch, match="range"):
        refuse_ranges(query, tokens_of(query), parameters)


@pytest.mark.parametrize(
    "query",
    [
        f"RETURN range(1, {MOST_NUMBERS})",
        "RETURN range(0, 10000000000, 1000000)",
        "MATCH (n) RETURN range(0, size(n.quotes) - 1)",
        "UNWIND range(0, 9999) AS a UNWIND range(0, 9999) AS b RETURN a LIMIT 1",
        "RETURN range(5, 1), 'range(0, 10000000000)', $range",
        "RETURN range(0, 10 / 0)",
        "RETURN range(0, 'nan'), range(1e400, 1e400), range(0, 1e400 - 1e400)",
        "RETURN [range(0, 9999), range(0, 9999)], size(range(0, 9999)) + size(range(0, 9999))",
        "RETURN [x IN range(0, 9999) | x] + [x IN range(0, 9999) WHERE x > 1], (range(0, range(0, 9999)[0]))",
    ],
)
def test_others_are_left_alone(query: str) -> None:
    refuse_ranges(query, tokens_of(query), {})


def test_a_name_of_many_numbers_costs_no_more_than_one() -> None:
    named = " ".join(f"WITH {number} AS n" for number in range(60))
    query = f"{named} RETURN range(0, n * n * n * n * n * n)"
    with pytest.raises(CypherTooMuch):
        refuse_ranges(query, tokens_of(query), {})


def test_each_side_of_a_sum_is_looked_at_once() -> None:
    deep = "n"
    for _ in range(24):
        deep = f"n+({deep})"
    query = f"WITH 1 AS n WITH 2 AS n RETURN range(0, {deep})"
    before = time.process_time()
    refuse_ranges(query, tokens_of(query), {})
    assert time.process_time() - before < SECONDS
