from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from language.sentences import SentenceReader
from language.trees import Tree, TreeReader
from models.packaged_parser import packaged_parser


def test_the_tree_of_a_sentence_stands_over_its_own_words() -> None:
    text = "Nobody knew.  The old pump-house didn't flood because it's been\nsealed."
    _, sentence = SentenceReader().read(text)
    words = [token.lower for token in sentence.tokens]
    tree = TreeReader(packaged_parser(), "ours").read(sentence)
    assert len(tree.heads) == len(tree.labels) == len(words)
    flood = words.index("flood")
    assert (tree.heads[flood], tree.labels[flood]) == (flood, "ROOT")
    assert [word for word, head in zip(words, tree.heads, strict=True) if words[head] == "sealed"] == [
        "because", "it", "'s", "been",
    ]  # fmt: skip
    assert tree.subtrees[words.index("sealed")] == frozenset(range(words.index("because"), words.index("sealed") + 1))


def test_what_is_above_a_word() -> None:
    tree = Tree((1, 3, 1, 3), ("det", "nsubj", "amod", "ROOT"))
    assert tree.above == ((1, 3), (3,), (1, 3), ())
    assert tree.subtrees == ({0}, {0, 1, 2}, {2}, {0, 1, 2, 3})


@given(st.lists(st.integers(0, 7), min_size=8, max_size=8))
def test_a_faulty_tree_ends(heads: list[int]) -> None:
    tree = Tree(tuple(heads), ("dep",) * 8)
    for place, above in enumerate(tree.above):
        assert len(set(above)) == len(above)
        assert all(place in tree.subtrees[governing] for governing in above)
        assert place in tree.subtrees[place]
