"""Every statement of the server's store finds its nodes by an index: the plans that the server really ran.

The whole contract is used on a loaded graph while the server profiles each statement, so the parameters are real ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import neo4j
import pytest

from benchmarks.graph_generator import COLLECTION, ByWords, GeneratedGraph
from kg import neo4j_graph_queries, neo4j_queries
from kg.neo4j_store import Neo4jStore
from kg.records import (
    CAUSAL_RELATIONS,
    Decision,
    DecisionKind,
    Document,
    Mention,
    Modality,
    Polarity,
    Relation,
    Resolution,
)
from kg.resolution import Resolved
from kg.store import Direction
from kg.verify import verify
from tests.conformance.conftest import empty
from tests.conformance.material import (
    ACCESS,
    ByName,
    Statement,
    bundle_of,
    content,
    decision_of,
    hypothesis_between,
    open_at,
    source_of,
)
from tests.neo4j.server import Neo4jTestServer

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

SCAN = re.compile(r"LabelScan|LabelsScan|AllNodesScan|RelationshipTypeScan|AllRelationshipsScan")
PRODUCT = "CartesianProduct"
ONE_ROW = "NodeUniqueIndexSeek"
WORDS = " ".join(f"word{number}" for number in range(60))


@dataclass
class Profiled:
    """A result that was read to its end, with its summary."""

    records: list[neo4j.Record]
    summary: neo4j.ResultSummary

    def __iter__(self) -> Iterator[neo4j.Record]:
        return iter(self.records)

    def consume(self) -> neo4j.ResultSummary:
        return self.summary


@dataclass
class Profiler:
    """Runs each statement under PROFILE, and keeps what is wrong with its plan."""

    faults: dict[str, set[str]] = field(default_factory=dict)

    def watch(self, patched: pytest.MonkeyPatch) -> None:
        for runner in (neo4j.ManagedTransaction, neo4j.Session):
            self._watch(patched, runner)

    def _watch(self, patched: pytest.MonkeyPatch, runner: type) -> None:
        plain = runner.run  # type: ignore[attr-defined]

        def run(this: Any, query: str | neo4j.Query, *given: Any, **parameters: Any) -> Profiled:
            text = query.text if isinstance(query, neo4j.Query) else query
            result = plain(this, f"PROFILE {text}", *given, **parameters)
            records = list(result)
            summary = result.consume()
            assert summary.profile is not None
            self.faults.setdefault(text.strip(), set()).update(faults_of(summary.profile))
            return Profiled(records, summary)

        patched.setattr(runner, "run", run)


def faults_of(plan: Mapping[str, Any]) -> Iterator[str]:
    """Operators that look through a label or multiply rows; the two ends of a relationship are one row each."""
    operator = str(plan["operatorType"])
    children = plan.get("children", ())
    if SCAN.search(operator) or (operator.startswith(PRODUCT) and not all(map(_is_one_row, children))):
        yield operator.split("@", maxsplit=1)[0]
    for child in children:
        yield from faults_of(child)


def _is_one_row(plan: Mapping[str, Any]) -> bool:
    operator = str(plan["operatorType"])
    if operator.startswith(PRODUCT):
        return all(map(_is_one_row, plan["children"]))
    return operator.startswith(ONE_ROW)


def named_queries() -> dict[str, re.Pattern[str]]:
    """What fits every statement, with whatever its placeholders became, by its name."""
    found: dict[str, str] = {}
    for name, value in (*vars(neo4j_queries).items(), *vars(neo4j_graph_queries).items()):
        if re.fullmatch(r"[A-Z][A-Z_]*", name):
            if isinstance(value, str):
                found[name] = value
            elif name.startswith("INSERT_") and isinstance(value, dict):
                found |= {f"{name}[{key}]": query for key, query in value.items()}
    return {name: _pattern(query) for name, query in found.items()}


def _pattern(query: str) -> re.Pattern[str]:
    fixed = re.split(r"\{\w+\}", query.strip())
    return re.compile(".+".join(re.escape(part.replace("{{", "{").replace("}}", "}")) for part in fixed))


@pytest.fixture(scope="module")
def profiler(neo4j_server: Neo4jTestServer) -> Iterator[Profiler]:
    """What the server ran while everything of the contract was done once."""
    neo4j_server.start()
    empty(neo4j_server)
    graph = GeneratedGraph(200)
    watching, audit = Profiler(), Profiler()
    with open_at(neo4j_server.address, create=True) as store:
        assert isinstance(store, Neo4jStore)
        for bundle in graph.bundles():
            store.commit_document(bundle)
        store.derive(COLLECTION, ByWords())
        with pytest.MonkeyPatch.context() as patched:
            watching.watch(patched)
            change_a_generated_document(store, graph)
            change_small_documents(store)
            read_everything(store)
        with pytest.MonkeyPatch.context() as patched:
            audit.watch(patched)
            verify(store, access=ACCESS)
    named = named_queries().values()
    for query, faults in audit.faults.items():
        # The rest of an audit reads whole databases on purpose, whatever collections they have.
        if any(pattern.fullmatch(query) for pattern in named):
            watching.faults.setdefault(query, set()).update(faults)
    yield watching
    empty(neo4j_server)


class AlikeIsNothing(ByName):
    """Finds no events that resemble each other."""

    def resolve(self, mentions: Sequence[Mention], decisions: Sequence[Decision]) -> Resolved:
        return replace(super().resolve(mentions, decisions), similar=())


def change_a_generated_document(store: Neo4jStore, graph: GeneratedGraph) -> None:
    bundle = graph.bundle(5)
    store.delete_document(COLLECTION, Document.id_of(bundle.text))
    store.derive(COLLECTION, ByWords())
    store.commit_document(bundle)
    store.derive(COLLECTION, ByWords())


def change_small_documents(store: Neo4jStore) -> None:
    resolver = ByName()
    chain = [
        Statement("storm-1", "leak-1", cause_day=1, effect_day=2),
        Statement("leak-1", "fire-1", Relation.ENABLES),
        Statement("fire-1", "siren-1", Relation.PREVENTS),
        Statement("storm-1", "fire-1", Relation.BEFORE),
        Statement("storm-1", "closure-1", polarity=Polarity.NEGATED),
        Statement("leak-1", "closure-1", modality=Modality.POSSIBLE),
        Statement("leak-2", "closure-1"),
    ]
    bundle = bundle_of("a.txt", chain, collection="small", words=WORDS)
    id_ = Document.id_of(bundle.text)
    store.commit_document(bundle)
    store.commit_document(
        bundle_of("b.txt", [*chain, Statement("storm-1", "siren-1")], collection="small", words=WORDS)
    )
    store.derive("small", resolver)
    store.add_source("small", id_, source_of("c.txt"))
    dated = source_of("a.txt", published="2014-03-05T00:00:00Z", published_resolution=Resolution.DAY)
    store.commit_document(replace(bundle, source=dated, extraction="x2"))
    store.add_source("small", id_, source_of("0.txt", pages=(0, 40)))
    store.derive("small", resolver)
    mentions = store.mentions_of("small", id_)
    merge = decision_of(DecisionKind.MERGE, mentions[0].id, mentions[3].id, collection="small")
    split = decision_of(DecisionKind.SPLIT, mentions[1].id, mentions[4].id, at=2, collection="small")
    claim = store.claims_of("small", id_)[0]
    reject = decision_of(DecisionKind.REJECT_CLAIM, claim.id, at=3, collection="small")
    for decision in (merge, split, reject):
        store.decide(decision)
        store.derive("small", resolver)
    store.undo("small", merge.id)
    store.derive("small", resolver)
    proposed = hypothesis_between(store, mentions[0].id, mentions[4].id, collection="small")
    store.propose(proposed)
    store.decide(decision_of(DecisionKind.REJECT_HYPOTHESIS, proposed.id, at=4, collection="small"))
    store.hypotheses("small")
    store.derive("small", AlikeIsNothing("by-name-2"))
    store.delete_source("small", "c.txt")
    store.commit_document(bundle_of("b.txt", chain[:1], collection="small"))
    store.derive("small", resolver)
    store.bundle("small", id_)
    store.commit_document(bundle_of("a.txt", chain[:1], collection="gone"))
    store.drop("gone")


def read_everything(store: Neo4jStore) -> None:
    store.collections()
    with store.snapshot():
        content(store, "small")
    ids = store.event_ids(COLLECTION)
    events = ids[:40]
    for direction in Direction:
        for ruled_out in (False, True, None):
            for each in (None, 5):
                store.edges_at(
                    COLLECTION, events, direction, tuple(Relation), floor=0.2, ruled_out=ruled_out, limit_each=each
                )
        store.edges_back(COLLECTION, events, direction, CAUSAL_RELATIONS, 0.2, 5, ids[:60])
    document = next(store.documents(COLLECTION))
    claims = store.claims_of(COLLECTION, document.id)
    store.claims(COLLECTION, [claim.id for claim in claims])
    ends = [store.event_of_mention(COLLECTION, id_) for id_ in (claims[0].cause_mention, claims[0].effect_mention)]
    store.claims_between(COLLECTION, str(ends[0]), str(ends[1]))
    passages = [passage.id for passage in store.passages_of(COLLECTION, document.id)]
    store.passages(COLLECTION, passages)
    store.event(COLLECTION, ids[0])
    store.source_state(COLLECTION, document.sources[0])
    store.sources_of_origin(COLLECTION, document.sources[0])
    store.sources(COLLECTION, document.id)
    store.has_content(COLLECTION, document.id, document.extraction)
    next(store.merges(COLLECTION, across_documents=True))
    store.pending(COLLECTION)


def test_every_named_statement_was_run(profiler: Profiler) -> None:
    assert [name for name, query in named_queries().items() if not any(map(query.fullmatch, profiler.faults))] == []


def test_no_statement_looks_through_a_label_or_multiplies_rows(profiler: Profiler) -> None:
    assert {query: faults for query, faults in profiler.faults.items() if faults} == {}


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("MATCH (m:Mention) WHERE m.text = 'x' RETURN m.id", "NodeByLabelScan"),
        ("MATCH (n) WHERE n.text = 'x' RETURN n.id", "AllNodesScan"),
        (
            "MATCH (a:Event {collection: 'main'}), (b:Event {collection: 'main'}) RETURN a.id LIMIT 1",
            "CartesianProduct",
        ),
    ],
)
def test_a_bad_plan_would_be_found(profiler: Profiler, neo4j_server: Neo4jTestServer, query: str, fault: str) -> None:
    with open_at(neo4j_server.address) as store, pytest.MonkeyPatch.context() as patched:
        assert isinstance(store, Neo4jStore)
        watching = Profiler()
        watching.watch(patched)
        store.server.rows(query)
    assert fault in watching.faults[query]
