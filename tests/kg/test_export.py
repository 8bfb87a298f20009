from __future__ import annotations

import io
import json
import re

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causetrail.errors import ArgumentInvalid
from kg.cypher_export import ROWS, cypher_literal, export_cypher
from kg.export import export, export_jsonl
from kg.graph_schema import LINKS, Label
from kg.network_export import export_graphml, to_networkx

FLOOD = [
    "{Gauge G7 failed}, which led to {the release}.",
    "{The release} led to {a rise of the river}; a clerk wrote \"it's\" \\u0027 \\ 'done' // 🌊.",
]
REPORT = [
    "{Gauge G7 failed}, and so came {the release}.",
    "{The pump failed}.",
    "{A storm\x0b raged} and caused {a rise of the river} \x7f.",
]


@pytest.fixture
def store(open_store, bundle_of, words_encoder, equal_wording):
    store = open_store()
    for name, sentences in (("flood.txt", FLOOD), ("report.txt", REPORT)):
        store.commit_document(bundle_of(name, sentences, words_encoder))
    store.derive("main", equal_wording)
    return store


def test_every_record_is_exported_in_a_fixed_order(store) -> None:
    lines = list(export_jsonl(store, "main"))
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    records = [json.loads(line) for line in lines]
    assert [json.dumps(r, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n" for r in records] == lines
    kinds = [record["record"] for record in records]
    order = ["document", "mention", "claim", "decision", "hypothesis", "event", "edge", "similar"]
    assert kinds == sorted(kinds, key=order.index)
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "document": 2,
        "mention": 9,
        "claim": 4,
        "event": len(store.event_ids("main")),
        "edge": len(list(store.edges("main"))),
        "similar": sum(1 for event in store.event_ids("main") for _ in store.similar_events("main", event)) // 2,
    }
    for kind in order[:-2]:
        ids = [record["id"] for record in records if record["record"] == kind]
        assert ids == sorted(ids)
    texts = {record["id"]: record["text"] for record in records if record["record"] == "document"}
    claims = [record for record in records if record["record"] == "claim"]
    assert all(texts[claim["document_id"]][claim["start"] : claim["end"]] == claim["quote"] for claim in claims)
    assert "generation" not in "".join(lines)


@pytest.mark.parametrize("form", ["jsonl", "graphml", "cypher"])
def test_equal_graphs_give_equal_bytes(store, open_store, bundle_of, words_encoder, equal_wording, form: str) -> None:
    other = open_store("other.db")
    for name, sentences in (("report.txt", REPORT), ("gone.txt", FLOOD[:1]), ("flood.txt", FLOOD)):
        other.commit_document(bundle_of(name, sentences, words_encoder))
        other.derive("main", equal_wording)
    other.delete_source("main", "gone.txt")
    other.derive("main", equal_wording)
    assert other.generation("main") != store.generation("main")
    assert "".join(export(other, "main", form)) == "".join(export(store, "main", form))
    assert "".join(export(store, "main", form)).endswith("\n")


def test_an_unknown_form_is_refused(store) -> None:
    with pytest.raises(ArgumentInvalid):
        export(store, "main", "xml")


@pytest.mark.parametrize("form", ["jsonl", "graphml", "cypher"])
def test_an_empty_collection_is_exported(store, form: str) -> None:
    assert "flood" not in "".join(export(store, "nothing", form))


def test_networkx_holds_the_records(store) -> None:
    graph = to_networkx(store, "main")
    assert set(graph.nodes) == set(store.event_ids("main"))
    assert {(a, b, key) for a, b, key in graph.edges(keys=True)} == {
        (edge.cause, edge.effect, edge.relation.value) for edge in store.edges("main")
    }
    for edge in store.edges("main"):
        attributes = graph.edges[edge.cause, edge.effect, edge.relation.value]
        assert attributes["confidence"] == edge.confidence
        assert attributes["claims"] == list(edge.claims)
        assert attributes["quotes"] == [store.claims("main", [claim])[claim].quote for claim in edge.claims]
        assert graph.nodes[edge.cause]["description"] == store.event("main", edge.cause).description


def test_graphml_is_read_back(store) -> None:
    graph = to_networkx(store, "main")
    back = networkx.read_graphml(io.BytesIO(export_graphml(store, "main").encode()), force_multigraph=True)
    assert isinstance(back, networkx.MultiDiGraph)
    assert set(back.nodes) == set(graph.nodes)
    assert set(back.edges(keys=True)) == set(graph.edges(keys=True))
    for node, attributes in graph.nodes(data=True):
        told = {key: value for key, value in attributes.items() if value is not None}
        assert {
            key: value.replace("\x0b", "\ufffd") if isinstance(value, str) else value for key, value in told.items()
        } == (back.nodes[node])
    for cause, effect, key, attributes in graph.edges(keys=True, data=True):
        read = back.edges[cause, effect, key]
        assert json.loads(read["claims"]) == attributes["claims"]
        assert (read["confidence"], read["consistent"]) == (attributes["confidence"], attributes["consistent"])
    assert "\x0b" not in export_graphml(store, "main")


# A reader of the literals that the script uses. Neo4j 4 and 5 replace \uXXXX in the whole script before they read it;
# later ones only know it inside a string. Both have to come to the same value.

TOKEN = re.compile(
    r"\s*(?:(?P<number>-?\d[\w.+-]*)|(?P<name>\w+)|(?P<mark>[\[\]{},:+])|'(?P<text>(?:[^'\\]|\\.)*)')", re.S
)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.S)
NAMED = {"n": "\n", "r": "\r", "t": "\t"}


