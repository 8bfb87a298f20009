from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from causetrail.errors import ArgumentInvalid, CopyRefused, DecisionRefused, RecordInvalid, StoreUnlike
from kg.addresses import open_store
from kg.copying import CopyReport, copy
from kg.records import DecisionKind, Document, Modality, Polarity, Relation, Resolution
from kg.store import GraphStore
from tests.conformance.material import ByName, Statement, bundle_of, content, decision_of, hypothesis_between, source_of
from tests.kg.killed_copy import copy_and_die

HAPPENINGS = st.sampled_from(["leak-1", "leak-2", "fire-1", "storm-1"])
STATEMENTS = st.builds(
    Statement,
    cause=HAPPENINGS,
    effect=HAPPENINGS,
    relation=st.sampled_from(Relation),
    polarity=st.sampled_from(Polarity),
    modality=st.sampled_from(Modality),
    confidence=st.sampled_from([0.1, 0.3, 1 / 3, 1.0]),
    cause_day=st.sampled_from([None, 1, 2]),
).filter(lambda s: s.cause != s.effect)
COPIED = (
    "The crew wrote down what it saw that night at the pump and left the page in the log for the next watch to read"
)
DOCUMENTS = st.builds(
    lambda name, statements, copied: bundle_of(name, statements, words=f"{COPIED} {name}" if copied else ""),
    st.sampled_from(["a.txt", "b.txt", "c.txt#1", "c.txt#2", "\u00e9\U0001f30a.txt"]),
    st.lists(STATEMENTS, max_size=3),
    st.booleans(),
)
MORE_SOURCES = st.lists(st.sampled_from(["0.txt", "m.txt", "z.txt"]), unique=True)
DATES = st.sampled_from(
    [
        {},
        {"published": "2014-03-01T00:00:00Z", "published_resolution": Resolution.DAY},
        {"published": "2015-01-01T00:00:00Z", "published_resolution": Resolution.YEAR},
    ]
)
OpenStore = Callable[[], GraphStore]


@pytest.fixture
def new_store(tmp_path: Path) -> Iterator[OpenStore]:
    """Makes an empty embedded store at each call."""
    numbers = count()
    with ExitStack() as opened:
        yield lambda: opened.enter_context(
            open_store(f"sqlite:///{tmp_path}/{next(numbers)}.db", wait_seconds=5.0, lease_seconds=5.0, create=True)
        )


def both_ways(store: GraphStore, between: GraphStore, back: GraphStore) -> list[CopyReport]:
    return [copy(store, between, None, ByName()), copy(between, back, None, ByName())]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_there_and_back_is_the_identity(new_store: OpenStore, data: st.DataObject) -> None:
    store = new_store()
    for collection in data.draw(st.lists(st.sampled_from(["main", "other"]), min_size=1, unique=True)):
        fill(store, collection, data)
    reports = both_ways(store, new_store(), back := new_store())
    assert back.collections() == store.collections()
    for collection in store.collections():
        assert content(back, collection) == content(store, collection)
        for document in store.documents(collection):
            assert back.sources(collection, document.id) == store.sources(collection, document.id)
    for report in reports:
        assert [done.collection for done in report.collections] == store.collections()
        assert all(done.source == done.target and done.present == 0 for done in report.collections)
        assert all(done.copied == done.source.counts.documents for done in report.collections)
    again = copy(store, back, None, ByName())
    assert [done.target for done in again.collections] == [done.target for done in reports[0].collections]
    assert sum(done.decisions for done in again.collections) == 0


def fill(store: GraphStore, collection: str, data: st.DataObject) -> None:
    """Documents with several sources and dates, decisions standing and undone, and some of it gone again."""
    for bundle in data.draw(st.lists(DOCUMENTS, min_size=1, max_size=4)):
        committed = replace(
            bundle,
            collection=collection,
            source=replace(bundle.source, **data.draw(DATES)),
            mentions=tuple(m.model_copy(update={"collection": collection}) for m in bundle.mentions),
            claims=tuple(c.model_copy(update={"collection": collection}) for c in bundle.claims),
            passages=tuple(p.model_copy(update={"collection": collection}) for p in bundle.passages),
        )
        store.commit_document(committed)
        for name in data.draw(MORE_SOURCES):
            dated = data.draw(DATES)
            store.add_source(
                collection, Document.id_of(bundle.text), source_of(f"{bundle.source.name}/{name}", **dated)
            )
    store.derive(collection, ByName())
    held = [
        mention.id for document in store.documents(collection) for mention in store.mentions_of(collection, document.id)
    ]
    for moment, subject in enumerate(
        data.draw(st.lists(st.lists(st.sampled_from(held), min_size=2, max_size=3, unique=True), max_size=3))
        if len(held) > 1
        else []
    ):
        kind = data.draw(st.sampled_from([DecisionKind.MERGE, DecisionKind.SPLIT]))
        decision = decision_of(kind, *subject, at=moment, collection=collection)
        try:
            store.decide(decision)
        except DecisionRefused:
            continue
        if data.draw(st.booleans()):
            store.undo(collection, decision.id)
    if data.draw(st.booleans()) and store.counts(collection).documents > 1:
        store.delete_document(collection, next(store.documents(collection)).id)


