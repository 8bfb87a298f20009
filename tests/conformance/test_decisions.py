from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causetrail.errors import DecisionRefused, RecordUnknown
from kg.records import DecisionKind, Polarity
from kg.store import Bundle, GraphStore
from tests.conformance.material import ByName, NewStore, Statement, bundle_of, decision_of, graph

MERGE, SPLIT, REJECT = DecisionKind.MERGE, DecisionKind.SPLIT, DecisionKind.REJECT_CLAIM
LEAK = [Statement("leak-1", "fire-1")]
SPILL = [Statement("spill-7", "fire-1")]


@pytest.fixture
def bundles(store: GraphStore) -> list[Bundle]:
    """Two accounts of one fire, with causes of different names and kinds, and a second account of the leak."""
    bundles = [
        bundle_of("a.txt", LEAK, words="What the crew wrote down that night"),
        bundle_of("b.txt", SPILL, words="Statement of the harbour master"),
        bundle_of("c.txt", LEAK, words="From the log of the second engine room"),
    ]
    for bundle in bundles:
        store.commit_document(bundle)
    store.derive("main", ByName())
    return bundles


def causes(bundles: list[Bundle]) -> list[str]:
    return [bundle.mentions[0].id for bundle in bundles]


def test_a_merge_across_kinds_holds_until_it_is_undone(store: GraphStore, bundles: list[Bundle]) -> None:
    before = graph(store)
    assert store.counts("main").events == 3
    merge = decision_of(MERGE, *causes(bundles)[:2])
    store.decide(merge)
    assert store.pending("main") == 2
    store.derive("main", ByName())
    (edge,) = store.edges("main")
    assert (edge.support, store.event("main", edge.cause).mention_count) == (3, 3)
    assert {m.event.id for m in store.merges("main", across_documents=True)} == {edge.cause, edge.effect}
    assert store.undo("main", merge.id).undone
    store.derive("main", ByName())
    assert graph(store) == before
    assert [decision.undone for decision in store.decisions("main")] == [True]


def test_a_split_holds_until_it_is_undone(store: GraphStore, bundles: list[Bundle]) -> None:
    before = graph(store)
    split = decision_of(SPLIT, causes(bundles)[0], causes(bundles)[2])
    store.decide(split)
    store.derive("main", ByName())
    assert (store.counts("main").events, store.counts("main").edges) == (4, 3)
    store.undo("main", split.id)
    store.derive("main", ByName())
    assert graph(store) == before


def test_a_rejected_claim_is_not_counted_until_it_is_undone(store: GraphStore, bundles: list[Bundle]) -> None:
    before = graph(store)
    claim = bundles[1].claims[0]
    reject = decision_of(REJECT, claim.id)
    store.decide(reject)
    store.derive("main", ByName())
    assert all(claim.id not in edge.claims for edge in store.edges("main"))
    assert store.counts("main").edges == 1
    assert store.claims("main", [claim.id]) == {claim.id: claim}
    store.undo("main", reject.id)
    store.derive("main", ByName())
    assert graph(store) == before


def test_decisions_survive_the_documents_they_speak_of(store: GraphStore, bundles: list[Bundle]) -> None:
    store.decide(decision_of(MERGE, *causes(bundles)[:2], at=1))
    store.decide(decision_of(REJECT, bundles[2].claims[0].id, at=2))
    store.derive("main", ByName())
    decided = graph(store)
    for bundle in bundles:
        store.delete_source("main", bundle.source.name)
        store.derive("main", ByName())
    assert len(store.decisions("main")) == 2
    for bundle in bundles:
        store.commit_document(bundle)
        store.derive("main", ByName())
    assert graph(store) == decided


def test_a_tie_that_goes_with_its_document_frees_both_kinds(store: GraphStore, bundles: list[Bundle]) -> None:
    between = bundle_of("d.txt", [Statement("gush-3", "fire-1")])
    leak, spill, _ = causes(bundles)
    before = graph(store)
    store.commit_document(between)
    store.decide(decision_of(MERGE, between.mentions[0].id, leak, at=1))
    store.decide(decision_of(MERGE, between.mentions[0].id, spill, at=2))
    store.derive("main", ByName())
    assert store.counts("main").events == 2
    store.delete_source("main", "d.txt")
    store.derive("main", ByName())
    assert graph(store) == before


