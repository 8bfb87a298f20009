from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from causetrail.errors import DocumentUnknown, RecordInvalid, RecordUnknown
from kg.records import Claim, DecisionKind, Document, Mention, Resolution
from kg.store import Bundle, GraphStore, Outcome
from tests.conformance.material import ByName, Statement, bundle_of, content, decision_of, source_of, vector_of

ONE = [Statement("leak-1", "fire-1"), Statement("fire-1", "closure-1")]
TWO = [Statement("storm-1", "leak-1")]
DATED = {"published": "2014-03-01T00:00:00Z", "published_resolution": Resolution.DAY}


def test_a_document_comes_back_as_it_was_given(store: GraphStore) -> None:
    bundle = bundle_of("a.txt", ONE)
    assert store.commit_document(bundle) is Outcome.ADDED
    document_id = Document.id_of(bundle.text)
    assert store.document_text("main", document_id) == bundle.text
    assert tuple(store.mentions_of("main", document_id)) == bundle.mentions
    assert tuple(store.claims_of("main", document_id)) == bundle.claims
    assert tuple(store.passages_of("main", document_id)) == bundle.passages
    ids = [passage.id for passage in reversed(bundle.passages)]
    assert np.array_equal(store.passage_vectors("main", ids), bundle.passage_vectors[::-1])
    document = store.document("main", document_id)
    assert (document.sources, document.doc_title, document.length) == (("a.txt",), "About a.txt", len(bundle.text))
    counts = store.counts("main")
    assert (counts.documents, counts.mentions, counts.claims, counts.rejected) == (1, 4, 2, {"question": 1})
    assert store.collections() == ["main"]