def test_the_date_that_times_were_resolved_with_is_copied(new_store: OpenStore) -> None:
    store = new_store()
    dated = {"published": "2014-03-01T00:00:00Z", "published_resolution": Resolution.DAY}
    bundle = bundle_of("b.txt", [Statement("leak-1", "fire-1")], source=source_of("b.txt", **dated))
    store.commit_document(bundle)
    document_id = Document.id_of(bundle.text)
    store.add_source("main", document_id, source_of("a.txt"))
    assert not store.has_content("main", document_id, "x1")
    both_ways(store, new_store(), back := new_store())
    assert not back.has_content("main", document_id, "x1")
    assert back.bundle("main", document_id).source.published == "2014-03-01T00:00:00Z"
    assert back.document("main", document_id) == store.document("main", document_id)
    back.delete_source("main", "a.txt")
    assert back.has_content("main", document_id, "x1")


def filled(store: GraphStore, *names: str) -> GraphStore:
    for name in names:
        store.commit_document(bundle_of(name, [Statement("leak-1", "fire-1"), Statement("fire-1", "storm-1")]))
    store.derive("main", ByName())
    return store


def test_only_the_named_collection_is_copied(new_store: OpenStore) -> None:
    store = filled(new_store(), "a.txt")
    store.commit_document(bundle_of("b.txt", [Statement("leak-1", "fire-1")], collection="other"))
    target = new_store()
    report = copy(store, target, ["other"], ByName())
    assert (target.collections(), [done.collection for done in report.collections]) == (["other"], ["other"])
    with pytest.raises(ArgumentInvalid, match="absent"):
        copy(store, target, ["absent"], ByName())


def test_a_second_copy_writes_nothing_and_a_change_is_carried_over(new_store: OpenStore) -> None:
    store, target = filled(new_store(), "a.txt", "b.txt"), new_store()
    copy(store, target, None, ByName())
    before = target.generation("main")
    (again,) = copy(store, target, None, ByName()).collections
    assert (again.copied, again.present, target.generation("main")) == (0, 2, before)
    filled(store, "c.txt")
    newer = bundle_of("b.txt", [Statement("leak-1", "fire-1"), Statement("fire-1", "storm-1")], extraction="x2")
    store.commit_document(newer)
    (more,) = copy(store, target, None, ByName()).collections
    assert (more.copied, more.replaced, more.present) == (1, 1, 1)
    assert content(target) == content(store)


def test_a_source_that_moved_to_another_document_moves_in_the_copy(new_store: OpenStore) -> None:
    store, target = new_store(), new_store()
    dated = {"published": "2014-03-01T00:00:00Z", "published_resolution": Resolution.DAY}
    statements = [Statement("leak-1", "fire-1")]
    bundle = bundle_of("b.txt", statements, words="Same")
    store.commit_document(bundle_of("a.txt", statements, words="Same", source=source_of("a.txt", **dated)))
    document_id = Document.id_of(bundle.text)
    store.add_source("main", document_id, bundle.source)
    copy(store, target, None, ByName())
    filled(store, "a.txt")
    # Without the dated source the times are read again.
    store.commit_document(bundle)
    assert store.document("main", document_id).sources == ("b.txt",)
    copy(store, target, None, ByName())
    assert content(target) == content(store)
    assert target.has_content("main", document_id, "x1")


def test_a_source_that_was_added_later_is_carried_over(new_store: OpenStore) -> None:
    store, target = filled(new_store(), "a.txt"), new_store()
    copy(store, target, None, ByName())
    (document,) = store.documents("main")
    store.add_source("main", document.id, source_of("b.txt"))
    (done,) = copy(store, target, None, ByName()).collections
    assert (done.copied, done.replaced, done.present) == (0, 1, 0)
    assert target.sources("main", document.id) == store.sources("main", document.id)