def replace_early(script: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), script)


class Reader:
    def __init__(self, script: str) -> None:
        self.tokens = []
        place = 0
        while place < len(script.rstrip()):
            match = TOKEN.match(script, place)
            assert match, script[place : place + 30]
            self.tokens.append((match.lastgroup, match[match.lastgroup]))
            place = match.end()

    def value(self):
        kind, token = self.tokens.pop(0)
        if kind == "number":
            return json.loads(token)
        if kind == "name":
            return {"null": None, "true": True, "false": False}[token]
        if kind == "text":
            text = ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else NAMED.get(m[2], m[2]), token)
            while self.tokens and self.tokens[0] == ("mark", "+"):
                self.tokens.pop(0)
                text += self.value()
            return text
        if token == "[":
            return list(self._parts("]", self.value))
        assert token == "{"
        return dict(self._parts("}", self._pair))

    def _pair(self):
        _, key = self.tokens.pop(0)
        assert self.tokens.pop(0) == ("mark", ":")
        return key, self.value()

    def _parts(self, closing, read):
        while self.tokens[0] != ("mark", closing):
            yield read()
            if self.tokens[0] == ("mark", ","):
                self.tokens.pop(0)
        self.tokens.pop(0)


def read_both_ways(literal: str) -> list[object]:
    values = []
    for script in (literal, replace_early(literal)):
        reader = Reader(script)
        values.append(reader.value())
        assert reader.tokens == []
    return values


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])) | st.text(alphabet="\\'\"u0027n`;/*\n{}$ "))
def test_any_text_survives_as_a_literal(text: str) -> None:
    assert read_both_ways(cypher_literal(text)) == [text, text]


