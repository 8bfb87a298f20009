"""A dependency tree sets the bounds of arguments: no phrase is cut in two, and no other clause is taken in."""

from __future__ import annotations

from unittest.mock import create_autospec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.causes import ClaimReader
from extraction.doubts import DOUBT
from extraction.parser_source import load_trees
from extraction.syntax import Bounds
from language.clauses import Clauses
from language.sentences import SentenceReader
from language.trees import Tree, TreeReader
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
    text = "The pump stopped because the valve was closed."
    (sentence,) = SENTENCES.read(text)
    claims = []
    # The clause "the valve was closed" hangs from "stopped", and then from the full stop, which is in no clause.
    for governor in (2, 8):
        trees = create_autospec(TreeReader, instance=True)
        trees.fingerprint = "by hand"
        trees.read.return_value = Tree((1, 2, 2, 7, 5, 7, 7, governor, 2), ("dep",) * 9)
        claims += ClaimReader(trees=trees).read("main", "d" + "0" * 24, [sentence], None, text).claims
    assert claims[1].confidence == pytest.approx(claims[0].confidence * DOUBT)


def test_an_argument_does_not_begin_in_a_clause_that_it_leaves() -> None:
    text = "The cause was unclear because when the valve was later dismantled, it was found to be in good condition."
    assert arguments(BY_CLASSES, text) == [
        ("the valve was later dismantled, it was found to be in good condition", "The cause was unclear")
    ]
    assert arguments(BY_TREES, text) == [("it was found to be in good condition", "The cause was unclear")]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        (
            "The lanyard prevented him reaching the snag, and he was moving it.",
            ("The lanyard", "him reaching the snag"),
        ),
        ("The flood was caused by rain, engineers and residents said.", ("rain", "The flood")),
        ("The heat led to droughts and crops failed.", ("The heat", "droughts")),
        ("The storm led to floods, roads and bridges were washed away.", ("The storm", "floods")),
        ("The bridge collapsed because of corrosion rather than overload.", ("corrosion", "The bridge collapsed")),
        ("The leak was caused by fatigue, and not by corrosion.", ("fatigue", "The leak")),
    ],
)
def test_another_clause_and_what_is_denied_are_not_taken_in(text: str, taken: tuple[str, str]) -> None:
    assert taken in arguments(BY_TREES, text)


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