def test_a_claim_that_was_rejected_and_taken_back_is_carried_over(new_store: OpenStore) -> None:
    store, target = filled(new_store(), "a.txt", "b.txt"), new_store()
    claim = next(iter(store.edges("main"))).claims[0]
    decision = decision_of(DecisionKind.REJECT_CLAIM, claim)
    store.decide(decision)
    assert copy(store, target, None, ByName()).collections[0].decisions == 1
    assert content(target) == content(store)
    store.undo("main", decision.id)
    assert copy(store, target, None, ByName()).collections[0].decisions == 1
    assert content(target) == content(store)
    standing = decision_of(DecisionKind.REJECT_CLAIM, claim, at=9)
    target.decide(standing)
    with pytest.raises(CopyRefused, match="1 decision"):
        copy(store, target, None, ByName())


# An acceptance takes its note along when it is taken back: the conformance tests copy that.
@pytest.mark.parametrize("kind", [kind for kind in DecisionKind if kind is not DecisionKind.ACCEPT_HYPOTHESIS])
def test_a_decision_that_the_copy_took_back_is_not_put_back(new_store: OpenStore, kind: DecisionKind) -> None:
    store, target = filled(new_store(), "a.txt", "b.txt"), new_store()
    first, second = (list(store.mentions_of("main", document.id)) for document in store.documents("main"))
    claim = next(iter(store.edges("main"))).claims[0]
    hypothesis = hypothesis_between(store, first[0].id, second[1].id)
    store.propose(hypothesis)
    subject = {
        DecisionKind.MERGE: (first[0].id, second[1].id),
        DecisionKind.SPLIT: (first[0].id, second[0].id),
        DecisionKind.REJECT_CLAIM: (claim,),
        DecisionKind.REJECT_HYPOTHESIS: (hypothesis.id,),
    }[kind]
    for at in (1, 2):
        store.decide(decision_of(kind, *subject, at=at))
        if at == 1:
            store.undo("main", store.decisions("main")[0].id)
    store.derive("main", ByName())
    copy(store, target, None, ByName())
    undone = target.decisions("main")[1]
    target.undo("main", undone.id)
    target.derive("main", ByName())
    before = content(target)
    store.commit_document(bundle_of("c.txt", [Statement("leak-1", "fire-1")]))
    with pytest.raises(CopyRefused, match=f"1 decision.*{undone.id}.*collections drop main"):
        copy(store, target, None, ByName())
    assert content(target) == before
    target.log_decision(undone)
    assert content(target) == before
    store.undo("main", undone.id)
    assert copy(store, target, None, ByName()).collections[0].decisions == 0
    assert content(target) == content(store)
    generation = target.generation("main")
    (again,) = copy(store, target, None, ByName()).collections
    assert (again.copied, again.decisions, target.generation("main")) == (0, 0, generation)


def test_decisions_outlive_their_documents_in_the_copy_too(new_store: OpenStore) -> None:
    store, target = filled(new_store(), "a.txt", "b.txt"), new_store()
    mentions = next(iter(store.merges("main"))).mentions
    claim = next(iter(store.edges("main"))).claims[0]
    decisions = [decision_of(DecisionKind.SPLIT, *mentions[:2], at=1), decision_of(DecisionKind.REJECT_CLAIM, claim)]
    for decision in decisions:
        store.decide(decision)
    store.undo("main", decisions[0].id)
    for name in ("a.txt", "b.txt"):
        store.delete_source("main", name)
    assert store.collections() == ["main"]
    (done,) = copy(store, target, None, ByName()).collections
    assert (done.copied, done.decisions, done.target.counts.decisions) == (0, 2, 2)
    assert target.decisions("main") == store.decisions("main")
    assert done.source == done.target
    assert copy(store, target, ["main"], ByName()).collections[0].decisions == 0
    with store._file.writing():  # type: ignore[attr-defined]
        store._file.rows("UPDATE decision SET reason = 'another'")  # type: ignore[attr-defined]
    with pytest.raises(StoreUnlike, match="decision"):
        copy(store, target, None, ByName())


@pytest.mark.parametrize("stranger", ["document", "source"])
def test_a_target_that_holds_something_else_is_refused_before_anything_is_written(
    new_store: OpenStore, stranger: str
) -> None:
    store, target = filled(new_store(), "a.txt", "b.txt"), new_store()
    store.commit_document(bundle_of("0.txt", [Statement("leak-1", "fire-1")], collection="another"))
    if stranger == "document":
        filled(target, "z.txt")
    else:
        filled(target, "a.txt")
        target.add_source("main", next(target.documents("main")).id, source_of("z.txt"))
    before = content(target)
    with pytest.raises(CopyRefused, match=f"1 {stranger}"):
        copy(store, target, None, ByName())
    assert (content(target), target.collections()) == (before, ["main"])


def test_a_store_is_not_copied_into_itself(new_store: OpenStore) -> None:
    store = filled(new_store(), "a.txt")
    with pytest.raises(ArgumentInvalid):
        copy(store, store, None, ByName())


