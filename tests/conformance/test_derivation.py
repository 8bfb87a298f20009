from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causetrail.errors import RecordUnknown, SnapshotLost, StoreLocked
from kg.records import (
    CAUSAL_RELATIONS,
    Decision,
    Event,
    Mention,
    Modality,
    Polarity,
    Relation,
)
from kg.resolution import Resolved
from kg.store import Direction, GraphStore
from tests.conformance.material import ByName, NewStore, Statement, bundle_of, content, open_at
from traversal.steps import edge_key, far_end

HAPPENINGS = st.sampled_from(["leak-1", "leak-2", "fire-1", "storm-1", "closure-1"])
STATEMENTS = st.builds(
    Statement,
    cause=HAPPENINGS,
    effect=HAPPENINGS,
    relation=st.sampled_from(Relation),
    polarity=st.sampled_from(Polarity),
    modality=st.sampled_from(Modality),
    confidence=st.sampled_from([0.0, 0.3, 0.7, 1.0]),
    cause_day=st.sampled_from([None, 1, 2]),
    effect_day=st.sampled_from([None, 1, 2]),
).filter(lambda s: s.cause != s.effect)
CORPORA = st.lists(st.lists(STATEMENTS, max_size=4), min_size=1, max_size=5)


def test_the_graph_does_not_depend_on_the_way_it_came_about(new_store: NewStore, random_graphs: settings) -> None:
    @random_graphs
    @given(data=st.data(), corpus=CORPORA)
    def holds(data: st.DataObject, corpus: list[list[Statement]]) -> None:
        bundles = [bundle_of(f"{number}.txt", statements) for number, statements in enumerate(corpus)]
        straight, crooked = new_store(), new_store()
        for bundle in bundles:
            straight.commit_document(bundle)
        straight.derive("main", ByName())
        for bundle in data.draw(st.permutations(bundles)):
            crooked.commit_document(bundle)
            if data.draw(st.booleans()):
                crooked.derive("main", ByName("other-rules", by_day=False))
        for bundle in data.draw(st.lists(st.sampled_from(bundles), unique_by=lambda b: b.source.name)):
            crooked.delete_source("main", bundle.source.name)
            if data.draw(st.booleans()):
                crooked.derive("main", ByName())
            crooked.commit_document(bundle)
        crooked.derive("main", ByName())
        assert content(crooked) == content(straight)

    holds()


class StopsAt(ByName):
    """Raises when it is asked for the n-th time."""

    def __init__(self, turn: int) -> None:
        super().__init__()
        self.left = turn

    def resolve(self, mentions: Sequence[Mention], decisions: Sequence[Decision]) -> Resolved:
        self.left -= 1
        if self.left < 0:
            raise RuntimeError("stopped")
        return super().resolve(mentions, decisions)


CHAIN = [Statement("storm-1", "leak-1"), Statement("leak-1", "fire-1"), Statement("fire-1", "closure-1")]


@pytest.mark.parametrize("turn", range(4))
def test_an_interrupted_derivation_ends_in_the_same_graph(new_store: NewStore, turn: int) -> None:
    whole, broken = new_store(), new_store()
    for store in (whole, broken):
        store.commit_document(bundle_of("a.txt", CHAIN))
        store.commit_document(bundle_of("b.txt", CHAIN[:2]))
    whole.derive("main", ByName())
    with pytest.raises(RuntimeError, match="stopped"):
        broken.derive("main", StopsAt(turn))
    assert broken.pending("main") > 0
    broken.derive("main", ByName())
    assert content(broken) == content(whole)