@pytest.mark.parametrize("first", [MERGE, SPLIT])
def test_a_contradiction_is_refused(store: GraphStore, bundles: list[Bundle], first: DecisionKind) -> None:
    second = SPLIT if first is MERGE else MERGE
    a, b, _ = causes(bundles)
    store.decide(decision_of(first, a, b, at=1))
    with pytest.raises(DecisionRefused, match="contradicts"):
        store.decide(decision_of(second, a, b, at=2))
    store.undo("main", store.decisions("main")[0].id)
    store.decide(decision_of(second, a, b, at=2))


def test_a_contradiction_over_a_chain_of_merges_is_refused(store: GraphStore, bundles: list[Bundle]) -> None:
    a, b, c = causes(bundles)
    store.decide(decision_of(MERGE, a, b, at=1))
    store.decide(decision_of(SPLIT, a, c, at=2))
    generation = store.generation("main")
    with pytest.raises(DecisionRefused, match="contradicts"):
        store.decide(decision_of(MERGE, b, c, at=3))
    assert (store.generation("main"), len(store.decisions("main"))) == (generation, 2)


def test_what_makes_no_sense_is_refused(store: GraphStore, bundles: list[Bundle]) -> None:
    a, b, _ = causes(bundles)
    claim = bundles[0].claims[0].id
    for decision in (
        decision_of(MERGE, a),
        decision_of(SPLIT, a),
        decision_of(REJECT, claim, bundles[1].claims[0].id),
        decision_of(MERGE, a, b).model_copy(update={"subject": (max(a, b), min(a, b))}),
    ):
        with pytest.raises(DecisionRefused):
            store.decide(decision)
    for unknown in (decision_of(MERGE, a, "m0"), decision_of(REJECT, "c0"), decision_of(REJECT, a)):
        with pytest.raises(RecordUnknown):
            store.decide(unknown)
    store.decide(decision_of(REJECT, claim, at=1))
    with pytest.raises(DecisionRefused, match="stands"):
        store.decide(decision_of(REJECT, claim, at=2))
    with pytest.raises(DecisionRefused, match="log already"):
        store.decide(decision_of(REJECT, claim, at=1))
    store.undo("main", store.decisions("main")[0].id)
    with pytest.raises(DecisionRefused, match="undone before"):
        store.undo("main", store.decisions("main")[0].id)
    with pytest.raises(RecordUnknown):
        store.undo("main", "x0")


def test_a_told_and_a_denied_happening_are_never_merged(store: GraphStore, bundles: list[Bundle]) -> None:
    denied = bundle_of("n.txt", LEAK)
    mention = denied.mentions[0].model_copy(update={"polarity": Polarity.NEGATED})
    object.__setattr__(denied, "mentions", (mention, *denied.mentions[1:]))
    store.commit_document(denied)
    with pytest.raises(DecisionRefused, match="denied"):
        store.decide(decision_of(MERGE, causes(bundles)[0], mention.id))


ALL = [
    bundle_of(f"{n}.txt", [Statement(f"{kind}-1", "fire-1")])
    for n, kind in enumerate(["leak", "spill", "leak", "gush"])
]
PAIRS = st.tuples(st.sampled_from([MERGE, SPLIT]), st.sampled_from(range(4)), st.sampled_from(range(4)))


def test_decisions_and_documents_in_any_order_give_the_same_graph(new_store: NewStore, random_graphs: settings) -> None:
    @random_graphs
    @given(data=st.data(), wanted=st.lists(PAIRS.filter(lambda pair: pair[1] != pair[2]), max_size=4))
    def holds(data: st.DataObject, wanted: list[tuple[DecisionKind, int, int]]) -> None:
        straight, crooked = new_store(), new_store()
        for store in (straight, crooked):
            for bundle in ALL:
                store.commit_document(bundle)
        decided = []
        for at, (kind, first, second) in enumerate(wanted):
            decision = decision_of(kind, ALL[first].mentions[0].id, ALL[second].mentions[0].id, at=at)
            try:
                straight.decide(decision)
            except DecisionRefused:
                continue
            decided.append(decision)
        straight.derive("main", ByName())
        for decision in decided:
            crooked.decide(decision)
            if data.draw(st.booleans()):
                crooked.derive("main", ByName())
        for bundle in data.draw(st.lists(st.sampled_from(ALL), unique_by=lambda b: b.source.name)):
            crooked.delete_source("main", bundle.source.name)
            if data.draw(st.booleans()):
                crooked.derive("main", ByName())
            crooked.commit_document(bundle)
            if data.draw(st.booleans()):
                crooked.derive("main", ByName())
        crooked.derive("main", ByName())
        assert graph(crooked) == graph(straight)

    holds()
