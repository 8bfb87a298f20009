from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.records import Relation
from kg.store import Direction
from traversal.deadline import Deadline
from traversal.expansion import Budget, Cut, expand, joined, meet

WIDE = Budget(hops=3, max_nodes=100, fan_out=10, floor=0.2)
NEVER = Deadline(1e9)
PAIRS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9)), max_size=40, unique_by=lambda p: p[:2]
)
REUSED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def walk(store, seeds, direction=Direction.TO_CAUSES, budget=WIDE, deadline=NEVER):
    return expand(seeds, direction, store, "main", budget, deadline)


def test_it_walks_against_the_arrows_to_causes_and_along_them_to_effects(edge, edge_store):
    store = edge_store([edge("a", "b"), edge("b", "c"), edge("c", "d")])
    assert walk(store, ["c"]).depth == {"c": 0, "b": 1, "a": 2}
    assert walk(store, ["c"], Direction.TO_EFFECTS).depth == {"c": 0, "d": 1}


def test_hops_bound_the_walk_and_the_cut_is_reported(edge, edge_store):
    store = edge_store([edge("a", "b"), edge("b", "c"), edge("c", "d"), edge("d", "e")])
    found = walk(store, ["e"], budget=Budget(2, 100, 10, 0.2))
    assert sorted(found.depth) == ["c", "d", "e"]
    assert found.cuts == (Cut.HOPS,)
    assert walk(store, ["e"], budget=Budget(4, 100, 10, 0.2)).cuts == ()


def test_a_hub_is_cut_at_its_most_reliable_edges(edge, edge_store):
    store = edge_store([edge(f"c{n}", "hub", confidence=0.3 + n / 100) for n in range(30)] + [edge("x", "other")])
    found = walk(store, ["hub", "other"], budget=Budget(3, 100, 5, 0.2))
    assert sorted(found.depth) == ["c25", "c26", "c27", "c28", "c29", "hub", "other", "x"]
    assert Cut.FAN_OUT in found.cuts


def test_nodes_bound_the_walk_and_the_most_reliable_stay(edge, edge_store):
    store = edge_store([edge(f"c{n}", "x", confidence=0.3 + n / 100) for n in range(9)])
    found = walk(store, ["x"], budget=Budget(3, 4, 20, 0.2))
    assert sorted(found.depth) == ["c6", "c7", "c8", "x"]
    assert found.cuts == (Cut.NODES,)
    assert {e.cause for e in found.edges} == {"c6", "c7", "c8"}


def test_a_passed_deadline_ends_the_walk(edge, edge_store):
    store = edge_store([edge("a", "b")])
    found = walk(store, ["b"], deadline=Deadline(0.0))
    assert found.depth == {"b": 0}
    assert found.cuts == (Cut.TIME,)


def test_the_floor_tests_p_for_so_that_contested_edges_are_found(edge, edge_store):
    store = edge_store([edge("a", "x", confidence=0.05, p_for=0.7), edge("b", "x", confidence=0.1)])
    assert sorted(walk(store, ["x"]).depth) == ["a", "x"]


def test_before_and_ruled_out_edges_are_never_followed_but_ruled_out_ones_are_told(edge, edge_store):
    denied = edge("a", "x", confidence=0.9, ruled_out=True)
    store = edge_store([denied, edge("b", "x", relation=Relation.BEFORE), edge("c", "x", relation=Relation.PREVENTS)])
    found = walk(store, ["x"])
    assert sorted(found.depth) == ["c", "x"]
    assert found.ruled_out == (denied,)


def test_two_ends_meet_in_the_middle(edge, edge_store):
    store = edge_store([edge(f"n{i}", f"n{i + 1}") for i in range(6)])
    ahead, back = meet(["n0"], ["n6"], store, "main", WIDE, NEVER)
    both = joined((ahead, back))
    assert {(e.cause, e.effect) for e in both.edges} == {(f"n{i}", f"n{i + 1}") for i in range(6)}


def test_assumed_links_are_followed_like_others_within_the_same_bounds(edge, edge_store):
    store = edge_store([edge("a", "b"), edge("c", "d")])
    assumed = [edge("b", "c", confidence=0.5), edge("weak", "d", confidence=0.1)]
    assert sorted(walk(store, ["d"]).depth) == ["c", "d"]
    found = expand(["d"], Direction.TO_CAUSES, store, "main", WIDE, NEVER, assumed)
    assert found.depth == {"d": 0, "c": 1, "b": 2, "a": 3}
    assert assumed[0] in found.edges
    short = expand(["d"], Direction.TO_CAUSES, store, "main", Budget(1, 100, 10, 0.2), NEVER, assumed)
    assert (short.depth, short.cuts) == ({"d": 0, "c": 1}, (Cut.HOPS,))
    ahead, back = meet(["a"], ["d"], store, "main", WIDE, NEVER, assumed)
    assert len(joined((ahead, back)).edges) == 3


@REUSED
@given(PAIRS, st.integers(0, 4), st.integers(2, 6), st.integers(1, 4), st.sampled_from(Direction))
def test_no_budget_is_ever_exceeded(edge, edge_store, pairs, hops, nodes, fan_out, direction):
    edges = [edge(str(a), str(b), confidence=c / 10) for a, b, c in pairs]
    found = walk(edge_store(edges), ["0", "1"], direction, Budget(hops, nodes, fan_out, 0.2))
    assert len(found.depth) <= nodes
    assert max(found.depth.values()) <= hops
    near = (lambda e: e.effect) if direction is Direction.TO_CAUSES else (lambda e: e.cause)
    for event in found.depth:
        assert sum(near(e) == event for e in found.edges) <= fan_out
    for e in found.edges:
        assert e in edges
        assert {e.cause, e.effect} <= found.depth.keys()
        assert e.p_for >= 0.2


@REUSED
@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_edges_and_seeds_does_not_matter(edge, edge_store, pairs, random):
    edges = [edge(str(a), str(b), confidence=c / 10) for a, b, c in pairs]
    budget = Budget(3, 6, 2, 0.2)
    first = walk(edge_store(edges), ["0", "1", "2"], budget=budget)
    random.shuffle(edges)
    assert walk(edge_store(edges), ["2", "0", "1"], budget=budget) == first