KEYS = st.from_regex(r"[a-z_]{1,8}", fullmatch=True).filter(lambda key: key not in {"null", "true", "false"})
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(0, 1) | st.text(alphabet="\\'u0027n a"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@given(VALUES)
def test_any_value_survives_as_a_literal(value: object) -> None:
    assert read_both_ways(cypher_literal(value)) == [value, value]


def test_what_has_no_literal_is_refused() -> None:
    for value in (b"bytes", object()):
        with pytest.raises(TypeError):
            cypher_literal(value)
    with pytest.raises(ValueError, match="JSON"):
        cypher_literal(float("nan"))


def rows_of(statement: str) -> list[dict[str, object]]:
    literal = statement[len("UNWIND ") : statement.rindex(" AS row\nM")]
    return Reader(literal).value()


def test_the_script_holds_the_graph(store) -> None:
    statements = list(export_cypher(store, "main"))
    assert all(statement.endswith(";\n") for statement in statements)
    assert statements[1].startswith("CREATE CONSTRAINT causetrail_document_id IF NOT EXISTS FOR (n:Document)")
    assert [s.split("FOR (n:")[1].split(")")[0] for s in statements if s.startswith("CREATE")] == list(Label)
    nodes = {}
    for statement in statements:
        if merged := re.search(r"\nMERGE \(n:(\w+) ", statement):
            nodes.setdefault(merged[1], []).extend(rows_of(statement))
    assert {row["id"]: row["text"] for row in nodes["Document"]} == {
        document.id: store.document_text("main", document.id) for document in store.documents("main")
    }
    assert {row["id"] for row in nodes["Event"]} == set(store.event_ids("main"))
    assert all(None not in row.values() for rows in nodes.values() for row in rows)
    assert not any({"name", "label", "title", "type"} & row.keys() for rows in nodes.values() for row in rows)
    causes = [row for s in statements if "[r:CAUSES " in s for row in rows_of(s)]
    assert {(row["a"], row["b"]) for row in causes} == {(edge.cause, edge.effect) for edge in store.edges("main")}
    assert {
        "relation",
        "confidence",
        "p_for",
        "p_against",
        "support",
        "against",
        "consistent",
        "quotes",
        "documents",
    } <= (causes[0]["fields"].keys())
    assert {row["id"] for row in nodes["Source"]} == {"flood.txt", "report.txt"}
    texts = {row["id"]: row["text"] for row in nodes["Document"]}
    assert nodes["Passage"]
    assert all(texts[row["document_id"]][row["start"] : row["end"]] == row["text"] for row in nodes["Passage"])
    assert all(texts[row["document_id"]][row["start"] : row["end"]] == row["quote"] for row in nodes["Claim"])


def test_the_script_holds_every_relationship_of_the_schema(store) -> None:
    statements = list(export_cypher(store, "main"))
    written = {}
    for statement in statements:
        if merged := re.search(r"MATCH \(a:(\w+) .*MATCH \(b:(\w+) .*MERGE \(a\)-\[:(\w+)\]->\(b\)", statement, re.S):
            pairs = written.setdefault((merged[1], merged[3], merged[2]), set())
            pairs |= {(row["a"], row["b"]) for row in rows_of(statement)}
    documents = [document.id for document in store.documents("main")]
    mentions = [mention for document in documents for mention in store.mentions_of("main", document)]
    passages = [passage for document in documents for passage in store.passages_of("main", document)]
    claims = [claim for document in documents for claim in store.claims_of("main", document)]
    event_of = {mention.id: store.event_of_mention("main", mention.id) for mention in mentions}
    events = store.events_of_passages("main", [passage.id for passage in passages])
    expected = {
        ("Source", "GAVE", "Document"): {(s, d) for d in documents for s in store.document("main", d).sources},
        ("Document", "HAS_PASSAGE", "Passage"): {(p.document_id, p.id) for p in passages},
        ("Document", "HAS_MENTION", "Mention"): {(m.document_id, m.id) for m in mentions},
        ("Document", "HAS_CLAIM", "Claim"): {(c.document_id, c.id) for c in claims},
        ("Passage", "CONTAINS", "Mention"): {
            (p.id, m.id)
            for p in passages
            for m in mentions
            if m.document_id == p.document_id and p.start <= m.start and m.end <= p.end
        },
        ("Mention", "REFERS_TO", "Event"): set(event_of.items()),
        ("Claim", "CAUSE_MENTION", "Mention"): {(c.id, c.cause_mention) for c in claims},
        ("Claim", "EFFECT_MENTION", "Mention"): {(c.id, c.effect_mention) for c in claims},
        ("Claim", "HAS_CAUSE", "Event"): {(c.id, event_of[c.cause_mention]) for c in claims},
        ("Claim", "HAS_EFFECT", "Event"): {(c.id, event_of[c.effect_mention]) for c in claims},
        ("Passage", "MENTIONS", "Event"): {(p.id, event) for p in passages for event in events[p.id]},
        ("Event", "SIMILAR_TO", "Event"): {
            tuple(sorted((event, other)))
            for event in store.event_ids("main")
            for other in store.similar_events("main", event)
        },
    }
    assert all(expected.values())
    assert written == expected
    assert set(expected) <= set(LINKS)


def test_long_lists_are_written_in_batches(open_store, bundle_of, words_encoder) -> None:
    store = open_store()
    sentences = [f"{{Pump {number} failed}}." for number in range(ROWS + 1)]
    store.commit_document(bundle_of("pumps.txt", sentences, words_encoder))
    sizes = [len(rows_of(s)) for s in export_cypher(store, "main") if "MERGE (n:Mention " in s]
    assert sizes == [ROWS, 1]
