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

SECONDS = 5.0
"""Of a processor for one query: several times what a walk takes, and less than a walk for each word."""
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
}


def full(name: str) -> str:
    """The query at its full length."""
    head, repeated, tail = HOSTILE[name]
    return head + repeated * ((MOST_CHARACTERS - len(head) - len(tail)) // len(repeated)) + tail


def escapes() -> str:
    return "RETURN " + "''," * 8_000 + "'" + "\\u0100" * 4_000 + "'"


@pytest.mark.parametrize("query", [*map(full, HOSTILE), escapes()], ids=[*HOSTILE, "escapes"])
def test_no_words_make_it_slow(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.cypher_rules.MOST_TOKENS", MOST_CHARACTERS)
    begin = time.process_time()
    tokens = tokens_of(query)
    with contextlib.suppress(CypherError):
        read_query(query, ())
    with contextlib.suppress(CypherError):
        refuse_ranges(query, tokens, {})
    with contextlib.suppress(CypherError):
        translate(query, tokens, {})
    notes_of(query, tokens)
    assert time.process_time() - begin < SECONDS


def test_a_query_of_too_many_words_is_refused() -> None:
    with pytest.raises(CypherInvalid, match=str(MOST_TOKENS)):
        read_query("RETURN " + "1," * (MOST_TOKENS // 2) + "1", ())
    read_query("RETURN " + "1," * (MOST_TOKENS // 2 - 1) + "1", ())


def test_the_time_of_a_query_begins_with_its_words(flood: Causetrail) -> None:
    with pytest.raises(CypherTooMuch):
        flood.cypher("RETURN " + "1," * 2_000 + "1", timeout=0.001)