def test_a_source_that_waits_for_derivation_is_derived_or_refused(new_store: OpenStore) -> None:
    store = new_store()
    store.commit_document(bundle_of("a.txt", [Statement("leak-1", "fire-1")]))
    store.close()
    waiting = {"wait_seconds": 5.0, "lease_seconds": 5.0}
    with open_store(store.address, read_only=True, **waiting) as unwritable, pytest.raises(CopyRefused, match="waits"):
        copy(unwritable, new_store(), None, ByName())
    with open_store(store.address, **waiting) as writable:
        assert writable.pending("main")
        target = new_store()
        copy(writable, target, None, ByName())
        assert not writable.pending("main")
        assert content(target) == content(writable)


def test_a_difference_is_named(new_store: OpenStore) -> None:
    store, target = filled(new_store(), "a.txt"), new_store()

    def alter(stage: str, done: int, total: int) -> None:
        if (stage, done) == ("copy", total):
            target.add_source("main", next(target.documents("main")).id, source_of("z.txt"))

    with pytest.raises(StoreUnlike, match=r"document d[0-9a-f]{24} \("):
        copy(store, target, None, ByName(), alter)

    def add(stage: str, done: int, total: int) -> None:
        if (stage, done) == ("copy", total):
            filled(longer, "b.txt")

    longer = new_store()
    with pytest.raises(StoreUnlike, match="documents: 2 instead of 1"):
        copy(store, longer, None, ByName(), add)
    vectors_differ = new_store()
    bundle = bundle_of("a.txt", [Statement("leak-1", "fire-1"), Statement("fire-1", "storm-1")])
    vectors_differ.commit_document(replace(bundle, passage_vectors=bundle.passage_vectors[::-1]))
    with pytest.raises(StoreUnlike, match="the vectors of passages of document"):
        copy(store, vectors_differ, None, ByName())


def test_a_source_that_changes_meanwhile_is_told(new_store: OpenStore) -> None:
    store, target = filled(new_store(), "a.txt"), new_store()

    def add(stage: str, done: int, total: int) -> None:
        if (stage, done) == ("copy", total) and store.counts("main").documents == 1:
            filled(store, "b.txt")

    with pytest.raises(StoreUnlike, match="changed while it was copied"):
        copy(store, target, None, ByName(), add)
    copy(store, target, None, ByName(), add)
    assert content(target) == content(store)


def test_a_quote_that_does_not_repeat_its_document_is_not_copied(new_store: OpenStore) -> None:
    store = filled(new_store(), "a.txt")
    with store._file.writing():  # type: ignore[attr-defined]
        store._file.rows("UPDATE claim SET quote = 'never said'")  # type: ignore[attr-defined]
    with pytest.raises(RecordInvalid, match="its quote is not what stands at its offsets"):
        copy(store, target := new_store(), None, ByName())
    assert target.collections() == []


@pytest.mark.parametrize(
    ("stage", "moment"), [("copy", 1), ("copy", 3), ("copy", 6), ("resolve", 1), ("derive", 1), ("compare", 2)]
)
def test_a_copy_that_was_killed_goes_on(new_store: OpenStore, tmp_path: Path, stage: str, moment: int) -> None:
    store = filled(new_store(), *(f"{number}.txt" for number in range(6)))
    store.decide(decision_of(DecisionKind.REJECT_CLAIM, next(iter(store.edges("main"))).claims[0]))
    store.derive("main", ByName())
    address = f"sqlite:///{tmp_path}/copy.db"
    copy_and_die(store.address, address, stage, moment)
    with open_store(address, wait_seconds=5.0, lease_seconds=5.0) as target:
        held = target.counts("main").documents
        (done,) = copy(store, target, None, ByName()).collections
        assert (done.present, done.copied) == (held, 6 - held)
        assert held == (moment if stage == "copy" else 6)
        assert content(target) == content(store)


def test_the_example_corpus_is_copied_with_the_real_resolver(flood_folder: Path, tmp_path: Path) -> None:
    from causetrail import Causetrail
    from extraction.resolution import EventResolver
    from kg.verify import verify

    shutil.copy(flood_folder / "trail.db", tmp_path / "trail.db")
    waiting = {"wait_seconds": 5.0, "lease_seconds": 5.0}
    target = f"sqlite:///{tmp_path}/copy.db"
    with (
        open_store(f"sqlite:///{tmp_path}/trail.db", **waiting) as store,
        open_store(target, create=True, **waiting) as copied,
    ):
        copy(store, copied, None, EventResolver())
    assert verify(target).faults == ()
    with Causetrail(f"sqlite:///{flood_folder}/trail.db") as given_trail, Causetrail(target) as trail:
        assert "".join(trail.export()) == "".join(given_trail.export())
