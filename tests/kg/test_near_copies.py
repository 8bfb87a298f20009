from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from kg.components import connected
from kg.near_copies import NEAR_COPY_JACCARD, SKETCH_SIZE, are_near_copies, resemblance, sketch_of


def text_of(words: range) -> str:
    return " ".join(f"w{number}" for number in words)


def shared(first: str, second: str) -> float:
    """The Jaccard similarity itself, from all shingles."""
    sets = []
    for text in (first, second):
        words = text.split()
        sets.append({tuple(words[at : at + 5]) for at in range(len(words) - 4)})
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


def test_the_estimate_is_close() -> None:
    for overlap in range(0, 1000, 100):
        first, second = text_of(range(1000)), text_of(range(1000 - overlap, 2000 - overlap))
        assert abs(resemblance(sketch_of(first), sketch_of(second)) - shared(first, second)) < 0.15


def test_a_copy_with_some_words_changed_is_a_copy() -> None:
    words = text_of(range(1000)).split()
    chance = random.Random(1)
    for at in chance.sample(range(1000), 20):
        words[at] = "changed"
    assert are_near_copies(sketch_of(text_of(range(1000))), sketch_of(" ".join(words)))


def test_other_texts_are_no_copies() -> None:
    sketch = sketch_of(text_of(range(1000)))
    assert not are_near_copies(sketch, sketch_of(text_of(range(500, 1500))))
    assert not are_near_copies(sketch, sketch_of(text_of(range(2000, 3000))))
    assert not are_near_copies(sketch_of("a b"), sketch_of("a c"))


def test_case_and_layout_do_not_matter() -> None:
    assert sketch_of("The  Pump\nfailed, again: today.") == sketch_of("the pump failed again today")


def test_a_text_without_words_is_a_copy_of_nothing() -> None:
    assert sketch_of("... !") == ()
    assert not are_near_copies(sketch_of("..."), sketch_of("..."))
    assert are_near_copies(sketch_of("one two"), sketch_of("One two."))


@given(st.text(), st.text())
def test_resemblance_is_the_same_both_ways(first: str, second: str) -> None:
    a, b = sketch_of(first), sketch_of(second)
    assert resemblance(a, b) == resemblance(b, a)
    assert are_near_copies(a, b) == are_near_copies(b, a)
    assert len(a) <= SKETCH_SIZE and list(a) == sorted(set(a))
    if a:
        assert resemblance(a, a) == 1.0 > NEAR_COPY_JACCARD


@given(st.data())
def test_groups_do_not_depend_on_the_order_of_pairs(data: st.DataObject) -> None:
    names = st.sampled_from("abcdefgh")
    pairs = data.draw(st.lists(st.tuples(names, names), max_size=10))
    groups = connected("abcdefgh", pairs)
    assert connected("hgfedcba", data.draw(st.permutations(pairs))) == groups
    assert all(groups[a] == groups[b] for a, b in pairs)
    assert all(groups[name] <= name and groups[groups[name]] == groups[name] for name in "abcdefgh")
