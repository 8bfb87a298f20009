"""Reading a query costs no more than a walk along its words, whatever they are: nothing ends it while it is read."""

from __future__ import annotations

import contextlib
import time

import pytest

from causetrail import Causetrail
from causetrail.errors import CypherError, CypherInvalid, CypherTooMuch
from kg.cypher_notes import notes_of
from kg.cypher_ranges import refuse_ranges
from kg.cypher_rules import MOST_CHARACTERS, MOST_TOKENS, read_query
from kg.cypher_tokens import tokens_of
from kg.embedded_cypher_dialect import translate

GROWTH = 8.0
"""Times as long for a query of four times the length: a walk takes four times as long, a walk for each word sixteen."""
SHORT, LONG = 4_000, 16_000
"""Characters."""
ATTEMPTS = 3
"""Of which the quickest counts: a busy machine slows some of them."""
NEGLIGIBLE_SECONDS = 0.2
"""Of a processor for a long one: what so little grows by is chance."""
HOSTILE = {
    "conditions": ("MATCH (a) WHERE ", "OR(a)", " RETURN 1"),
    "ranges": ("RETURN ", "range(),", "1"),
    "properties": ("RETURN ", "a.b,", "1"),
    "chained properties": ("RETURN n", ".a", ""),
    "joined labels": ("MATCH (n:A", "&B", ") RETURN n"),
    "powers": ("RETURN 1/1", "^1", ""),
    "a sum without its end": ("RETURN (", "a+", ")"),
    "sums": ("RETURN ", "sum(1),", "1"),
    "orders": ("RETURN 1 ", "ORDER BY a ", ""),
    "existence": ("MATCH (a) WHERE ", "EXISTS{}", " RETURN 1"),
    "escapes": ("RETURN '", "\\u0100", "'"),
    "texts": ("RETURN ", "'',", "'\\u0100'"),
}


def hostile(name: str, length: int) -> str:
    """The query with so many characters at most."""
    head, repeated, tail = HOSTILE[name]
    return head + repeated * ((length - len(head) - len(tail)) // len(repeated)) + tail


def seconds_for(query: str) -> float:
    """Seconds of a processor that all which is read of a query takes before it runs."""
    begin = time.process_time()
    tokens = tokens_of(query)
    with contextlib.suppress(CypherError):
        read_query(query, ())
    with contextlib.suppress(CypherError):
        refuse_ranges(query, tokens, {})
    with contextlib.suppress(CypherError):
        translate(query, tokens, {})
    notes_of(query, tokens)
    return time.process_time() - begin


@pytest.mark.parametrize("name", HOSTILE)
def test_no_words_make_it_slow(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.cypher_rules.MOST_TOKENS", MOST_CHARACTERS)
    short, long = (min(seconds_for(hostile(name, length)) for _ in range(ATTEMPTS)) for length in (SHORT, LONG))
    assert long < max(GROWTH * short, NEGLIGIBLE_SECONDS)


def test_a_query_of_too_many_words_is_refused() -> None:
    with pytest.raises(CypherInvalid, match=str(MOST_TOKENS)):
        read_query("RETURN " + "1," * (MOST_TOKENS // 2) + "1", ())
    read_query("RETURN " + "1," * (MOST_TOKENS // 2 - 1) + "1", ())


def test_the_time_of_a_query_begins_with_its_words(flood: Causetrail) -> None:
    with pytest.raises(CypherTooMuch):
        flood.cypher("RETURN " + "1," * 2_000 + "1", timeout=0.001)
