import itertools

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.records import Polarity, Relation
from kg.store import Direction
from traversal.chains import build_chains, part_of_chain
from traversal.thresholds import thresholds

FIGURES = thresholds().chains
PAIRS = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(1, 9)), max_size=30, unique_by=lambda p: p[:2]
)
REUSED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def build(edges, events, starts, direction=Direction.TO_CAUSES, links=3, **more):
    return build_chains(edges, events, starts, direction, links, FIGURES, **more)


def names(chain):
    return "".join(event.id for event in chain.events)


def test_the_whole_chain_is_told_cause_first(edge, event):
    events = {n: event(n) for n in "abcd"}
    found = build([edge("c", "d"), edge("a", "b"), edge("b", "c")], events, {"d": 1.0})
    assert [names(chain) for chain in found.chains] == ["abcd"]
    forward = build([edge("c", "d"), edge("a", "b"), edge("b", "c")], events, {"a": 1.0}, Direction.TO_EFFECTS)
    assert [names(chain) for chain in forward.chains] == ["abcd"]


def test_a_weak_first_link_does_not_swallow_a_good_chain(edge, event):
    events = {n: event(n) for n in "abc"}
    found = build([edge("a", "b", 0.05), edge("b", "c", 0.9)], events, {"c": 1.0})
    assert [names(chain) for chain in found.chains] == ["bc"]


def test_reliable_chains_come_first_and_equal_ones_by_id(edge, event):
    events = {n: event(n) for n in "abcx"}
    found = build([edge("a", "x", 0.5), edge("b", "x", 0.9), edge("c", "x", 0.5)], events, {"x": 1.0})
    assert [names(chain) for chain in found.chains] == ["bx", "ax", "cx"]


def test_an_effect_before_its_cause_costs_rank(edge, event):
    june, may = ("2020-06-01T00:00:00Z", "2020-06-02T00:00:00Z"), ("2020-05-01T00:00:00Z", "2020-05-02T00:00:00Z")
    events = {"a": event("a", time=june), "b": event("b"), "x": event("x", time=may), "c": event("c")}
    found = build([edge("a", "b", 0.9), edge("b", "x", 0.9), edge("c", "x", 0.7)], events, {"x": 1.0})
    assert names(found.chains[0]) == "bx"
    assert "abx" not in [names(chain) for chain in found.chains]
    events["a"] = event("a", time=("2020-04-01T00:00:00Z", "2020-04-02T00:00:00Z"))
    found = build([edge("a", "b", 0.9), edge("b", "x", 0.9), edge("c", "x", 0.7)], events, {"x": 1.0})
    assert names(found.chains[0]) == "abx"
    assert (found.chains[0].valid_from, found.chains[0].valid_to) == ("2020-04-01T00:00:00Z", "2020-05-02T00:00:00Z")


def test_two_relations_between_the_same_events_are_two_chains(edge, event):
    events = {n: event(n) for n in "ax"}
    both = [edge("a", "x", 0.8, Relation.PREVENTS), edge("a", "x", 0.8)]
    for edges in (both, both[::-1]):
        found = build(edges, events, {"x": 1.0}, polarities={"x": Polarity.AFFIRMED})
        assert [chain.edges[0].relation for chain in found.chains] == [Relation.CAUSES]


def test_a_part_of_a_chain_is_scored_as_if_it_had_been_found_by_itself(edge, event):
    events = {n: event(n) for n in "abcd"}
    edges = [edge("a", "b", 0.4), edge("b", "c", 0.9), edge("c", "d", 0.8)]
    (whole,) = [one for one in build(edges, events, {"d": 0.7}).chains if names(one) == "abcd"]
    (alone,) = build(edges[1:], events, {"d": 0.7}).chains
    part = part_of_chain(whole, 1, 3)
    assert abs(part.score - alone.score) < 1e-5
    assert part.model_copy(update={"score": alone.score}) == alone


def test_an_inconsistent_edge_costs_rank(edge, event):
    events = {n: event(n) for n in "abx"}
    found = build([edge("a", "x", 0.9, consistent=False), edge("b", "x", 0.6)], events, {"x": 1.0})
    assert [names(chain) for chain in found.chains] == ["bx", "ax"]


def test_an_odd_number_of_preventions_turns_the_chain_round(edge, event):
    events = {n: event(n) for n in "abc"}
    once = build([edge("a", "b"), edge("b", "c", relation=Relation.PREVENTS)], events, {"c": 1.0})
    assert once.chains[0].polarity is Polarity.NEGATED
    both = [edge("a", "b", relation=Relation.PREVENTS), edge("b", "c", relation=Relation.PREVENTS)]
    twice = build(both, events, {"c": 1.0}, polarities={"c": Polarity.AFFIRMED})
    assert [names(chain) for chain in twice.chains] == ["abc"]
    assert build(both, events, {"c": 1.0}, polarities={"c": Polarity.NEGATED}).chains[0].edges == (both[1],)


def test_chains_told_with_the_same_words_are_told_once(edge, event):
    events = {
        "a": event("a", "the pump failed"),
        "b": event("b", "the pump failed").model_copy(update={"kind": "kind-a"}),
        "x": event("x"),
    }
    found = build([edge("a", "x", 0.9), edge("b", "x", 0.8)], events, {"x": 1.0})
    assert [names(chain) for chain in found.chains] == ["ax"]
    assert found.found == 2


def test_only_chains_between_the_two_ends_are_kept(edge, event):
    events = {n: event(n) for n in "abcdxy"}
    edges = [edge("a", "b"), edge("b", "x"), edge("a", "y"), edge("c", "x"), edge("y", "d")]
    found = build(edges, events, {"a": 1.0}, Direction.TO_EFFECTS, 6, ends={"x": 0.9})
    assert [names(chain) for chain in found.chains] == ["abx"]


def test_a_dense_graph_ends_at_the_cap(edge, event):
    n = 14
    events = {f"{i:02}": event(f"{i:02}") for i in range(n)}
    edges = [edge(a, b) for a in events for b in events if a != b]
    found = build(edges, events, {"00": 1.0}, links=10)
    assert found.capped
    assert found.chains


@REUSED
@given(PAIRS, st.sampled_from(Direction), st.integers(1, 5), st.randoms(use_true_random=False))
def test_chains_are_simple_paths_of_the_given_edges_in_any_order(edge, event, pairs, direction, links, random):
    edges = [edge(str(a), str(b), confidence=c / 10) for a, b, c in pairs]
    events = {str(n): event(str(n)) for n in range(8)}
    found = build(edges, events, {"0": 0.9, "1": 0.7}, direction, links)
    for chain in found.chains:
        ids = [e.id for e in chain.events]
        assert len(set(ids)) == len(ids) == len(chain.edges) + 1 <= links + 1
        assert all(e in edges for e in chain.edges)
        assert [(e.cause, e.effect) for e in chain.edges] == list(itertools.pairwise(ids))
        assert (ids[-1] if direction is Direction.TO_CAUSES else ids[0]) in {"0", "1"}
    assert [c.score for c in found.chains] == sorted((c.score for c in found.chains), reverse=True)
    random.shuffle(edges)
    assert build(edges, events, {"1": 0.7, "0": 0.9}, direction, links) == found
