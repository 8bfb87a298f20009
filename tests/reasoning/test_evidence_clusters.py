"""Evidence in groups, and samples that reach across them."""

from hypothesis import given
from hypothesis import strategies as st

from reasoning.evidence_clusters import clusters, sample

WATER = ["The river rose.", "The river flooded the mill.", "Water of the river rose at the mill."]
FIRE = ["A fire burned the barn.", "The barn burned.", "Fire spread from the barn."]
TEXTS = st.lists(st.sampled_from([*WATER, *FIRE, "", "The mayor spoke."]), max_size=12)


def test_what_speaks_of_the_same_things_stands_together():
    found = clusters([*WATER, *FIRE], 2)
    assert len(set(found[:3])) == len(set(found[3:])) == 1
    assert found[0] != found[3]


@given(TEXTS, st.integers(1, 4))
def test_each_text_has_a_cluster_and_the_same_texts_the_same_ones(texts, count):
    found = clusters(texts, count)
    assert len(found) == len(texts)
    assert set(found) <= set(range(max(count, 1)))
    assert found == clusters(texts, count)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3)), max_size=12), st.integers(0, 8), st.integers(0, 5))
def test_a_sample_reaches_across_the_clusters(pieces, size, seed):
    weights, groups = [weight for weight, _ in pieces], [group for _, group in pieces]
    drawn = sample(weights, groups, size, 0.3, seed)
    assert len(drawn) == len(set(drawn)) == min(size, len(pieces))
    assert len({groups[place] for place in drawn}) == min(size, len(set(groups)))
    assert drawn == sample(weights, groups, size, 0.3, seed)


def test_the_colder_the_surer_is_the_best_drawn():
    weights, groups = [0.1, 0.9, 0.2, 0.3], [0, 0, 0, 0]
    cold = [sample(weights, groups, 1, 0.001, seed) for seed in range(20)]
    hot = [sample(weights, groups, 1, 100.0, seed) for seed in range(20)]
    assert all(drawn == [1] for drawn in cold)
    assert len({tuple(drawn) for drawn in hot}) > 1
