"""Scores of clusters, against cases worked out by hand and against what must hold of any clusters."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.coreference_scores import METRICS, Cluster, conll, counts_by_part, counts_of, f1


def clusters(*words: str) -> list[Cluster]:
    """A cluster of letters for each word."""
    return [frozenset(word) for word in words]


def scores(gold: list[Cluster], found: list[Cluster]) -> dict[str, float]:
    counts = counts_of(gold, found)
    return {metric: f1(metric)(counts) for metric in METRICS}


def test_what_is_repeated_scores_one() -> None:
    gold = clusters("abc", "de", "f")
    assert conll(counts_of(gold, clusters("f", "de", "abc"))) == pytest.approx(1)


def test_a_cut_cluster_by_hand() -> None:
    """Gold abc, d; found ab, cd.

    MUC: gold links 2, of which abc cut in two keeps 1; found links 2, of which ab keeps 1 and cd none: R 1/2, P 1/2.
    B-cubed: R = (2/3 + 2/3 + 1/3 + 1) / 4 = 2/3, P = (1 + 1 + 1/2 + 1/2) / 4 = 3/4.
    CEAF-e: best is abc-ab with 4/5 and d-cd with 2/3, in sum 22/15, over 2 clusters each side.
    """
    found = scores(clusters("abc", "d"), clusters("ab", "cd"))
    assert found["MUC"] == pytest.approx(1 / 2)
    assert found["B-cubed"] == pytest.approx(2 * (2 / 3) * (3 / 4) / (2 / 3 + 3 / 4))
    assert found["CEAF-e"] == pytest.approx(22 / 30)


def test_two_clusters_made_one_by_hand() -> None:
    """The example of Luo 2005, figure 1 (a): gold 12345, 67, 89ABC; found 12345, 6789ABC.

    MUC: R 9/9, P 9/10. B-cubed: R 1, P = (5 + 2 * 2/7 + 5 * 5/7) / 12 = 16/21. CEAF-e: 1 + 2 * 5/12 over 3 and 2.
    """
    found = scores(clusters("12345", "67", "89ABC"), clusters("12345", "6789ABC"))
    assert found["MUC"] == pytest.approx(2 * 0.9 / 1.9)
    assert found["B-cubed"] == pytest.approx(2 * (16 / 21) / (1 + 16 / 21))
    recall, precision = (1 + 5 / 6) / 3, (1 + 5 / 6) / 2
    assert found["CEAF-e"] == pytest.approx(2 * recall * precision / (recall + precision))


def test_predicted_mentions_by_hand() -> None:
    """Gold ab, c; found abx: x is no mention, c was not found.

    MUC: R 1/1, P 1/2. B-cubed: R (1 + 1) / 3, P (2/3 + 2/3) / 3. CEAF-e: 4/5 over 2 and 1.
    """
    found = scores(clusters("ab", "c"), clusters("abx"))
    assert found["MUC"] == pytest.approx(2 / 3)
    assert found["B-cubed"] == pytest.approx(2 * (2 / 3) * (4 / 9) / (2 / 3 + 4 / 9))
    assert found["CEAF-e"] == pytest.approx(2 * (2 / 5) * (4 / 5) / (2 / 5 + 4 / 5))


def test_singletons_alone_have_no_links() -> None:
    found = scores(clusters("a", "b"), clusters("a", "b"))
    assert (found["MUC"], found["B-cubed"], found["CEAF-e"]) == (0, 1, 1)


def test_nothing_found_scores_nothing() -> None:
    assert conll(counts_of(clusters("ab"), [])) == 0


partitions = st.lists(st.integers(0, 4), min_size=1, max_size=12).map(
    lambda numbers: [
        frozenset(at for at, other in enumerate(numbers) if other == number) for number in sorted(set(numbers))
    ]
)


@given(partitions, partitions)
def test_parts_add_up_and_the_sides_are_symmetric(gold: list[Cluster], found: list[Cluster]) -> None:
    whole = counts_of(gold, found)
    parts = sum(counts_by_part(gold, found, lambda mention: str(hash(mention) % 3)).values(), Counter())
    assert set(parts) == set(whole)
    assert all(parts[name] == pytest.approx(value) for name, value in whole.items())
    assert conll(whole) == pytest.approx(conll(counts_of(found, gold)))
    assert 0 <= conll(whole) <= 1 + 1e-9
