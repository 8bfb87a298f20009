"""A dependency tree sets the bounds of arguments: no phrase is cut in two, and no other clause is taken in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.causes import ClaimReader
from extraction.parser_source import load_trees
from extraction.syntax import Bounds
from language.clauses import Clauses
from language.sentences import SentenceReader
from language.trees import Tree
from models.packaged_parser import PACKAGED

SENTENCES = SentenceReader()
BY_TREES = ClaimReader(trees=load_trees(PACKAGED))
BY_CLASSES = ClaimReader()
LABELS = ("nsubj", "obj", "conj", "nmod", "advcl", "acl", "cc", "det", "punct", "case", "root", "amod")


def arguments(reader: ClaimReader, text: str) -> list[tuple[str, str]]:
    """Cause and effect of each claim of a text."""
    found = reader.read("main", "d" + "0" * 24, SENTENCES.read(text), None, text)
    texts = {mention.id: mention.text for mention in found.mentions}
    return [(texts[claim.cause_mention], texts[claim.effect_mention]) for claim in found.claims]


@pytest.mark.parametrize(
    ("text", "by_classes", "by_trees"),
    [
        (
            "The guidance allowed pilots to make measured and informed decisions.",
            ("The guidance", "pilots to make measured"),
            ("The guidance", "pilots to make measured and informed decisions"),
        ),
        (
            "The exhaust can cause light-headedness, coughing, phlegm and nausea.",
            ("The exhaust", "light-headedness"),
            ("The exhaust", "light-headedness, coughing, phlegm and nausea"),
        ),
        (
            "The passengers wearing safety belts would not have prevented their injuries.",
            ("safety belts", "their injuries"),
            ("The passengers wearing safety belts", "their injuries"),
        ),
        (
            "The new owner and operator of the crane had not checked the wire before it entered service.",
            ("operator of the crane had not checked the wire", "it entered service"),
            ("The new owner and operator of the crane had not checked the wire", "it entered service"),
        ),
    ],
)
def test_a_phrase_is_whole(text: str, by_classes: tuple[str, str], by_trees: tuple[str, str]) -> None:
    assert (arguments(BY_CLASSES, text), arguments(BY_TREES, text)) == ([by_classes], [by_trees])


def test_the_clause_that_the_cue_hangs_from_is_left_out() -> None:
    text = "The potential for derailments attributed to side frame failures remains."
    assert arguments(BY_CLASSES, text) == [("side frame failures remains", "The potential for derailments")]
    assert arguments(BY_TREES, text) == [("side frame failures", "The potential for derailments")]


def test_what_the_object_does_belongs_to_it() -> None:
    text = "The loss of pressure causes the train brakes to apply automatically."
    assert arguments(BY_TREES, text) == [("The loss of pressure", "the train brakes to apply automatically")]


def test_a_clause_that_hangs_from_something_else_makes_the_claim_doubtful() -> None:
    text = "The driver braked, and assumed the track was clear once the train had passed."
    tree = Tree((2, 2, 6, *[2] * 3, 6), ("dep",) * 7)
    bounds = Bounds(Clauses(SENTENCES.read(text)[0]), tree, [(4, 5)])
    assert bounds.hangs_elsewhere((5, 6), (4, 5), (0, 2))
    assert not bounds.hangs_elsewhere((5, 6), (4, 5), (0, 3))


def test_an_argument_does_not_begin_in_a_clause_that_it_leaves() -> None:
    text = "The cause was unclear because when the valve was later dismantled, it was found to be in good condition."
    assert arguments(BY_CLASSES, text) == [
        ("the valve was later dismantled, it was found to be in good condition", "The cause was unclear")
    ]
    assert arguments(BY_TREES, text) == [("it was found to be in good condition", "The cause was unclear")]


def test_a_clause_with_a_subject_of_its_own_is_not_taken_in() -> None:
    text = "The lanyard prevented him reaching the snag, and he was in the process of moving it."
    assert arguments(BY_TREES, text) == [("The lanyard", "him reaching the snag")]


TEXT = "The old pump and its valve failed because nobody, who had time, checked the seal and the worn hose in May."
HERE = Clauses(SENTENCES.read(TEXT)[0])
CUE = (HERE.words.index("because"), HERE.words.index("because") + 1)


@given(st.data())
def test_no_tree_empties_an_argument_or_lets_it_take_the_cue_or_the_other(data: st.DataObject) -> None:
    count = len(HERE.words)
    heads = data.draw(st.lists(st.integers(0, count - 1), min_size=count, max_size=count))
    labels = data.draw(st.lists(st.sampled_from(LABELS), min_size=count, max_size=count))
    bounds = Bounds(HERE, Tree(tuple(heads), tuple(labels)), [CUE])
    left = data.draw(st.tuples(st.integers(0, CUE[0] - 1), st.integers(1, CUE[0])).filter(lambda one: one[0] < one[1]))
    right = data.draw(
        st.tuples(st.integers(CUE[1], count - 1), st.integers(CUE[1] + 1, count)).filter(lambda one: one[0] < one[1])
    )
    for span, other in ((left, right), (right, left)):
        start, end = bounds.settled(span, CUE, other)
        assert 0 <= start < end <= count
        assert not (start < CUE[1] and CUE[0] < end)
        assert not (start < other[1] and other[0] < end)
