"""What hangs on an event or a link, against the definitions worked out by brute force."""

import itertools

import networkx as nx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.records import Relation
from traversal.deadline import Deadline
from traversal.expansion import Budget, Cut
from traversal.removal import HOLDING, leads, least_cut, without_events, without_links

WIDE = Budget(hops=20, max_nodes=500, fan_out=50, floor=0.0)
NEVER = Deadline(1e9)
NAMES = st.sampled_from("abcdefg")
GRAPHS = st.lists(
    st.tuples(NAMES, NAMES, st.integers(1, 9), st.sampled_from(HOLDING)),
    max_size=16,
    unique_by=lambda one: (one[0], one[1], one[3]),
)
REUSED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def made(edge, graph):
    return [edge(a, b, n / 10, relation) for a, b, n, relation in graph if a != b]


def without(store, *events, budget=WIDE):
    return without_events(events, store, "main", budget, NEVER)


def standing_by_force(edges, affected, removed):
    """What a way of links that are left leads to from an event that hangs on nothing that was removed."""
    left = nx.DiGraph((one.cause, one.effect) for one in edges if one not in removed)
    sound = {node for one in edges for node in (one.cause, one.effect)} - set(affected)
    left.add_nodes_from(sound)
    return set().union(*(nx.descendants(left, node) for node in sound)) & set(affected)


@REUSED
@given(GRAPHS, st.sets(NAMES, min_size=1, max_size=2))
def test_an_event_falls_when_no_way_from_anything_else_leads_to_it(edge, edge_store, graph, gone):
    edges = made(edge, graph)
    whole = nx.DiGraph((one.cause, one.effect) for one in edges)
    whole.add_nodes_from(gone)
    affected = set().union(*(nx.descendants(whole, one) for one in gone)) - gone
    removed = [one for one in edges if one.cause in gone or one.effect in gone]
    stands = standing_by_force(edges, affected | gone, removed)
    found = without(edge_store(edges), *sorted(gone))
    assert set(found.fallen) == affected - stands
    assert set(found.standing) <= stands
    for event in (*found.fallen, *found.standing):
        links = [nx.shortest_path_length(whole, one, event) for one in gone if nx.has_path(whole, one, event)]
        assert (found.fallen | found.standing)[event] == min(links)
        into = {one for one in edges if one.effect == event}
        assert set(found.lost[event]) | set(found.kept.get(event, ())) == into
        assert not set(found.lost[event]) & set(found.kept.get(event, ()))
    assert all(found.lost[event] and found.kept[event] for event in found.standing)


@REUSED
@given(GRAPHS, NAMES, NAMES)
def test_a_link_that_is_taken_away_is_no_cause_any_more(edge, edge_store, graph, cause, effect):
    edges = made(edge, graph)
    removed = [one for one in edges if (one.cause, one.effect) == (cause, effect)]
    whole = nx.DiGraph((one.cause, one.effect) for one in edges)
    affected = {effect, *nx.descendants(whole, effect)} if removed else set()
    found = without_links([cause], [effect], edge_store(edges), "main", WIDE, NEVER)
    assert set(found.fallen) == affected - standing_by_force(edges, affected, removed)


@REUSED
@given(GRAPHS)
def test_no_fewer_links_and_none_less_reliable_cut_the_ways(edge, graph):
    edges = [one for one in made(edge, graph) if one.cause != "g" and one.effect != "a"]
    cut = least_cut(["a"], ["g"], edges)
    assert bool(cut) is leads(["a"], ["g"], edges, HOLDING)
    assert not leads(["a"], ["g"], [one for one in edges if one not in cut], HOLDING)
    for size in range(1, min(len(cut), 3) + 1):
        for other in itertools.combinations(edges, size):
            if not leads(["a"], ["g"], [one for one in edges if one not in other], HOLDING):
                assert size == len(cut)
                assert sum(one.p_for for one in cut) <= sum(one.p_for for one in other) + 1e-6


def test_a_circle_does_not_hold_itself_up(edge, edge_store):
    circle = [edge("a", "b"), edge("b", "c"), edge("c", "b")]
    assert without(edge_store(circle), "a").fallen == {"b": 1, "c": 2}
    held = without(edge_store([*circle, edge("x", "c")]), "a")
    assert (held.fallen, set(held.standing)) == ({}, {"b"})


def test_a_prevention_holds_nothing_and_is_told_when_it_falls_away(edge, edge_store):
    store = edge_store(
        [edge("a", "b"), edge("b", "x", relation=Relation.PREVENTS), edge("a", "y", relation=Relation.PREVENTS)]
    )
    found = without(store, "a")
    assert found.fallen == {"b": 1}
    assert [(one.cause, one.effect) for one in found.unprevented] == [("a", "y"), ("b", "x")]


def test_what_is_denied_or_doubted_holds_nothing(edge, edge_store):
    links = [edge("a", "b", 0.9), edge("x", "b", 0.9, ruled_out=True), edge("y", "b", 0.1)]
    assert without(edge_store(links), "a", budget=Budget(3, 100, 10, 0.2)).fallen == {"b": 1}


def test_bounds_are_told(edge, edge_store):
    chain = edge_store([edge("a", "b"), edge("b", "c"), edge("c", "d")])
    found = without(chain, "a", budget=Budget(2, 100, 10, 0.2))
    assert (set(found.fallen), found.cuts) == ({"b", "c"}, (Cut.HOPS,))
    hub = edge_store([edge(f"c{n}", "x") for n in range(9)])
    assert Cut.FAN_OUT in without(hub, "c1", budget=Budget(2, 5, 10, 0.2)).cuts


def test_a_link_of_prevention_is_removed_with_what_it_kept_off(edge, edge_store):
    held_off = edge("a", "b", 0.9, Relation.PREVENTS)
    after = [edge("b", "c", 0.9), edge("c", "d", 0.9)]
    found = without_links(["a"], ["b"], edge_store([held_off, *after]), "main", WIDE, NEVER)
    assert (found.taken, found.unprevented, found.still_prevented) == ((held_off,), (held_off,), ())
    assert (found.freed, found.fallen, found.standing) == ({"c": 1, "d": 2}, {}, {})


def test_what_another_link_prevents_too_frees_nothing(edge, edge_store):
    pair = [edge("a", "b", 0.9, Relation.PREVENTS), edge("x", "b", 0.9, Relation.PREVENTS)]
    store = edge_store([*pair, edge("b", "c", 0.9)])
    for found in (without_links(["a"], ["b"], store, "main", WIDE, NEVER), without(store, "a")):
        assert (found.unprevented, found.still_prevented, found.freed) == ((pair[0],), (pair[1],), {})