def test_the_same_document_again_changes_nothing(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", ONE))
    store.derive("main", ByName())
    before = store.generation("main"), content(store)
    assert store.commit_document(bundle_of("a.txt", ONE)) is Outcome.UNCHANGED
    store.derive("main", ByName())
    assert (store.generation("main"), content(store)) == before


def test_every_change_raises_the_generation(store: GraphStore) -> None:
    seen = [store.generation("main")]
    assert seen == [0]
    for change in (
        lambda: store.commit_document(bundle_of("a.txt", ONE)),
        lambda: store.derive("main", ByName()),
        lambda: store.commit_document(bundle_of("a.txt", TWO)),
        lambda: store.derive("main", ByName()),
        lambda: store.delete_source("main", "a.txt"),
    ):
        change()
        seen.append(store.generation("main"))
    assert seen == sorted(set(seen))


def test_equal_content_is_one_document_with_the_metadata_of_the_least_source(store: GraphStore) -> None:
    later = bundle_of("b.txt", ONE, words="Same")
    earlier = bundle_of("a.txt", ONE, words="Same")
    document_id = Document.id_of(later.text)
    assert store.commit_document(later) is Outcome.ADDED
    assert store.document("main", document_id).doc_title == "About b.txt"
    assert store.has_content("main", document_id, "x1")
    assert store.add_source("main", document_id, earlier.source) is Outcome.SOURCE_ADDED
    document = store.document("main", document_id)
    assert (document.sources, document.doc_title) == (("a.txt", "b.txt"), "About a.txt")
    store.delete_source("main", "a.txt")
    assert store.document("main", document_id).doc_title == "About b.txt"
    store.delete_source("main", "b.txt")
    assert store.counts("main").documents == 0


def test_changed_content_replaces_the_old_one(store: GraphStore) -> None:
    old, new = bundle_of("a.txt", ONE), bundle_of("a.txt", TWO)
    store.commit_document(old)
    store.derive("main", ByName())
    assert store.commit_document(new) is Outcome.REPLACED
    assert [document.id for document in store.documents("main")] == [Document.id_of(new.text)]
    state = store.source_state("main", "a.txt")
    assert state is not None and state.document_id == Document.id_of(new.text)
    store.derive("main", ByName())
    fresh_edges = [(edge.cause, edge.effect) for edge in store.edges("main")]
    assert len(fresh_edges) == 1


def test_a_replaced_source_leaves_a_document_that_another_source_gives(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", ONE, words="Same"))
    store.commit_document(bundle_of("b.txt", ONE, words="Same"))
    store.commit_document(bundle_of("a.txt", TWO))
    assert store.counts("main").documents == 2


def test_deletion_leaves_nothing_behind(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", ONE))
    store.commit_document(bundle_of("b.txt", TWO))
    store.derive("main", ByName())
    for name in ("a.txt", "b.txt"):
        store.delete_source("main", name)
    counts = store.counts("main")
    assert (counts.documents, counts.passages, counts.mentions, counts.claims) == (0, 0, 0, 0)
    assert (counts.events, counts.edges, counts.characters) == (0, 0, 0)
    assert store.collections() == []
    assert store.source_state("main", "a.txt") is None


def test_between_deletion_and_derivation_nothing_points_nowhere(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", ONE))
    store.commit_document(bundle_of("b.txt", [*ONE, *TWO]))
    store.derive("main", ByName())
    store.delete_source("main", "b.txt")
    assert store.pending("main") > 0
    events = set(store.event_ids("main"))
    for edge in store.edges("main"):
        assert {edge.cause, edge.effect} <= events
        assert len(store.claims("main", edge.claims)) == len(edge.claims)
    for id_ in events:
        mentions = store.mentions_of_event("main", id_)
        assert len(mentions) == store.event("main", id_).mention_count > 0


def test_other_rules_replace_what_was_found(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", ONE))
    again = bundle_of("a.txt", ONE, extraction="x2")
    fewer = replace(
        again, mentions=again.mentions[:2], mention_vectors=again.mention_vectors[:2], claims=again.claims[:1]
    )
    assert not store.has_content("main", Document.id_of(fewer.text), "x2")
    assert store.commit_document(fewer) is Outcome.REPLACED
    assert (store.counts("main").mentions, store.counts("main").claims) == (2, 1)
    state = store.source_state("main", "a.txt")
    assert state is not None and state.extraction == "x2"


@pytest.mark.parametrize("order", [("a.txt", "b.txt"), ("b.txt", "a.txt")])
def test_relative_times_follow_the_least_source_whatever_the_order(store: GraphStore, order: tuple[str, str]) -> None:
    dated = [Statement("leak-1", "fire-1", cause_day=3)]
    undated = [Statement("leak-1", "fire-1", cause_day=3)]
    bundles = {
        "a.txt": bundle_of("a.txt", dated, words="Same", source=source_of("a.txt", **DATED)),
        "b.txt": bundle_of("b.txt", undated, words="Same"),
    }
    plain = bundles["b.txt"]
    bundles["b.txt"] = replace(
        plain,
        mentions=tuple(
            m.model_copy(update={"time_start": None, "time_end": None, "time_resolution": None}) for m in plain.mentions
        ),
    )
    for name in order:
        store.commit_document(bundles[name])
    (document,) = store.documents("main")
    assert store.mentions_of("main", document.id)[0].time_start == "2014-03-03T00:00:00Z"
    store.delete_source("main", "a.txt")
    state = store.source_state("main", "b.txt")
    assert state is not None and state.extraction != "x1"
    assert not store.has_content("main", document.id, "x1")
    store.commit_document(bundles["b.txt"])
    assert store.mentions_of("main", document.id)[0].time_start is None


def test_pages_follow_the_least_source(store: GraphStore) -> None:
    bundle = bundle_of("b.txt", ONE, words="Same")
    second = bundle.passages[1].start
    store.commit_document(bundle)
    store.add_source("main", Document.id_of(bundle.text), source_of("a.pdf", pages=(0, second)))
    assert [p.page for p in store.passages_of("main", Document.id_of(bundle.text))] == [1, 2]


def test_rows_of_a_table_share_an_origin(store: GraphStore) -> None:
    for name in ("t.csv#2", "t.csv#1", "u.csv#1"):
        store.commit_document(bundle_of(name, TWO))
    assert [state.name for state in store.sources_of_origin("main", "t.csv")] == ["t.csv#1", "t.csv#2"]


def test_collections_never_meet(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", ONE))
    store.commit_document(bundle_of("a.txt", ONE, collection="other"))
    store.derive("main", ByName())
    assert store.counts("other").events == 0
    assert store.pending("other") > 0
    store.delete_source("main", "a.txt")
    assert store.collections() == ["other"]
    assert store.counts("other").claims == 2


def test_what_is_not_there_is_said_so(store: GraphStore) -> None:
    with pytest.raises(DocumentUnknown):
        store.document("main", "d0")
    with pytest.raises(DocumentUnknown):
        store.document_text("main", "d0")
    with pytest.raises(DocumentUnknown):
        store.delete_document("main", "d0")
    with pytest.raises(DocumentUnknown):
        store.add_source("main", "d0", source_of("a.txt"))
    with pytest.raises(RecordUnknown):
        store.delete_source("main", "a.txt")
    with pytest.raises(RecordUnknown):
        store.event("main", "e0")
    with pytest.raises(RecordUnknown):
        store.passage_vectors("main", ["p0"])
    with pytest.raises(RecordUnknown):
        store.event("main", "e\udcff")
    assert store.source_state("main", "bad\udcff.txt") is None
    assert store.mentions("main", ["m0", "m\udcff"]) == {}
    assert store.events_of_passages("main", ["p0"]) == {}


def _renamed(bundle: Bundle) -> Bundle:
    wrong = bundle.mentions[0].model_copy(update={"id": "m" + 24 * "0"})
    return replace(bundle, mentions=(wrong, *bundle.mentions[1:]))


def _misquoted(bundle: Bundle) -> Bundle:
    wrong = bundle.claims[0].model_copy(update={"quote": bundle.claims[0].quote.upper()})
    return replace(bundle, claims=(wrong, *bundle.claims[1:]))


def _misspelt(bundle: Bundle) -> Bundle:
    wrong = bundle.mentions[0].model_copy(update={"text": "x" * len(bundle.mentions[0].text)})
    return replace(bundle, mentions=(wrong, *bundle.mentions[1:]))


def _outside(bundle: Bundle) -> Bundle:
    end = len(bundle.text) + 1
    first = bundle.mentions[0]
    update = {"end": end, "id": Mention.id_of(first.document_id, first.start, end), "text": bundle.text[first.start :]}
    return replace(bundle, mentions=(first.model_copy(update=update), *bundle.mentions[1:]))


def _dangling(bundle: Bundle) -> Bundle:
    return replace(bundle, mentions=bundle.mentions[1:], mention_vectors=bundle.mention_vectors[1:])


def _self_linked(bundle: Bundle) -> Bundle:
    c = bundle.claims[0]
    id_ = Claim.id_of(c.document_id, c.relation, c.cause_mention, c.cause_mention, c.start, c.end, c.cue, c.extractor)
    wrong = c.model_copy(update={"effect_mention": c.cause_mention, "id": id_})
    return replace(bundle, claims=(wrong,))


FAULTS: list[Callable[[Bundle], Bundle]] = [
    _renamed,
    _misquoted,
    _misspelt,
    _outside,
    _dangling,
    _self_linked,
    lambda b: replace(b, mentions=(*b.mentions, b.mentions[0]), mention_vectors=np.vstack([b.mention_vectors] * 2)[:5]),
    lambda b: replace(b, mention_vectors=b.mention_vectors[:1]),
    lambda b: replace(b, passage_vectors=np.full_like(b.passage_vectors, np.nan)),
    lambda b: replace(b, passages=b.passages[::-1]),
    lambda b: replace(b, text=b.text + " More."),
    lambda b: replace(b, text="\ud800"),
    lambda b: replace(b, text="   ", mentions=(), claims=(), passages=()),
    lambda b: replace(b, collection="other"),
    lambda b: replace(b, source=replace(b.source, pages=(5, 0))),
    lambda b: replace(b, source=replace(b.source, name="bad\udcff.txt")),
    lambda b: replace(b, source=replace(b.source, origin="bad\udcff.txt")),
    lambda b: replace(b, source=replace(b.source, name="ž" * 3_501)),
    lambda b: replace(b, mentions=tuple(m.model_copy(update={"kind": "ž" * 3_501}) for m in b.mentions)),
    lambda b: replace(b, source=replace(b.source, doc_title="bad\udcff")),
    lambda b: replace(b, mentions=tuple(m.model_copy(update={"place": "bad\udcff"}) for m in b.mentions)),
    lambda b: replace(b, source=replace(b.source, pages=(0,))),
    lambda b: replace(b, source=replace(b.source, published="yesterday", published_resolution=Resolution.DAY)),
    lambda b: replace(b, source=replace(b.source, published="2014-03-01T00:00:00Z")),
    lambda b: replace(b, mentions=tuple(m.model_copy(update={"kind": ""}) for m in b.mentions)),
    lambda b: replace(b, mentions=tuple(m.model_copy(update={"sentence_end": m.start}) for m in b.mentions)),
    lambda b: replace(
        b, mentions=tuple(m.model_copy(update={"time_start": "2014-03-01T00:00:00Z"}) for m in b.mentions)
    ),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bundle_with_a_fault_is_refused_whole(store: GraphStore, fault: Callable[[Bundle], Bundle]) -> None:
    store.commit_document(bundle_of("old.txt", TWO))
    before = content(store), store.generation("main")
    with pytest.raises(RecordInvalid):
        store.commit_document(fault(bundle_of("a.txt", ONE)))
    assert (content(store), store.generation("main")) == before


@pytest.mark.parametrize("name", ["", "a/b", "-a", "a b", "a\n", "\u00e9", "bad\udcff", "a" * 65, "a" * 10_000])
def test_a_collection_has_a_name_that_all_doors_take(store: GraphStore, name: str) -> None:
    with pytest.raises(RecordInvalid, match=r"collection .* its name is not allowed: it must be 1 to 64 letters"):
        store.commit_document(bundle_of("a.txt", ONE, collection=name))
    with pytest.raises(RecordInvalid, match="its name is not allowed"):
        store.log_decision(decision_of(DecisionKind.REJECT_CLAIM, "c1", collection=name))
    assert store.collections() == []


def test_the_longest_name_of_a_collection_is_taken(store: GraphStore) -> None:
    name = "A" + "._-" * 21
    store.commit_document(bundle_of("a.txt", ONE, collection=name))
    assert store.collections() == [name]


@pytest.mark.parametrize(("field", "long"), [("name", "its name is longer"), ("origin", "its origin is longer")])
def test_a_source_says_which_of_its_texts_is_wrong(store: GraphStore, field: str, long: str) -> None:
    for text, told in (("", f"it has no {field}"), ("x" * 7_001, long)):
        with pytest.raises(RecordInvalid, match=told):
            store.commit_document(bundle_of("a.txt", ONE, source=replace(source_of("a.txt"), **{field: text})))


def test_the_longest_names_and_kinds_are_taken(store: GraphStore) -> None:
    bundle = bundle_of("ž" * 3_500, ONE)
    longest = bundle.mentions[0].model_copy(update={"kind": "ž" * 3_500})
    store.commit_document(replace(bundle, mentions=(longest, *bundle.mentions[1:])))
    store.derive("main", ByName())
    assert store.source_state("main", "ž" * 3_500) is not None
    assert max(len(store.event("main", id_).kind) for id_ in store.event_ids("main")) == 3_500


def test_offsets_survive_any_text(store: GraphStore) -> None:
    words = "\u202eRTL e\u0301 \U0001f525 nai\u0308ve \r\n\t\u2028 x"
    bundle = bundle_of("a.txt", ONE, words=words)
    store.commit_document(bundle)
    document_id = Document.id_of(bundle.text)
    text = store.document_text("main", document_id)
    assert text == bundle.text
    assert all(text[m.start : m.end] == m.text for m in store.mentions_of("main", document_id))


def test_vectors_of_events_are_those_of_the_describing_mention(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", ONE))
    store.derive("main", ByName())
    ids = store.event_ids("main")
    wanted = np.stack([vector_of(store.event("main", id_).description) for id_ in ids])
    assert np.array_equal(store.event_vectors("main", ids), wanted)
