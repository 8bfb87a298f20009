"""Hypotheses on every store: written apart from the edges, accepted with a signed note, rejected, taken back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from causetrail.errors import DecisionRefused, RecordInvalid, RecordUnknown
from kg.copying import copy
from kg.encoding import Vectors
from kg.export import export_jsonl
from kg.graph_contents import Links, Nodes, graph_contents
from kg.graph_schema import Label
from kg.hypothesis_note import note_of
from kg.records import CAUSAL_RELATIONS, Decision, DecisionKind, Document, Event, Hypothesis, Mention
from kg.rejections import decided_hypotheses, open_hypotheses, rejected_links
from kg.resolution import Resolved
from kg.store import Bundle, Direction, GraphStore
from kg.verify import verify
from tests.conformance.material import (
    ACCESS,
    DIMENSION,
    ByName,
    NewStore,
    Statement,
    bundle_of,
    decision_of,
    graph,
    hypothesis_between,
    open_at,
    vector_of,
)

ACCEPT, REJECT = DecisionKind.ACCEPT_HYPOTHESIS, DecisionKind.REJECT_HYPOTHESIS
AT = "2026-01-01T00:00:01Z"


class Encoding:
    """Vectors of the material's length; a double, because only their number matters here."""

    fingerprint = "material"
    dimension = DIMENSION
    max_tokens = 512

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        return np.stack([vector_of(text) for text in texts])

    def encode_query(self, text: str) -> Vectors:
        return self.encode_passages([text])


@pytest.fixture
def bundles(store: GraphStore) -> list[Bundle]:
    """What leaks and what burns is told; that the leak fed the fire is not."""
    bundles = [
        bundle_of("a.txt", [Statement("storm-1", "leak-1")], words="What the crew wrote down that night"),
        bundle_of("b.txt", [Statement("fire-1", "siren-1")], words="Statement of the harbour master"),
        bundle_of("c.txt", [Statement("storm-1", "leak-1")], words="From the log of the second engine room"),
    ]
    for bundle in bundles:
        store.commit_document(bundle)
    store.derive("main", ByName())
    return bundles


@pytest.fixture
def proposed(store: GraphStore, bundles: list[Bundle]) -> Hypothesis:
    hypothesis = hypothesis_between(store, bundles[0].mentions[1].id, bundles[1].mentions[0].id)
    assert store.propose(hypothesis)
    return hypothesis


def accepted(store: GraphStore, hypothesis: Hypothesis) -> Decision:
    note = note_of(store, hypothesis, "ann", AT, Encoding())
    decision = decision_of(ACCEPT, note.claims[0].id, Document.id_of(note.text), hypothesis.id)
    store.accept(decision, note)
    return decision


def shown(store: GraphStore) -> tuple[list[str], dict[str, list[tuple[str, str]]]]:
    """Ids of the hypotheses that Cypher sees, and where their relationships lead."""
    ids: list[str] = []
    links: dict[str, list[tuple[str, str]]] = {}
    for part in graph_contents(store, "main"):
        if isinstance(part, Nodes) and part.label is Label.HYPOTHESIS:
            ids += [row["id"] for row in part.rows]
        if isinstance(part, Links) and part.start is Label.HYPOTHESIS:
            links[part.name] = part.rows
    return ids, links


def faults(store: GraphStore, resolver: ByName | None = None) -> tuple[object, ...]:
    return verify(store, access=ACCESS, resolver=resolver or ByName()).faults


class Apart(ByName):
    """Makes no two mentions one but where a decision says so."""

    def resolve(self, mentions: Sequence[Mention], decisions: Sequence[Decision]) -> Resolved:
        alone = [mention.model_copy(update={"lemma": mention.id}) for mention in mentions]
        return super().resolve(alone, decisions)


def test_a_proposed_hypothesis_is_shown_and_never_traversed(
    store: GraphStore, bundles: list[Bundle], proposed: Hypothesis
) -> None:
    assert store.hypotheses("main") == [proposed]
    assert store.counts("main").edges == 2
    ends = {"WOULD_LINK_CAUSE": [(proposed.id, proposed.cause)], "WOULD_LINK_EFFECT": [(proposed.id, proposed.effect)]}
    assert shown(store) == ([proposed.id], ends)
    assert store.edges_at("main", [proposed.cause], Direction.TO_EFFECTS, CAUSAL_RELATIONS, ruled_out=None) == []
    assert faults(store) == ()
    assert open_hypotheses(store, "main") == [(proposed, proposed.cause, proposed.effect)]
    generation = store.generation("main")
    assert not store.propose(proposed.model_copy(update={"score": 0.1}))
    assert (store.hypotheses("main"), store.generation("main")) == ([proposed], generation)


def test_an_accepted_one_is_an_edge_that_a_signed_note_proves_until_it_is_undone(
    store: GraphStore, proposed: Hypothesis
) -> None:
    resolver = Apart("apart-1")
    store.derive("main", resolver)
    before, documents = graph(store), [one.id for one in store.documents("main")]
    decision = accepted(store, proposed)
    store.derive("main", resolver)
    (edge,) = [one for one in store.edges("main") if one.claims == (decision.subject[0],)]
    now = store.events_of_mentions("main", [Event.mention_id_of(proposed.cause), Event.mention_id_of(proposed.effect)])
    assert [edge.cause, edge.effect] == list(now.values())
    assert (edge.p_for, edge.support, edge.ruled_out) == (1.0, 1, False)
    claim = store.claims("main", edge.claims)[edge.claims[0]]
    text = store.document_text("main", decision.subject[1])
    assert claim.quote == text[claim.start : claim.end]
    assert claim.quote == f"ann accepts as true, on {AT}, that “leak-1” led to “fire-1”."
    assert decided_hypotheses(store, "main") == {proposed.id: decision}
    assert faults(store, resolver) == ()
    with pytest.raises(DecisionRefused, match="contradicts"):
        store.decide(decision_of(DecisionKind.SPLIT, claim.cause_mention, Event.mention_id_of(proposed.cause), at=2))
    with pytest.raises(DecisionRefused, match="stands"):
        accepted(store, proposed)
    assert store.undo("main", decision.id).undone
    store.derive("main", resolver)
    assert graph(store) == before
    assert [one.id for one in store.documents("main")] == documents
    assert store.hypotheses("main") == [proposed]
    assert decided_hypotheses(store, "main") == {}
    assert faults(store, resolver) == ()


