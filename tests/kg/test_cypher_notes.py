"""Hints about names that the graph does not have."""

from __future__ import annotations

import pytest

from kg.cypher_notes import notes_of
from kg.cypher_tokens import tokens_of


def notes(query: str) -> list[str]:
    return list(notes_of(query, tokens_of(query)))


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("MATCH (n:Evnt) RETURN n", ["no label 'Evnt' (line 1, column 10); did you mean Event?"]),
        ("MATCH (n:event) RETURN n", ["no label 'event' (line 1, column 10); did you mean Event?"]),
        ("MATCH (n:Event&Denid) RETURN n", ["did you mean Denied?"]),
        ("MATCH (n) WHERE n:Clam RETURN n", ["did you mean Claim?"]),
        (
            "MATCH ()-[r:CAUSED|ENABLES]->() RETURN r",
            ["no relationship type 'CAUSED' (line 1, column 13); did you mean CA"],
        ),
        ("MATCH (n:Event {kid: 'x'}) RETURN n", ["no property 'kid' of Event (line 1, column 17); did you mean kind?"]),
        ("MATCH (n:Event) WHERE n.kid = 'x' RETURN n.polarty", ["did you mean kind?", "did you mean polarity?"]),
        ("MATCH (e:Event) RETURN e.quote", ["no property 'quote' of Event"]),
        ("MATCH ()-[r:CAUSES]->() RETURN r.confidense", ["no property 'confidense' of edges"]),
        ("MATCH (e:Event) RETURN e.nothing_like_it", ["docs/cypher.md lists what there is."]),
        ("MATCH (e:`Evnt`) RETURN e", ["did you mean Event?"]),
    ],
)
def test_a_slip_is_told(query: str, told: list[str]) -> None:
    found = notes(query)
    assert len(found) == len(told)
    assert all(words in note for words, note in zip(told, found, strict=True)), found


@pytest.mark.parametrize(
    "query",
    [
        "MATCH p = (a:Event)-[:CAUSES|ENABLES*1..3]->(b) RETURN [n IN nodes(p) | n.description]",
        "WITH {a: 1, b: {c: 2}} AS m RETURN m.a, m.b.c, date('2020-01-01').year",
        "UNWIND $rows AS row MATCH (e:Event {kind: row.kind}) RETURN row.weight",
        "CALL db.index.fulltext.queryNodes('causetrail_event_words', 'x') YIELD node RETURN node.id",
        "MATCH (e:Event) RETURN [1, 2, 3][0..2], 1.5, e.time_start IS NULL, 'n:Evnt' AS text // (n:Evnt)",
        "MATCH (n) WHERE NOT n:Meta RETURN n",
        "MATCH (e:Event:Denied) RETURN duration.inDays(date(e.time_start), date()).days",
        "MATCH (e:Event) RETURN CASE e.kind WHEN 'rise' THEN 1 ELSE 2 END AS x, {key: e.id}.key",
    ],
)
def test_what_the_graph_has_is_left_alone(query: str) -> None:
    assert notes(query) == []