def test_progress_that_raises_loses_nothing(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", CHAIN))

    def stop(stage: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.derive("main", ByName(), stop)
    assert store.derive("main", ByName()).edges == 3


def test_a_derivation_says_what_it_did(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", CHAIN))
    seen: list[tuple[str, int, int]] = []
    done = store.derive("main", ByName(), lambda *at: seen.append(at))
    assert (done.blocks, done.events, done.edges) == (4, 4, 3)
    assert done.generation == store.generation("main")
    assert seen[-1] == ("derive", 4, 4)
    again = store.derive("main", ByName())
    assert (again.blocks, again.generation) == (0, done.generation)


def test_another_version_of_the_resolver_resolves_everything_again(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", [Statement("leak-1", "fire-1", cause_day=1)]))
    store.commit_document(bundle_of("b.txt", [Statement("leak-1", "fire-1", cause_day=2)]))
    store.derive("main", ByName())
    assert store.counts("main").events == 3
    store.derive("main", ByName("by-name-2", by_day=False))
    assert store.counts("main").events == 2


def test_an_old_event_id_is_answered_by_the_event_that_holds_its_mention(store: GraphStore) -> None:
    bundles = [bundle_of(f"{number}.txt", [Statement("leak-1", "fire-1")]) for number in range(6)]
    by_mention = sorted(bundles, key=lambda bundle: bundle.mentions[0].id, reverse=True)
    old = []
    for bundle in by_mention:
        store.commit_document(bundle)
        store.derive("main", ByName())
        old.append(Event.id_of(bundle.mentions[0].id))
    assert len(set(old)) == 6
    current = store.event("main", old[-1])
    assert current.id == old[-1] and current.mention_count == 6
    for id_ in old:
        assert store.event("main", id_) == current
        assert len(store.mentions_of_event("main", id_)) == 6
    assert list(store.events("main", old)) == [current.id]


def test_similar_events_are_linked_and_never_edges(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", [Statement("leak-1", "fire-1", cause_day=1)]))
    store.commit_document(bundle_of("b.txt", [Statement("leak-1", "fire-1", cause_day=2)]))
    store.derive("main", ByName())
    first, second = sorted(edge.cause for edge in store.edges("main"))
    assert store.similar_events("main", first) == [second]
    assert store.similar_events("main", second) == [first]
    store.delete_source("main", "b.txt")
    store.derive("main", ByName())
    assert [store.similar_events("main", id_) for id_ in store.event_ids("main")] == [[], []]


def test_near_copies_are_one_witness(store: GraphStore) -> None:
    words = " ".join(f"w{number}" for number in range(200))
    for name in ("a.txt", "b.txt"):
        store.commit_document(bundle_of(name, CHAIN[:1], words=f"{words} {name}"))
    store.commit_document(bundle_of("c.txt", CHAIN[:1], words="An account of its own"))
    store.derive("main", ByName())
    (edge,) = store.edges("main")
    assert (edge.support, edge.p_for, len(edge.claims)) == (2, 0.96, 3)
    store.delete_source("main", "a.txt")
    store.derive("main", ByName())
    (edge,) = store.edges("main")
    assert (edge.support, len(edge.claims)) == (2, 2)
    store.delete_source("main", "c.txt")
    store.derive("main", ByName())
    (edge,) = store.edges("main")
    assert (edge.support, edge.p_for) == (1, 0.8)


def test_a_copy_between_two_others_ties_them_while_it_is_there(store: GraphStore) -> None:
    words = [f"w{number}" for number in range(1250)]
    first, between, last = (" ".join(words[start : start + 1000]) for start in (0, 125, 250))
    store.commit_document(bundle_of("a.txt", CHAIN[:1], words=first))
    store.commit_document(bundle_of("c.txt", CHAIN[:1], words=last))
    supports = []
    for change in (
        lambda: None,
        lambda: store.commit_document(bundle_of("b.txt", [Statement("valve-1", "burst-1")], words=between)),
        lambda: store.delete_source("main", "b.txt"),
    ):
        change()
        store.derive("main", ByName())
        supports += [edge.support for edge in store.edges("main") if store.event("main", edge.cause).kind == "storm"]
    assert supports == [2, 1, 2]


def test_edges_are_followed_one_way_above_a_floor(store: GraphStore) -> None:
    ruled_out = Statement("storm-1", "fire-1", polarity=Polarity.NEGATED)
    weak = Statement("valve-1", "fire-1", confidence=0.1)
    store.commit_document(bundle_of("a.txt", [*CHAIN, ruled_out, weak]))
    store.derive("main", ByName())
    name_of = {id_: event.description for id_, event in store.events("main", store.event_ids("main")).items()}
    id_of = {name: id_ for id_, name in name_of.items()}

    def causes_of(name: str, **asked: object) -> list[str]:
        edges = store.edges_at("main", [id_of[name]], Direction.TO_CAUSES, CAUSAL_RELATIONS, **asked)  # type: ignore[arg-type]
        return [name_of[edge.cause] for edge in edges]

    assert causes_of("fire-1") == ["leak-1", "valve-1"]
    assert causes_of("fire-1", floor=0.2) == ["leak-1"]
    assert causes_of("fire-1", limit_each=1) == ["leak-1"]
    assert sorted(causes_of("fire-1", floor=0.2, ruled_out=None)) == ["leak-1", "storm-1"]
    assert causes_of("fire-1", floor=0.2, ruled_out=True) == ["storm-1"]
    both = store.edges_at(
        "main", [id_of["fire-1"], id_of["leak-1"]], Direction.TO_CAUSES, CAUSAL_RELATIONS, limit_each=1
    )
    assert sorted(name_of[edge.cause] for edge in both) == ["leak-1", "storm-1"]
    assert causes_of("fire-1", ruled_out=None, limit_each=1) == ["leak-1", "storm-1"]
    to_effects = store.edges_at("main", [id_of["leak-1"]], Direction.TO_EFFECTS, [Relation.CAUSES])
    assert [name_of[edge.effect] for edge in to_effects] == ["fire-1"]
    assert store.edges_at("main", [id_of["fire-1"]], Direction.TO_CAUSES, [Relation.BEFORE]) == []
    (claim,) = store.claims_between("main", id_of["leak-1"], id_of["fire-1"])
    assert store.event_of_mention("main", claim.cause_mention) == id_of["leak-1"]


@pytest.mark.parametrize("direction", list(Direction))
@pytest.mark.parametrize("each", [1, 2, 9])
@pytest.mark.parametrize("floor", [0.0, 0.2])
def test_edges_that_lead_back_are_those_followed_whose_far_end_was_reached(
    store: GraphStore, direction: Direction, each: int, floor: float
) -> None:
    weak = Statement("valve-1", "fire-1", confidence=0.1)
    store.commit_document(bundle_of("a.txt", [*CHAIN, Statement("storm-1", "fire-1"), weak]))
    store.derive("main", ByName())
    ids = store.event_ids("main")
    for reached in (ids, ids[:2], []):
        back = store.edges_back("main", ids, direction, CAUSAL_RELATIONS, floor, each, reached)
        asked = (store.edges_at("main", [id_], direction, CAUSAL_RELATIONS, floor) for id_ in ids)
        at_each = [list(edges) for edges in asked]
        first = [edge for edges in at_each for edge in edges[:each]]
        inside = [edge for edge in first if far_end(edge, direction) in reached]
        assert sorted(back.edges, key=edge_key) == sorted(inside, key=edge_key)
        assert back.leads_on == (len(inside) < len(first))
        assert back.more == any(len(edges) > each for edges in at_each)


def test_a_snapshot_does_not_move_or_says_so(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", CHAIN))
    store.derive("main", ByName())
    lost = False
    try:
        with store.snapshot():
            before = store.generation("main"), content(store)
            writer = threading.Thread(target=lambda: store.delete_source("main", "a.txt"))
            writer.start()
            writer.join()
            after = store.generation("main"), content(store)
    except SnapshotLost:
        lost = True
    assert lost or after == before
    with store.snapshot(), store.snapshot():
        assert store.counts("main").documents == 0


def test_what_is_missed_because_it_moved_is_told_so(store: GraphStore) -> None:
    store.commit_document(bundle_of("a.txt", CHAIN))
    store.derive("main", ByName())
    (first, *_) = store.event_ids("main")
    try:
        with store.snapshot():
            store.delete_source("main", "a.txt") if store.address.startswith("neo4j") else None
            store.event("main", first)
    except SnapshotLost:
        assert store.address.startswith("neo4j")
    with pytest.raises(RecordUnknown), store.snapshot():
        store.event("main", "e0")


def _commit_and_derive(address: str, numbers: Sequence[int]) -> None:
    with open_at(address, wait_seconds=60.0, lease_seconds=5.0) as store:
        for number in numbers:
            store.commit_document(bundle_of(f"{number}.txt", [CHAIN[number % 3], Statement("leak-2", "fire-1")]))
            store.derive("main", ByName())


def test_several_writers_end_in_the_same_graph(new_store: NewStore) -> None:
    alone, shared = new_store(), new_store()
    _commit_and_derive(alone.address, range(8))
    context = multiprocessing.get_context("spawn")
    shares = [range(start, 8, 2) for start in range(2)]
    writers = [context.Process(target=_commit_and_derive, args=(shared.address, share)) for share in shares]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert content(shared) == content(alone)


class Slow(ByName):
    """Takes its time, with the lease in its hands."""

    def __init__(self, entered: threading.Event, leave: threading.Event) -> None:
        super().__init__()
        self.entered, self.leave = entered, leave

    def wait(self, stage: str, done: int, total: int) -> None:
        self.entered.set()
        self.leave.wait(30)


def test_a_second_derivation_waits_and_then_says_so(new_store: NewStore) -> None:
    store = new_store()
    store.commit_document(bundle_of("a.txt", CHAIN))
    entered, leave = threading.Event(), threading.Event()
    slow = Slow(entered, leave)
    holder = threading.Thread(target=lambda: store.derive("main", slow, slow.wait))
    holder.start()
    assert entered.wait(10)
    try:
        with open_at(store.address, wait_seconds=0.2, lease_seconds=5.0) as other:
            other.commit_document(bundle_of("b.txt", CHAIN))
            with pytest.raises(StoreLocked):
                other.derive("main", ByName())
    finally:
        leave.set()
        holder.join()
    assert store.pending("main") == 0


def test_a_silent_holder_is_relieved_and_both_end_well(new_store: NewStore) -> None:
    store = new_store()
    store.commit_document(bundle_of("a.txt", CHAIN))
    entered, leave = threading.Event(), threading.Event()
    slow = Slow(entered, leave)
    with open_at(store.address, wait_seconds=5.0, lease_seconds=0.1) as silent:
        holder = threading.Thread(target=lambda: silent.derive("main", slow, slow.wait))
        holder.start()
        assert entered.wait(10)
        store.commit_document(bundle_of("b.txt", [*CHAIN, Statement("leak-2", "fire-1")]))
        assert store.derive("main", ByName()).blocks > 0
        store.commit_document(bundle_of("c.txt", CHAIN))
        leave.set()
        holder.join()
    assert store.pending("main") == 0
    fresh = new_store()
    for name, statements in (("a.txt", CHAIN), ("b.txt", [*CHAIN, Statement("leak-2", "fire-1")]), ("c.txt", CHAIN)):
        fresh.commit_document(bundle_of(name, statements))
    fresh.derive("main", ByName())
    assert content(store) == content(fresh)


def _derive_forever(address: str) -> None:
    class Stuck(ByName):
        def resolve(self, mentions: Sequence[Mention], decisions: Sequence[Decision]) -> Resolved:
            time.sleep(600)
            raise AssertionError

    with open_at(address, wait_seconds=5.0, lease_seconds=3000.0) as store:
        store.derive("main", Stuck())


def test_the_lease_of_a_killed_process_is_taken_at_once(new_store: NewStore) -> None:
    store = new_store()
    store.commit_document(bundle_of("a.txt", CHAIN))
    store.derive("main", ByName())
    store.commit_document(bundle_of("b.txt", CHAIN))
    child = multiprocessing.get_context("spawn").Process(target=_derive_forever, args=(store.address,))
    child.start()
    time.sleep(3)
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    assert store.derive("main", ByName()).blocks == 4