def test_a_rejected_one_is_remembered_under_the_names_of_its_events(
    store: GraphStore, bundles: list[Bundle], proposed: Hypothesis
) -> None:
    decision = decision_of(REJECT, proposed.id)
    store.decide(decision)
    assert rejected_links(store, "main") == {(proposed.cause, proposed.effect)}
    assert open_hypotheses(store, "main") == []
    with pytest.raises(DecisionRefused, match="stands"):
        accepted(store, proposed)
    # The storm is said to be the leak, so that one of the two goes by another name.
    store.decide(decision_of(DecisionKind.MERGE, bundles[0].mentions[0].id, bundles[0].mentions[1].id, at=2))
    store.derive("main", ByName())
    now = store.event_of_mention("main", bundles[0].mentions[1].id)
    assert rejected_links(store, "main") == {(now, proposed.effect)}
    assert shown(store)[1]["WOULD_LINK_CAUSE"] == [(proposed.id, now)]
    assert faults(store) == ()
    store.undo("main", decision.id)
    assert rejected_links(store, "main") == frozenset()
    assert open_hypotheses(store, "main") == [(proposed, now, proposed.effect)]


def test_it_follows_its_events_and_outlives_them(
    store: GraphStore, bundles: list[Bundle], proposed: Hypothesis
) -> None:
    for bundle in (bundles[0], bundles[2]):
        store.delete_document("main", Document.id_of(bundle.text))
        store.derive("main", ByName())
        assert faults(store) == ()
    assert shown(store) == ([proposed.id], {"WOULD_LINK_EFFECT": [(proposed.id, proposed.effect)]})
    assert open_hypotheses(store, "main") == []
    with pytest.raises(RecordUnknown):
        accepted(store, proposed)
    store.commit_document(bundles[0])
    store.commit_document(bundles[2])
    store.derive("main", ByName())
    assert shown(store)[1]["WOULD_LINK_CAUSE"] == [(proposed.id, proposed.cause)]
    assert faults(store) == ()


def test_what_cannot_be_proposed_or_decided_is_refused(
    store: GraphStore, bundles: list[Bundle], proposed: Hypothesis
) -> None:
    generation = store.generation("main")
    for fields in ({"id": "h1"}, {"created_at": None}):
        with pytest.raises(RecordInvalid):
            store.propose(proposed.model_copy(update=fields))
    gone = "e" + 24 * "0"
    with pytest.raises(RecordUnknown):
        store.propose(
            proposed.model_copy(
                update={"effect": gone, "id": Hypothesis.id_of(proposed.cause, gone, proposed.premise)}
            ),
        )
    for subject in ((), (proposed.id, "h2")):
        with pytest.raises(DecisionRefused):
            store.decide(decision_of(REJECT, *subject))
    for id_ in ("h1", "c1", "nonsense"):
        with pytest.raises(RecordUnknown):
            store.decide(decision_of(REJECT, id_))
    claim = bundles[0].claims[0]
    with pytest.raises(RecordUnknown):
        store.decide(decision_of(ACCEPT, "c1", claim.document_id, proposed.id))
    note = note_of(store, proposed, "ann", AT, Encoding())
    with pytest.raises(DecisionRefused):
        store.accept(decision_of(ACCEPT, claim.id, claim.document_id, proposed.id), note)
    assert store.generation("main") == generation
    assert store.hypotheses("main") == [proposed]


def test_accepting_is_one_commit_and_the_derivation_may_come_from_anywhere(
    store: GraphStore, proposed: Hypothesis, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = graph(store)

    def killed(decision: Decision) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(store, "_insert_decision", killed)
        with pytest.raises(RuntimeError, match="killed"):
            accepted(store, proposed)
    assert (graph(store), store.pending("main")) == (before, 0)
    assert decided_hypotheses(store, "main") == {}
    decision = accepted(store, proposed)
    assert store.pending("main")
    with open_at(store.address) as other:
        other.derive("main", ByName())
    assert [one.claims for one in store.edges("main") if one.claims == (decision.subject[0],)]
    assert faults(store) == ()


def test_hypotheses_and_their_decisions_are_copied_and_dropped(
    store: GraphStore, bundles: list[Bundle], proposed: Hypothesis, new_store: NewStore
) -> None:
    accepted(store, proposed)
    other = hypothesis_between(store, bundles[1].mentions[0].id, bundles[0].mentions[0].id, score=0.5)
    store.propose(other)
    store.decide(decision_of(REJECT, other.id, at=3))
    store.derive("main", ByName())
    target = new_store()
    copy(store, target, None, ByName())
    assert list(export_jsonl(target, "main")) == list(export_jsonl(store, "main"))
    assert target.hypotheses("main") == sorted([proposed, other], key=lambda one: one.id)
    assert rejected_links(target, "main") == {(other.cause, other.effect)}
    assert faults(target) == ()
    target.drop("main")
    assert target.hypotheses("main") == []
