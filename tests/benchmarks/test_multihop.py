from __future__ import annotations

import pytest

from benchmarks.multihop import ClosedLibrary, measured, recall
from benchmarks.retrieval_sets import Retrieval
from models.encoder import load_encoder

PASSAGES = [
    "Arlen gate: The gate was made by Hasel Works.",
    "Hasel Works: It was founded by two brothers in a shed.",
    *(f"The gate of village {number} was painted green by its keeper." for number in range(12)),
]
QUESTION = "Who founded the maker of the Arlen gate?"


def test_recall_is_the_share_of_what_helps_among_the_first_five() -> None:
    assert recall([4, 9, 1, 2, 3, 7], frozenset({9, 7})) == pytest.approx(0.5)


def test_a_bridge_finds_the_passage_that_only_the_first_one_names() -> None:
    retrieval = Retrieval(PASSAGES, [(QUESTION, frozenset({0, 1}))])
    told = measured(retrieval, ClosedLibrary(PASSAGES, load_encoder("bge-small-en-v1.5", 1)))
    assert told["bridges"] == [1.0]
    assert {len(values) for values in told.values()} == {1}
